import type { JsonObject } from "../jsonrpc/json.js";

/** What a Standard Schema says of a value: its output, or what is wrong. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One fault in the words of the library. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Writes one side of a schema as JSON Schema in some dialect. */
type Writer = (options: { readonly target: string }) => Record<string, unknown>;

/** A schema of zod, Valibot, ArkType or any other library that follows Standard Schema version 1. */
export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly jsonSchema?: { readonly input: Writer; readonly output?: Writer | undefined } | undefined;
  };
}

/** Tells a Standard Schema from a plain JSON Schema. */
export function isStandardSchema(source: unknown): source is StandardSchema {
  // ArkType's schemas are functions.
  if ((typeof source !== "object" && typeof source !== "function") || source === null) return false;
  const standard = (source as Partial<StandardSchema>)["~standard"];
  return typeof standard === "object" && standard !== null && typeof standard.validate === "function";
}

/** Has the library write one side of its schema as JSON Schema, in the newest dialect it can. */
export function toJsonSchema(source: StandardSchema, side: "input" | "output"): JsonObject {
  const { jsonSchema, vendor } = source["~standard"];
  // Called as a method, for a library may keep its state in the object.
  const write = (target: string) => jsonSchema?.[side]?.({ target }) as JsonObject;
  if (!jsonSchema?.[side])
    throw new TypeError(
      `Cannot read the schema: ${vendor} cannot write it as JSON Schema; wrap it with the library's converter, or give a JSON Schema`,
    );
  try {
    return write("draft-2020-12");
  } catch (error) {
    try {
      return write("draft-07");
    } catch {
      const reason = error instanceof Error ? error.message : String(error);
      throw new TypeError(`Cannot read the schema: ${vendor} cannot write it as JSON Schema: ${reason}`, {
        cause: error,
      });
    }
  }
}

/** Goes on with a verdict, at once where the library gave it at once; its promises need not be this realm's. */
export function whenJudged<Next>(
  result: StandardResult | Promise<StandardResult>,
  go: (result: StandardResult) => Next | Promise<Next>,
): Next | Promise<Next> {
  return "then" in result ? Promise.resolve(result).then(go) : go(result);
}
