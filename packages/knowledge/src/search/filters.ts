import { ToolError } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { Sql, SqlValue } from "@toolwright/kit/storage";
import { CHUNK_TYPES } from "../chunks/passage.js";
import { DOCUMENT_KINDS } from "../documents/reading.js";
import type { Filters } from "./search-types.js";
import type { View, ViewedSegment } from "./views.js";

/** Returns the rows of a segment that filters allow: one byte per row. Undefined: all live rows. */
export type AllowedRows = (segment: ViewedSegment) => Uint8Array | undefined;

/** Reads which documents of a version the filters allow. */
export async function readFilters(sql: Sql, view: View, filters: Filters | undefined): Promise<AllowedRows> {
  const types = filters?.chunk_types;
  const revisions = filters === undefined ? undefined : await allowedRevisions(sql, view, filters);
  if (revisions === undefined && types === undefined) return () => undefined;
  return ({ alive, columns }) => {
    const wanted = types && columns.types.map((type) => types.includes(type));
    return alive.map((byte, row) => {
      if (byte === 0 || (wanted !== undefined && wanted[columns.type[row] as number] !== true)) return 0;
      return revisions === undefined || revisions.has(columns.revision[row] as number) ? 1 : 0;
    });
  };
}

async function allowedRevisions(sql: Sql, view: View, filters: Filters): Promise<ReadonlySet<number> | undefined> {
  const { document_types: kinds, date_range: range, metadata } = filters;
  const pairs = Object.entries(metadata ?? {});
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const require = (text: string, ...added: SqlValue[]): void => {
    conditions.push(text);
    values.push(...added);
  };
  if (kinds !== undefined)
    require(kinds.length === 0 ? "1 = 0" : `r.kind IN (${kinds.map(() => "?").join(", ")})`, ...kinds.map((kind) =>
      kind.toLowerCase(),
    ));
  if (range?.start !== undefined) require("coalesce(r.modified_at, r.created_at) >= ?", toTime(range.start, "start"));
  if (range?.end !== undefined) require("coalesce(r.modified_at, r.created_at) <= ?", toTime(range.end, "end"));
  if (conditions.length === 0 && pairs.length === 0) return undefined;
  const rows = await sql.all(
    `SELECT r.id, r.metadata FROM members m JOIN revisions r ON r.id = m.revision
     WHERE ${["m.collection = ?", "m.version = ?", ...conditions].join(" AND ")}`,
    view.chosen.collection,
    view.chosen.version,
    ...values,
  );
  const fitting = pairs.length === 0 ? rows : rows.filter((row) => matchesMetadata(String(row["metadata"]), pairs));
  return new Set(fitting.map((row) => Number(row["id"])));
}

/** Whether the metadata of a document contains all pairs. A list matches if it contains the value. */
function matchesMetadata(metadata: string, pairs: readonly (readonly [string, string])[]): boolean {
  const metadataValues = JSON.parse(metadata) as Readonly<Record<string, string>>;
  return pairs.every(([key, wanted]) => {
    const value = metadataValues[key];
    return value === wanted || value?.split(",").some((one) => one.trim() === wanted) === true;
  });
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Converts a date or a time to the format of the database. */
function toTime(values: string, end: "start" | "end"): string {
  const time = new Date(DAY.test(values) && end === "end" ? `${values}T23:59:59.999Z` : values);
  if (!/^\d{4}-/.test(values) || Number.isNaN(time.getTime()))
    throw new ToolError(
      `Cannot filter by date_range.${end} ${JSON.stringify(values)}: it is not a date. Use a form like 2026-03-31 or 2026-03-31T12:00:00Z.`,
      { code: "INVALID_ARGUMENT" },
    );
  return time.toISOString();
}

const isText = (value: unknown): boolean => typeof value === "string";
const isKinds = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => DOCUMENT_KINDS.some((kind) => kind === String(each).toLowerCase()));
const isTypes = (value: unknown): boolean => Array.isArray(value) && value.every((each) => CHUNK_TYPES.includes(each));
const isTextsByName = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

/** The check of each filter, and the form that an error message names. */
const RULES: Readonly<Record<keyof Filters, readonly [isGood: (value: unknown) => boolean, form: string]>> = {
  document_types: [isKinds, `a list of some of ${DOCUMENT_KINDS.join(", ")}`],
  chunk_types: [isTypes, `a list of some of ${CHUNK_TYPES.join(", ")}`],
  date_range: [
    (value) => isTextsByName(value) && Object.keys(value as object).every((key) => /^(?:start|end)$/.test(key)),
    '{"start": "2026-03-01", "end": "2026-03-31"}, or one of them',
  ],
  metadata: [isTextsByName, 'an object of strings, such as {"author": "Jane Doe"}'],
  min_score: [(value) => typeof value === "number", "a number"],
};

/** The names of all filters. */
export const FILTER_NAMES: readonly string[] = Object.keys(RULES);

/** Validates filters. The input schemas of the tools only describe them, to save tokens. */
export function parseFilters(input: unknown): Filters | undefined {
  if (input === undefined) return undefined;
  const entries = typeof input === "object" && input !== null ? Object.entries(input) : [["", input] as const];
  for (const [name, value] of entries) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof Filters] : undefined;
    if (rule?.[0](value)) continue;
    throw new ToolError(
      rule === undefined
        ? `Unknown filter ${JSON.stringify(name.slice(0, 100))}. The filters are ${FILTER_NAMES.join(", ")}.`
        : `The filter ${name} must be ${rule[1]}.`,
      { code: "INVALID_ARGUMENT", details: { argument: `filters.${name.slice(0, 100)}` } },
    );
  }
  return input as Filters;
}
