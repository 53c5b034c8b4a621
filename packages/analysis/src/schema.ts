import { type Call, Content, type JsonObject, text } from "@toolwright/engine";
import { CURSOR } from "@toolwright/kit/pack";
import { toolProgress } from "@toolwright/kit/progress";
import type { AnalysisCall } from "./project/project.js";

/** A string. */
export const STRING = { type: "string" } as const;
/** A whole number from 0. */
export const COUNT = { type: "integer", minimum: 0 } as const;
/** The same value, where the files that it names begin with `./`, in members called `name`. */
export function withDotPaths<Value>(value: Value, name: "file" | "path"): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => withDotPaths(item, name)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const isPlain = key === name && typeof member === "string" && !/^(?:\.{0,2}\/|\.$)/.test(member);
    return [key, isPlain ? `./${member}` : withDotPaths(member, name)];
  });
  return Object.fromEntries(members) as Value;
}

/** A number from 0. */
export const AMOUNT = { type: "number", minimum: 0 } as const;
/** True or false. */
export const BOOLEAN = { type: "boolean" } as const;
/** A list of strings. */
export const STRINGS = { type: "array", items: STRING } as const;

/** The schema of an array of objects. */
export const listOf = <const Properties extends object, const Required extends readonly (keyof Properties & string)[]>(
  properties: Properties,
  required: Required,
) => ({ type: "array", items: { type: "object", properties, required } }) as const;

/** The input property for what is analyzed. */
export const PATH = { type: "string", default: ".", description: "Folder or file" } as const;
/** The input property that selects files. */
export const INCLUDE = { ...STRINGS, description: "Globs, such as src/**" } as const;
/** The input property that leaves files out. */
export const EXCLUDE = { ...STRINGS, description: "Globs to exclude" } as const;

/** The input property for a period of the git history. */
export const period = <const Days extends number>(days: Days) =>
  ({ type: "integer", minimum: 1, maximum: 3650, default: days, description: "Days of git history" }) as const;

/** The input properties of a page. */
export const page = <const Limit extends number>(limit: Limit, maximum: number, unit: string) =>
  ({
    limit: { type: "integer", minimum: 1, maximum, default: limit, description: `Maximum ${unit}` },
    cursor: CURSOR,
  }) as const;

/** Accepts `offset`, the argument of earlier versions, in place of `cursor`. */
export function acceptOffset({ offset, ...input }: JsonObject): JsonObject {
  if (typeof offset === "number" && input["cursor"] === undefined) return { ...input, cursor: `${offset}` };
  return { ...input, ...(offset !== undefined && { offset }) };
}

/** Accepts a count that is a fraction, such as 7.5 days, and rounds it up. */
export function roundUp(input: JsonObject, name: string): JsonObject {
  const value = input[name];
  return typeof value === "number" ? { ...input, [name]: Math.ceil(value) } : input;
}

/** A result with a text and the same as structured content. */
export const toContent = (written: string, value: object): Content => new Content([text(written)], value as JsonObject);

/** The call of a tool as analyses need it. */
export const toAnalysisCall = (call: Call): AnalysisCall => ({
  signal: call.signal,
  supports: (feature) => call.supports(feature),
  roots: () => call.roots(),
  onProgress: toolProgress(call),
});
