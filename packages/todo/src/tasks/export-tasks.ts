import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { TASK_COLUMNS, toTaskRecord } from "../store/rows.js";
import { type FolderLookup, unsettle } from "./done-check.js";
import type { TaskRecord } from "./task.js";

/** Which part of the tasks is written out. */
export interface ExportWish {
  /** Goes on behind this id. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Gives the folder from which done-conditions are told that lie below it; undefined = they stay as they are. */
  readonly folder?: FolderLookup | undefined;
}

/** Tasks as lines of JSON, in the order of their ids. */
export interface Exported {
  readonly lines: readonly string[];
  /** The id to go on behind; undefined = that was all. */
  readonly next_after?: string;
}

/**
 * Writes tasks out, a line each with its fields in a fixed order: what two people change in different tasks merges without a
 * conflict.
 */
export async function exportTasks(desk: Desk, { after = "", limit, folder }: ExportWish): Promise<Exported> {
  const ledger = await desk.ledger();
  const { records, blockers } = await ledger.read(async (sql) => {
    const text = `SELECT ${TASK_COLUMNS.join(", ")} FROM tasks WHERE id > ? ORDER BY id LIMIT ?`;
    return { records: (await sql.all(text, after, limit + 1)).map(toTaskRecord), blockers: await blockersOf(sql) };
  });
  const page = records.slice(0, limit);
  const last = page.at(-1);
  const from = page.some(({ done_when: check }) => check !== null) ? await folder?.() : undefined;
  return {
    lines: page.map((task) => JSON.stringify({ ...toldFrom(task, from), blocked_by: blockers.get(task.id) ?? [] })),
    ...(records.length > limit && last !== undefined && { next_after: last.id }),
  };
}

function toldFrom(task: TaskRecord, folder: string | undefined): TaskRecord {
  const { done_when: check } = task;
  return check === null || folder === undefined ? task : { ...task, done_when: unsettle(check, folder) };
}

async function blockersOf(sql: Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const row of await sql.all("SELECT task_id, blocked_by_id FROM blockers ORDER BY task_id, blocked_by_id")) {
    const task = String(row["task_id"]);
    found.set(task, [...(found.get(task) ?? []), String(row["blocked_by_id"])]);
  }
  return found;
}

/** The id of the task in a line. */
export const idOf = (line: string): string => (JSON.parse(line) as { readonly id: string }).id;
