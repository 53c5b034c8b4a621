import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import { ChangeSet } from "../store/change-set.js";
import { TASK_COLUMNS, toTaskRecord } from "../store/rows.js";
import type { TodoContext } from "../todo-context.js";
import { type FolderLookup, isSettled, settle, unsettle } from "./done-condition.js";
import { differences } from "./history.js";
import type { TaskRecord } from "./task.js";
import { laterThan } from "./task-changes.js";
import { type ImportedLine, type LineFault, readLines } from "./task-lines.js";

/** Which part of the tasks is written out. */
export interface ExportOptions {
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
export async function exportTasks(todo: TodoContext, { after = "", limit, folder }: ExportOptions): Promise<Exported> {
  const store = await todo.store();
  const { records, blockers } = await store.read(async (sql) => {
    const text = `SELECT ${TASK_COLUMNS.join(", ")} FROM tasks WHERE id > ? ORDER BY id LIMIT ?`;
    return { records: (await sql.all(text, after, limit + 1)).map(toTaskRecord), blockers: await readBlockers(sql) };
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

/** The ids of the tasks that block each task. */
async function readBlockers(sql: Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const row of await sql.all("SELECT task_id, blocked_by_id FROM blockers ORDER BY task_id, blocked_by_id")) {
    const task = String(row["task_id"]);
    found.set(task, [...(found.get(task) ?? []), String(row["blocked_by_id"])]);
  }
  return found;
}

/** The id of the task in a line. */
export const idOf = (line: string): string => (JSON.parse(line) as { readonly id: string }).id;

/** What is taken in. */
export interface ImportOptions {
  /** Lines as `exportTasks` writes them. */
  readonly text: string;
  /** Where a task is there already: the one that was changed last stays, or that of the lines, or the one that is there. */
  readonly on_conflict?: "newer" | "replace" | "keep" | undefined;
  /** Says what would be done, and does nothing. */
  readonly dry_run?: boolean | undefined;
  /** Gives the folder from which done-conditions of the lines are told; undefined = they stay as they are. */
  readonly folder?: FolderLookup | undefined;
  readonly actor?: string | undefined;
}

/** What became of the lines. */
export interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Tasks that stayed as they are, though the lines have them otherwise. */
  readonly kept: number;
  readonly dry_run: boolean;
}

/** Takes tasks in: all lines or none. Throws with the numbers of the lines that are wrong. */
export async function importTasks(todo: TodoContext, options: ImportOptions): Promise<Imported> {
  const { lines: read, faults } = readLines(options.text);
  if (faults.length > 0) throw wrongLines(faults);
  const isOpen = read.some(({ task: { done_when: check } }) => check !== null && !isSettled(check));
  const folder = isOpen ? await options.folder?.() : undefined;
  const lines = read.map((line) => settled(line, folder));
  const store = await todo.store();
  const attribution = todo.attribution(options.actor, "imported");
  const rule = options.on_conflict ?? "newer";
  const work = async (sql: Sql): Promise<Imported> => {
    const known = new Map((await sql.all("SELECT * FROM tasks")).map((row) => [String(row["id"]), toTaskRecord(row)]));
    const waiting = await readBlockers(sql);
    const wanted = lines
      .filter((line) => wins(line, known.get(line.task.id), rule))
      .map((line) => withBlockersThere(line, known.get(line.task.id), waiting, rule));
    const wrong = refuseCircles(wanted, known, waiting);
    if (wrong.length > 0) throw wrongLines(wrong);
    const counts = await putAll(new ChangeSet(sql, attribution), wanted, known, waiting);
    const imported = { ...counts, kept: lines.length - wanted.length, dry_run: options.dry_run === true };
    if (options.dry_run === true) throw new Rehearsal(imported);
    return imported;
  };
  try {
    return await store.write(work);
  } catch (error) {
    if (error instanceof Rehearsal) return error.imported;
    throw error;
  }
}

/** Ends a transaction that should leave nothing behind. */
class Rehearsal extends ToolError {
  readonly imported: Imported;

  constructor(imported: Imported) {
    super("The import was only tried.");
    this.imported = imported;
  }
}

type Counts = Pick<Imported, "created" | "updated" | "unchanged">;

async function putAll(
  deed: ChangeSet,
  wanted: readonly ImportedLine[],
  known: ReadonlyMap<string, TaskRecord>,
  waiting: ReadonlyMap<string, readonly string[]>,
): Promise<Counts> {
  const became = new Map<string, keyof Counts>();
  for (const { task } of parentsFirst(wanted)) became.set(task.id, await put(deed, known.get(task.id), task));
  for (const step of ["remove", "add"] as const)
    for (const line of wanted) {
      const hasChanged = await putBlockers(deed, line, waiting.get(line.task.id) ?? [], step);
      if (hasChanged && became.get(line.task.id) === "unchanged") became.set(line.task.id, "updated");
    }
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const each of became.values()) counts[each] += 1;
  return counts;
}

function settled(line: ImportedLine, folder: string | undefined): ImportedLine {
  const { done_when: check } = line.task;
  if (check === null || folder === undefined || isSettled(check)) return line;
  return { ...line, task: { ...line.task, done_when: settle(check, folder) } };
}

/** To wait for another task is no change of its moment, so of two that are equally new both are right. */
function withBlockersThere(
  line: ImportedLine,
  there: TaskRecord | undefined,
  waiting: ReadonlyMap<string, readonly string[]>,
  rule: "newer" | "replace" | "keep",
): ImportedLine {
  if (rule === "replace" || there?.updated_at !== line.task.updated_at) return line;
  return { ...line, blocked_by: [...new Set([...(waiting.get(line.task.id) ?? []), ...line.blocked_by])] };
}

function wins({ task }: ImportedLine, there: TaskRecord | undefined, rule: "newer" | "replace" | "keep"): boolean {
  if (there === undefined || rule === "replace") return true;
  return rule === "newer" && task.updated_at >= there.updated_at;
}

async function put(
  deed: ChangeSet,
  there: TaskRecord | undefined,
  task: TaskRecord,
): Promise<"created" | "updated" | "unchanged"> {
  if (there === undefined) {
    await deed.insert(task, "imported");
    return "created";
  }
  // Who has seen a version must never see another task under the same number.
  const version = Math.max(task.version, there.version + 1);
  const isNew = task.updated_at > there.updated_at || task.version > there.version;
  if (!isNew && differences(task, there).length === 0) return "unchanged";
  const updated_at =
    task.updated_at >= there.updated_at ? task.updated_at : laterThan(there.updated_at, task.updated_at);
  await deed.replace(there, { ...task, version, updated_at }, "imported");
  return "updated";
}

/** Makes a task wait for those that its line names, and for no others. Says whether something was changed. */
async function putBlockers(
  deed: ChangeSet,
  { task, blocked_by: wanted }: ImportedLine,
  there: readonly string[],
  step: "remove" | "add",
): Promise<boolean> {
  const changed =
    step === "add" ? wanted.filter((by) => !there.includes(by)) : there.filter((by) => !wanted.includes(by));
  for (const by of changed) {
    const blocker = { task_id: task.id, blocked_by_id: by };
    await (step === "add" ? deed.addBlocker(blocker) : deed.removeBlocker(blocker));
  }
  return changed.length > 0;
}

const MOST_FAULTS = 20;

function wrongLines(faults: readonly LineFault[]): ToolError {
  const words = faults.slice(0, MOST_FAULTS).map(({ line, message }) => `line ${line}: ${message}`);
  const more = faults.length > MOST_FAULTS ? `, and ${faults.length - MOST_FAULTS} more` : "";
  return new ToolError(`Cannot import the tasks, and nothing was changed: ${words.join("; ")}${more}.`, {
    code: "INVALID_ARGUMENT",
    details: { errors: faults.slice(0, MOST_FAULTS).map((fault) => ({ ...fault })) },
  });
}

/** The lines in an order in which no task comes before its parent. */
export function parentsFirst(lines: readonly ImportedLine[]): readonly ImportedLine[] {
  const byId = new Map(lines.map((line) => [line.task.id, line]));
  const ordered = new Set<ImportedLine>();
  for (const start of lines) {
    const chain: ImportedLine[] = [];
    for (
      let line: ImportedLine | undefined = start;
      line && !ordered.has(line);
      line = byId.get(line.task.parent_id ?? "")
    )
      chain.push(line);
    for (const line of chain.toReversed()) ordered.add(line);
  }
  return [...ordered];
}

/** What is wrong with lines that name tasks which are nowhere, or that close circles with each other and with what is there. */
export function refuseCircles(
  lines: readonly ImportedLine[],
  known: ReadonlyMap<string, TaskRecord>,
  waits: ReadonlyMap<string, readonly string[]>,
): readonly LineFault[] {
  const byId = new Map(lines.map((line) => [line.task.id, line]));
  const parentOf = (id: string): readonly string[] => {
    const parent = byId.get(id)?.task.parent_id ?? (byId.has(id) ? null : (known.get(id)?.parent_id ?? null));
    return parent === null ? [] : [parent];
  };
  const blockersOf = (id: string): readonly string[] => byId.get(id)?.blocked_by ?? waits.get(id) ?? [];
  return lines.flatMap(({ line, task, blocked_by: blockedBy }) => {
    const named = [...parentOf(task.id), ...blockedBy];
    const nowhere = named.find((id) => !byId.has(id) && !known.has(id));
    if (nowhere !== undefined) return [{ line, message: `it names ${nowhere}, and there is no such task` }];
    const isCircle = [parentOf, blockersOf].some((next) => reaches(task.id, next));
    return isCircle ? [{ line, message: `${task.id} would close a circle` }] : [];
  });
}

/** Whether one comes back to where one has started. */
function reaches(start: string, next: (id: string) => readonly string[]): boolean {
  const seen = new Set(next(start));
  for (const id of seen) {
    if (id === start) return true;
    for (const further of next(id)) seen.add(further);
  }
  return false;
}
