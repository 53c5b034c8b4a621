import { isObject, type JsonObject } from "../jsonrpc/messages.js";
import { possibleTypes, prepareSchema } from "./analyze.js";
import { compileNode, createJsonSchemaValidator } from "./compile.js";
import { parseDocument, type SchemaDocument, schemaError } from "./document.js";
import { createRootNode, type SchemaNode } from "./schema-node.js";
import {
  createStandardSchemaValidator,
  isStandardSchema,
  type StandardSchema,
  toJsonSchema,
} from "./standard-schema.js";

export { isStandardSchema } from "./standard-schema.js";

/** What authors describe values with: a Standard Schema (zod, Valibot, ArkType …) or a plain JSON Schema. */
export type SchemaSource = StandardSchema | { readonly [keyword: string]: unknown };

/** The result of validating a value. */
export type ValidationResult =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** One sentence for each correction that was made. */
      readonly corrections: readonly string[];
    }
  | {
      readonly ok: false;
      /** One line for each issue, written so that a model can correct itself. */
      readonly issues: readonly string[];
      /** A valid value close to the invalid one, if one could be created. */
      readonly example: JsonObject | undefined;
      /** Whether the example only contains what the caller meant, without placeholder values. */
      readonly isExampleExact?: boolean;
    };

/** Validates a value: synchronously if it is valid, otherwise after the code that corrects and explains is loaded. */
export type Validate = (value: unknown) => ValidationResult | Promise<ValidationResult>;

/** How strictly values are validated. */
export interface SchemaOptions {
  /** Whether unambiguous mistakes are corrected and reported. */
  readonly correct: boolean;
  /** Whether unknown properties are rejected where the schema does not decide. */
  readonly unknownProperties: "reject" | "allow";
  /** Whether the schema must describe an object, as the arguments of a tool do. */
  readonly root: "object" | "any";
  /** Which side of a Standard Schema clients see; the default is `input`. Values are always validated as input. */
  readonly side?: "input" | "output";
  /** The JSON Schema to list for a library that cannot convert its schemas. */
  readonly jsonSchema?: JsonObject;
  /** Whether a JSON Schema is known to be correct; it is then parsed on first use. */
  readonly isTrusted?: boolean;
}

/** A schema in one form, whatever it was written in: listed to clients, and used to validate what they send. */
export interface Schema {
  /** The JSON Schema that clients see. A Standard Schema is converted when this is first read. */
  readonly jsonSchema: JsonObject;
  /** Validates a value and corrects it if enabled. Valid values are handled synchronously, unless a Standard Schema is asynchronous. */
  readonly validate: Validate;
}

/** Creates a schema. Throws a `TypeError` that says what is wrong with the definition. */
export function createSchema(source: SchemaSource, options: SchemaOptions): Schema {
  if (isStandardSchema(source)) return createStandardSchema(source, options);
  if (!isObject(source)) throw schemaError("", "it is neither a Standard Schema nor a JSON Schema object");
  const document = options.isTrusted === true ? undefined : parseDocument(source);
  if (document !== undefined && options.root === "object" && document.root["type"] !== "object")
    throw rootNotObjectError();
  const getRoot = once(() => prepareRoot(document ?? parseDocument(source), options));
  // Only references can form cycles, which must be found now; everything else can wait until the schema is used.
  if (document?.hasReferences) getRoot();
  return {
    get jsonSchema() {
      return getRoot().closed ? { ...source, additionalProperties: false } : source;
    },
    validate: createJsonSchemaValidator(getRoot, options.correct),
  };
}

function createStandardSchema(source: StandardSchema, options: SchemaOptions): Schema {
  const side = options.side ?? "input";
  if (!source["~standard"].jsonSchema && !options.jsonSchema) toJsonSchema(source, side);
  const getInput = once(() => convertStandardSchema(source, options, "input"));
  const getListed = side === "input" ? getInput : once(() => convertStandardSchema(source, options, side));
  return {
    get jsonSchema() {
      return getListed().json;
    },
    validate: createStandardSchemaValidator(source, () => getInput().root, options.correct),
  };
}

