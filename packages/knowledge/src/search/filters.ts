import { ToolError } from "@toolwright/engine";
import type { Sql, SqlValue } from "@toolwright/kit/storage";
import type { View, ViewedSegment } from "./views.js";
import type { Filters } from "./wish.js";

/** Says which rows of a segment filters allow; undefined = all that are alive. */
export type AllowedRows = (segment: ViewedSegment) => Uint8Array | undefined;

/** Asks the database which documents of a version filters allow. */
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
  const demand = (text: string, ...given: SqlValue[]): void => {
    conditions.push(text);
    values.push(...given);
  };
  if (kinds !== undefined)
    demand(
      kinds.length === 0 ? "1 = 0" : `r.kind IN (${kinds.map(() => "?").join(", ")})`,
      ...kinds.map((kind) => kind.toLowerCase()),
    );
  if (range?.start !== undefined) demand("coalesce(r.modified_at, r.created_at) >= ?", toTime(range.start, "start"));
  if (range?.end !== undefined) demand("coalesce(r.modified_at, r.created_at) <= ?", toTime(range.end, "end"));
  if (conditions.length === 0 && pairs.length === 0) return undefined;
  const rows = await sql.all(
    `SELECT r.id, r.metadata FROM members m JOIN revisions r ON r.id = m.revision
     WHERE ${["m.collection = ?", "m.version = ?", ...conditions].join(" AND ")}`,
    view.chosen.collection,
    view.chosen.version,
    ...values,
  );
  const fitting = pairs.length === 0 ? rows : rows.filter((row) => says(String(row["metadata"]), pairs));
  return new Set(fitting.map((row) => Number(row["id"])));
}

/** Whether a document says all of it of itself. */
function says(metadata: string, pairs: readonly (readonly [string, string])[]): boolean {
  const said = JSON.parse(metadata) as Readonly<Record<string, string>>;
  return pairs.every(([key, wanted]) => {
    const value = said[key];
    return value === wanted || value?.split(",").some((one) => one.trim() === wanted) === true;
  });
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day or a time as the database has it. */
function toTime(given: string, end: "start" | "end"): string {
  const time = new Date(DAY.test(given) && end === "end" ? `${given}T23:59:59.999Z` : given);
  if (!/^\d{4}-/.test(given) || Number.isNaN(time.getTime()))
    throw new ToolError(
      `Cannot filter by date_range.${end} ${JSON.stringify(given)}: it is no date. Write it like 2026-03-31 or 2026-03-31T12:00:00Z.`,
      { code: "INVALID_ARGUMENT" },
    );
  return time.toISOString();
}
