/** The part of JSON Schema that says what a pattern looks like; the walk in check-shape.ts knows all of it. */
export interface Shape {
  readonly type: "object" | "array" | "string" | "integer";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
  readonly if?: Condition;
  readonly then?: { readonly required: readonly string[] };
  readonly items?: Shape;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: "date";
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly examples?: readonly (string | number)[];
}

/** Holds where a field has one of these values. */
interface Condition {
  readonly properties: Readonly<Record<string, { readonly const: string }>>;
  readonly required: readonly string[];
}

/** A text that says something. */
export const text = (description: string, more: Partial<Shape> = {}): Shape => ({
  type: "string",
  description,
  pattern: "\\S",
  ...more,
});

/** One of a few words. */
export const word = (words: readonly string[], description: string): Shape => ({
  type: "string",
  description,
  enum: words,
});

/** A list. */
export const list = (items: Shape, description: string, more: Partial<Shape> = {}): Shape => ({
  type: "array",
  description,
  items,
  ...more,
});

/** A list of texts. */
export const texts = (description: string): Shape => list({ type: "string", pattern: "\\S" }, description);

/** A part with named parts, of which some must be there. */
export const object = (
  description: string,
  properties: Readonly<Record<string, Shape>>,
  required: readonly string[] = [],
  more: Partial<Shape> = {},
): Shape => ({
  type: "object",
  description,
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
  ...more,
});

/** Fields that must be there where another one has a certain value. */
export const whereIs = (field: string, value: string, required: readonly string[]): Partial<Shape> => ({
  if: { properties: { [field]: { const: value } }, required: [field] },
  // oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
  then: { required },
});

/** How many characters a text has, as JSON Schema counts: a pair of halves is one. */
export const lengthOf = (written: string): number => Array.from(written).length;
