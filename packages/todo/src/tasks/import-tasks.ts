import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { Deed } from "../store/deed.js";
import { toTaskRecord } from "../store/rows.js";
import { type FolderLookup, isSettled, settle } from "./done-check.js";
import { differences } from "./history.js";
import { type ImportedLine, type LineFault, readLines } from "./imported-lines.js";
import { parentsFirst, refuseCircles } from "./imported-order.js";
import { laterThan } from "./next-version.js";
import type { TaskRecord } from "./task.js";

/** What is taken in. */
export interface ImportWish {
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
export async function importTasks(desk: Desk, wish: ImportWish): Promise<Imported> {
  const { lines: read, faults } = readLines(wish.text);
  if (faults.length > 0) throw wrongLines(faults);
  const isOpen = read.some(({ task: { done_when: check } }) => check !== null && !isSettled(check));
  const folder = isOpen ? await wish.folder?.() : undefined;
  const lines = read.map((line) => settled(line, folder));
  const ledger = await desk.ledger();
  const doer = desk.doer(wish.actor, "imported");
  const rule = wish.on_conflict ?? "newer";
  const work = async (sql: Sql): Promise<Imported> => {
    const known = new Map((await sql.all("SELECT * FROM tasks")).map((row) => [String(row["id"]), toTaskRecord(row)]));
    const waiting = await waits(sql);
    const wanted = lines
      .filter((line) => wins(line, known.get(line.task.id), rule))
      .map((line) => withBlockersThere(line, known.get(line.task.id), waiting, rule));
    const wrong = refuseCircles(wanted, known, waiting);
    if (wrong.length > 0) throw wrongLines(wrong);
    const counts = await putAll(new Deed(sql, doer), wanted, known, waiting);
    const imported = { ...counts, kept: lines.length - wanted.length, dry_run: wish.dry_run === true };
    if (wish.dry_run === true) throw new Rehearsal(imported);
    return imported;
  };
  try {
    return await ledger.write(work);
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
  deed: Deed,
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
  deed: Deed,
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
  deed: Deed,
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

/** Which tasks each one waits for. */
async function waits(sql: Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const row of await sql.all("SELECT task_id, blocked_by_id FROM blockers")) {
    const task = String(row["task_id"]);
    found.set(task, [...(found.get(task) ?? []), String(row["blocked_by_id"])]);
  }
  return found;
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
