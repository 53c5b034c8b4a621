import type { JsonObject } from "../jsonrpc/messages.js";
import { NO_CORRECTIONS } from "./compile.js";
import type { Validate, ValidationResult } from "./schema.js";
import { MAX_REFERENCES, type SchemaNode, someDescendant } from "./schema-node.js";

/** The result of a Standard Schema: its output, or its issues. */
export type StandardSchemaResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] };

/** One issue as the library reports it. */
export interface StandardSchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Converts one side of a schema to JSON Schema in a given dialect. */
type JsonSchemaConverter = (options: { readonly target: string }) => Record<string, unknown>;

/** A schema of zod, Valibot, ArkType or any other library that implements Standard Schema version 1. */
export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardSchemaResult | Promise<StandardSchemaResult>;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly jsonSchema?:
      | { readonly input: JsonSchemaConverter; readonly output?: JsonSchemaConverter | undefined }
      | undefined;
  };
}

/** Returns whether a schema is a Standard Schema rather than a plain JSON Schema. */
export function isStandardSchema(source: unknown): source is StandardSchema {
  // ArkType's schemas are functions.
  if ((typeof source !== "object" && typeof source !== "function") || source === null) return false;
  const standard = (source as Partial<StandardSchema>)["~standard"];
  return typeof standard === "object" && standard !== null && typeof standard.validate === "function";
}

/** Converts one side of a Standard Schema to JSON Schema, in the newest dialect that the library supports. */
export function toJsonSchema(source: StandardSchema, side: "input" | "output"): JsonObject {
  const { jsonSchema, vendor } = source["~standard"];
  // Called as a method, because a library may keep its state in the object.
  const convert = (target: string) => jsonSchema?.[side]?.({ target }) as JsonObject;
  const problem = `Cannot read the schema: ${vendor} cannot convert it to JSON Schema`;
  if (!jsonSchema?.[side]) throw new TypeError(`${problem}; use the library's converter, or pass a JSON Schema`);
  try {
    return convert("draft-2020-12");
  } catch (error) {
    try {
      return convert("draft-07");
    } catch {
      throw new TypeError(`${problem}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}

/** Creates the validator of a Standard Schema: the library validates, and its output becomes the value. */
export function createStandardSchemaValidator(
  source: StandardSchema,
  getRoot: () => SchemaNode,
  correct: boolean,
): Validate {
  let converted: { readonly root: SchemaNode | undefined; readonly isOpen: boolean } | undefined;
  const validate = (value: unknown) => source["~standard"].validate(value);
  const finish = (value: unknown, result: StandardSchemaResult): ValidationResult | Promise<ValidationResult> => {
    const { root, isOpen } = (converted ??= tryConvert(getRoot));
    // Most libraries drop unknown properties silently; the JSON Schema of the library's schema rejects them.
    if (root) root.budget.remaining = MAX_REFERENCES;
    if (!result.issues && (isOpen || root?.accepts(value)))
      return { ok: true, value: result.value, corrections: NO_CORRECTIONS };
    return import("./invalid-value.js").then(({ handleInvalidValue }) =>
      handleInvalidValue({ value, result, validate, correct, root }),
    );
  };
  return (value) => {
    const result = validate(value);
    // A promise may come from another realm.
    return "then" in result ? Promise.resolve(result).then((later) => finish(value, later)) : finish(value, result);
  };
}

/** A schema without a JSON Schema form can still validate; only listing it fails. */
function tryConvert(getRoot: () => SchemaNode): { root: SchemaNode | undefined; isOpen: boolean } {
  try {
    const root = getRoot();
    return { root, isOpen: !someDescendant(root, (node) => node.isClosed) };
  } catch {
    return { root: undefined, isOpen: true };
  }
}
