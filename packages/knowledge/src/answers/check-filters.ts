import { ToolError } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { CHUNK_TYPES } from "../chunks/passage.js";
import { DOCUMENT_KINDS } from "../documents/reading.js";
import type { Filters } from "../search/wish.js";

const isText = (value: unknown): boolean => typeof value === "string";
const isKinds = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => DOCUMENT_KINDS.some((kind) => kind === String(each).toLowerCase()));
const isTypes = (value: unknown): boolean => Array.isArray(value) && value.every((each) => CHUNK_TYPES.includes(each));
const isTextsByName = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

/** What each filter has to be, and how that is said. */
const RULES: Readonly<Record<keyof Filters, readonly [isGood: (value: unknown) => boolean, form: string]>> = {
  document_types: [isKinds, `a list of some of ${DOCUMENT_KINDS.join(", ")}`],
  chunk_types: [isTypes, `a list of some of ${CHUNK_TYPES.join(", ")}`],
  date_range: [
    (value) => isTextsByName(value) && Object.keys(value as object).every((key) => /^(?:start|end)$/.test(key)),
    '{"start": "2026-03-01", "end": "2026-03-31"}, or one of them',
  ],
  metadata: [isTextsByName, 'texts by name, such as {"author": "Jane Doe"}'],
  min_score: [(value) => typeof value === "number", "a number"],
};

/** What can be filtered by. */
export const FILTER_NAMES: readonly string[] = Object.keys(RULES);

/** Reads filters whose form no schema has told, so that it is not told to every client several times. */
export function checkFilters(given: unknown): Filters | undefined {
  if (given === undefined) return undefined;
  const entries = typeof given === "object" && given !== null ? Object.entries(given) : [["", given] as const];
  for (const [name, value] of entries) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof Filters] : undefined;
    if (rule?.[0](value)) continue;
    const known = `"filters" takes ${FILTER_NAMES.join(", ")}.`;
    throw new ToolError(
      rule === undefined
        ? `There is no filter ${JSON.stringify(name.slice(0, 100))}: ${known}`
        : `Cannot use the filter ${name}: it has to be ${rule[1]}.`,
      { code: "INVALID_ARGUMENT", details: { argument: `filters.${name.slice(0, 100)}` } },
    );
  }
  return given as Filters;
}