function once<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}

/** Converts one side of a Standard Schema to JSON Schema and parses that. */
function convertStandardSchema(
  source: StandardSchema,
  options: SchemaOptions,
  side: "input" | "output",
): { readonly root: SchemaNode; readonly json: JsonObject } {
  const converted = options.jsonSchema ?? toJsonSchema(source, side);
  const root = prepareRoot(parseDocument(converted), options);
  const json: JsonObject = { ...converted };
  if (!options.jsonSchema && json["$schema"] === "https://json-schema.org/draft/2020-12/schema") delete json["$schema"];
  if (root.closed) json["additionalProperties"] = false;
  // Libraries omit the type of a union of objects and of a reference to one, but MCP requires it.
  if (json["type"] === undefined && [...possibleTypes(root)].join() === "object")
    return { root, json: { type: "object", ...json } };
  if (options.root === "any" || json["type"] === "object") return { root, json };
  throw rootNotObjectError();
}

function prepareRoot(document: SchemaDocument, options: SchemaOptions): SchemaNode {
  const root = createRootNode(document, compileNode);
  prepareSchema(root, options.unknownProperties);
  return root;
}

function rootNotObjectError(): TypeError {
  return schemaError("", 'its root must be of type "object"');
}

/**
 * The type of the valid values of a schema: the output of a Standard Schema, or the type that a JSON Schema literal describes.
 *
 * @example
 * const point = { type: "object", properties: { x: { type: "number" } }, required: ["x"] } as const;
 * type Point = InferInput<typeof point>; // { x: number }
 */
export type InferInput<Source> = Source extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : FromJsonSchema<Source>;

// biome-ignore format: one line a keyword
type FromJsonSchema<S> =
  S extends { readonly const: infer Value } ? Value
  : S extends { readonly enum: readonly (infer Value)[] } ? Value
  : S extends { readonly type: readonly (infer Type)[] } ? (Type extends string ? FromJsonSchema<Omit<S, "type"> & { readonly type: Type }> : never)
  : S extends { readonly type: "string" } ? string
  : S extends { readonly type: "number" | "integer" } ? number
  : S extends { readonly type: "boolean" } ? boolean
  : S extends { readonly type: "null" } ? null
  : S extends { readonly type: "array"; readonly prefixItems: infer P extends readonly unknown[] } ? FromTuple<S, P>
  : S extends { readonly type: "array" } ? RestItems<S>
  : S extends { readonly type: "object"; readonly properties: infer P } ? FromProperties<P, RequiredNames<S, P>>
  : S extends { readonly type: "object"; readonly patternProperties: unknown } ? { [key: string]: unknown }
  : S extends { readonly type: "object"; readonly additionalProperties: infer Value } ? { [key: string]: FromJsonSchema<Value> }
  : S extends { readonly type: "object" } ? { [key: string]: unknown }
  : S extends { readonly anyOf: readonly (infer Each)[] } | { readonly oneOf: readonly (infer Each)[] } ? FromJsonSchema<Each>
  : unknown;

type RestItems<S> = S extends { readonly items: infer Item } ? FromJsonSchema<Item>[] : unknown[];

/** Trailing items are optional, unless `minItems` requires them. */
type FromTuple<S, P extends readonly unknown[]> = readonly [
  ...(S extends { readonly minItems: P["length"] } ? FromItems<P> : Partial<FromItems<P>>),
  ...(S extends { readonly items: false } ? [] : RestItems<S>),
];

type FromItems<P extends readonly unknown[]> = { -readonly [At in keyof P]: FromJsonSchema<P[At]> };

type RequiredNames<S, P> =
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | { [Name in keyof P]: P[Name] extends { readonly default: unknown } ? Name : never }[keyof P];

type FromProperties<P, Present> = { -readonly [Name in keyof P & Present]: FromJsonSchema<P[Name]> } & {
  -readonly [Name in Exclude<keyof P, Present>]?: FromJsonSchema<P[Name]>;
};
