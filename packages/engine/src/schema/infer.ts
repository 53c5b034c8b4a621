/** The type of the values that a schema lets through: a Standard Schema's output, or what a JSON Schema literal describes. */
export type InferInput<Source> = Source extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : FromJson<Source>;

// biome-ignore format: one line a keyword
type FromJson<S> =
  S extends { readonly const: infer Value } ? Value
  : S extends { readonly enum: readonly (infer Value)[] } ? Value
  : S extends { readonly type: readonly (infer Type)[] } ? (Type extends string ? FromJson<Omit<S, "type"> & { readonly type: Type }> : never)
  : S extends { readonly type: "string" } ? string
  : S extends { readonly type: "number" | "integer" } ? number
  : S extends { readonly type: "boolean" } ? boolean
  : S extends { readonly type: "null" } ? null
  : S extends { readonly type: "array"; readonly prefixItems: infer P extends readonly unknown[] } ? FromTuple<S, P>
  : S extends { readonly type: "array" } ? Rest<S>
  : S extends { readonly type: "object"; readonly properties: infer P } ? FromProperties<P, PresentIn<S, P>>
  : S extends { readonly type: "object"; readonly patternProperties: unknown } ? { [key: string]: unknown }
  : S extends { readonly type: "object"; readonly additionalProperties: infer Value } ? { [key: string]: FromJson<Value> }
  : S extends { readonly type: "object" } ? { [key: string]: unknown }
  : S extends { readonly anyOf: readonly (infer Each)[] } | { readonly oneOf: readonly (infer Each)[] } ? FromJson<Each>
  : unknown;

type Rest<S> = S extends { readonly items: infer Item } ? FromJson<Item>[] : unknown[];

/** Items may be missing at the end, unless `minItems` says how many there are. */
type FromTuple<S, P extends readonly unknown[]> = readonly [
  ...(S extends { readonly minItems: P["length"] } ? FromAll<P> : Partial<FromAll<P>>),
  ...(S extends { readonly items: false } ? [] : Rest<S>),
];

type FromAll<P extends readonly unknown[]> = { -readonly [At in keyof P]: FromJson<P[At]> };

type PresentIn<S, P> =
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | { [Name in keyof P]: P[Name] extends { readonly default: unknown } ? Name : never }[keyof P];

type FromProperties<P, Present> = { -readonly [Name in keyof P & Present]: FromJson<P[Name]> } & {
  -readonly [Name in Exclude<keyof P, Present>]?: FromJson<P[Name]>;
};
