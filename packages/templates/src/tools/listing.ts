import type { Json } from "@toolwright/engine";
import { fitToBudget, sizeInJson } from "@toolwright/kit/files";
import { nextOffset, offsetOf } from "@toolwright/kit/pack";
import type { TemplateParameter } from "../format/template.js";
import type { Entry } from "../library/library.js";

/** The maximum size of a list in JSON. */
const MAX_LIST_BYTES = 40_000;
/** The summary of all built-in templates fits in one page. */
const MAX_SUMMARY_BYTES = 58_000;

/** What a list has of each template: a summary, also its file and the types of its parameters, or also their JSON Schema. */
export type Detail = "summary" | "full" | "schema";

interface Measured {
  readonly listed: ReturnType<typeof describe>;
  readonly size: number;
}

// Entries are immutable and lists are long: each entry is described and measured once.
const cache: Readonly<Record<Detail, WeakMap<Entry, Measured>>> = {
  summary: new WeakMap(),
  full: new WeakMap(),
  schema: new WeakMap(),
};

/** Returns a template as lists show it. */
export const toListed = (entry: Entry, detail: Detail) => measure(entry, detail).listed;

/** Returns a page of templates: as many as fit, but at least one, and the cursor of the next page. */
export function listPage(entries: readonly Entry[], { detail, cursor, limit = entries.length }: PageOptions) {
  const start = offsetOf(cursor);
  const page = entries.slice(start, start + Math.max(1, limit));
  let left = detail === "summary" ? MAX_SUMMARY_BYTES : MAX_LIST_BYTES;
  const end = page.findIndex((entry) => {
    left -= measure(entry, detail).size;
    return left < 0;
  });
  const templates = page.slice(0, end === -1 ? undefined : Math.max(1, end)).map((entry) => toListed(entry, detail));
  return { templates, ...nextOffset(start + templates.length, entries.length) };
}

/** Which part of a list is wanted. */
export interface PageOptions {
  readonly detail: Detail;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** The first values that fit in a result, but at least one. */
export const fitToResult = <Value>(values: readonly Value[], room = MAX_LIST_BYTES): Value[] =>
  fitToBudget(values, room);

function measure(entry: Entry, detail: Detail): Measured {
  const known = cache[detail].get(entry);
  if (known !== undefined) return known;
  const listed = describe(entry, detail);
  const measured = { listed, size: sizeInJson(listed) + 1 };
  cache[detail].set(entry, measured);
  return measured;
}

function describe(entry: Entry, detail: Detail) {
  const { uri, name, description, category, toolchain, variant, origin, source, schema } = entry;
  return {
    uri,
    name,
    description,
    category,
    toolchain,
    variant,
    ...(detail !== "summary" && { filename: source.filename, origin }),
    parameters: source.parameters.map((parameter) => describeParameter(parameter, detail)),
    ...(detail === "schema" && { schema }),
  };
}

function describeParameter({ name, type, required = false, default: fallback }: TemplateParameter, detail: Detail) {
  if (detail === "summary") return { name, ...(required && { required }) };
  const jsonType = type === "enum" ? "string" : type;
  return { name, type: jsonType, required, ...(fallback !== undefined && { default: fallback as Json }) };
}
