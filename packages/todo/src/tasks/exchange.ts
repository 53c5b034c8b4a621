import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import { ChangeSet } from "../store/change-set.js";
import { TASK_COLUMNS, toTaskRecord } from "../store/rows.js";
import type { TodoContext } from "../todo-context.js";
import { findCycles } from "./cycles.js";
import { type FolderLookup, isAbsolute, toAbsolute, toRelative } from "./done-condition.js";
import { changedFields } from "./history.js";
import type { TaskRecord } from "./task.js";
import { laterThan } from "./task-changes.js";
import { type ImportedLine, type LineError, parseTaskLines } from "./task-lines.js";

/** The options of `exportTasks`. */
export interface ExportOptions {
  /** Continues after this id. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** The folder to which done-conditions are made relative. Default: they stay absolute. */
  readonly folder?: FolderLookup | undefined;
}

/** Tasks as lines of JSON, by id. */
export interface ExportedPage {
  readonly lines: readonly string[];
  /** The id after which the next page begins; undefined = this was the last page. */
  readonly next_after?: string;
}

/** Writes each task as a line with its fields in a fixed order, so that git merges changes to different tasks without a conflict. */
export async function exportTasks(
  todo: TodoContext,
  { after = "", limit, folder }: ExportOptions,
): Promise<ExportedPage> {
  const store = await todo.store();
  const { records, blockers } = await store.read(async (sql) => {
    const text = `SELECT ${TASK_COLUMNS.join(", ")} FROM tasks WHERE id > ? ORDER BY id LIMIT ?`;
    return { records: (await sql.all(text, after, limit + 1)).map(toTaskRecord), blockers: await readBlockers(sql) };
  });
  const page = records.slice(0, limit);
  const last = page.at(-1);
  const base = page.some(({ done_when: condition }) => condition !== null) ? await folder?.() : undefined;
  const lines = page.map((task) => {
    const { done_when: condition } = task;
    const relative = condition === null || base === undefined ? condition : toRelative(condition, base);
    return JSON.stringify({ ...task, done_when: relative, blocked_by: blockers.get(task.id) ?? [] });
  });
  return { lines, ...(records.length > limit && last !== undefined && { next_after: last.id }) };
}

/** The ids of the tasks that block each task. */
async function readBlockers(sql: Sql): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const row of await sql.all("SELECT task_id, blocked_by_id FROM blockers ORDER BY task_id, blocked_by_id")) {
    const task = String(row["task_id"]);
    const ids = found.get(task);
    if (ids === undefined) found.set(task, [String(row["blocked_by_id"])]);
    else ids.push(String(row["blocked_by_id"]));
  }
  return found;
}

/** Which task stays if an imported one exists already: the newer one, the imported one, or the existing one. */
const CONFLICT_RULES = ["newer", "replace", "keep"] as const;

type ConflictRule = (typeof CONFLICT_RULES)[number];

/** The options of `importTasks`. */
export interface ImportOptions {
  /** Lines as `exportTasks` writes them. */
  readonly text: string;
  /** Default: `newer`. */
  readonly on_conflict?: ConflictRule | undefined;
  /** Only counts what would change. */
  readonly dry_run?: boolean | undefined;
  /** The folder to which done-conditions are relative. Default: they stay as they are. */
  readonly folder?: FolderLookup | undefined;
  readonly actor?: string | undefined;
}

/** The result of an import. */
export interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Existing tasks that differ from their line and were kept. */
  readonly kept: number;
  readonly dry_run: boolean;
}

/** Imports all lines, or none. Throws a `ToolError` that names the invalid lines. */
export async function importTasks(todo: TodoContext, options: ImportOptions): Promise<Imported> {
  const { lines: parsed, errors } = await parseTaskLines(options.text);
  if (errors.length > 0) throw invalidLines(errors);
  const needsFolder = parsed.some(({ task: { done_when: condition } }) => condition !== null && !isAbsolute(condition));
  const folder = needsFolder ? await options.folder?.() : undefined;
  const lines = parsed.map((line) => withAbsoluteCondition(line, folder));
  const store = await todo.store();
  const attribution = todo.attribution(options.actor, "imported");
  const rule = options.on_conflict ?? "newer";
  const isDryRun = options.dry_run === true;
  try {
    return await store.write(async (sql) => {
      const records = (await sql.all("SELECT * FROM tasks")).map(toTaskRecord);
      const existing = new Map(records.map((task) => [task.id, task]));
      const blockers = await readBlockers(sql);
      const accepted = lines
        .filter(({ task }) => isAccepted(task, existing.get(task.id), rule))
        .map((line) => withExistingBlockers(line, existing.get(line.task.id), blockers, rule));
      const cycles = await checkLinks(accepted, existing, blockers);
      if (cycles.length > 0) throw invalidLines(cycles);
      const counts = await writeLines(new ChangeSet(sql, attribution), accepted, existing, blockers);
      const imported = { ...counts, kept: lines.length - accepted.length, dry_run: isDryRun };
      if (isDryRun) throw new DryRun(imported);
      return imported;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.imported;
    throw error;
  }
}

/** Rolls back the transaction of a dry run. */
class DryRun extends ToolError {
  readonly imported: Imported;

  constructor(imported: Imported) {
    super("The import was a dry run.");
    this.imported = imported;
  }
}

function withAbsoluteCondition(line: ImportedLine, folder: string | undefined): ImportedLine {
  const { done_when: condition } = line.task;
  if (condition === null || folder === undefined || isAbsolute(condition)) return line;
  return { ...line, task: { ...line.task, done_when: toAbsolute(condition, folder) } };
}

function isAccepted(task: TaskRecord, existing: TaskRecord | undefined, rule: ConflictRule): boolean {
  if (existing === undefined || rule === "replace") return true;
  return rule === "newer" && task.updated_at >= existing.updated_at;
}

/** Adding a blocker does not change `updated_at`, so the blockers of two equally new versions are combined. */
function withExistingBlockers(
  line: ImportedLine,
  existing: TaskRecord | undefined,
  blockers: ReadonlyMap<string, readonly string[]>,
  rule: ConflictRule,
): ImportedLine {
  if (rule === "replace" || existing?.updated_at !== line.task.updated_at) return line;
  return { ...line, blocked_by: [...new Set([...(blockers.get(line.task.id) ?? []), ...line.blocked_by])] };
}

/** The errors of lines that name unknown tasks or close a cycle, with each other or with existing tasks. */
async function checkLinks(
  lines: readonly ImportedLine[],
  existing: ReadonlyMap<string, TaskRecord>,
  blockers: ReadonlyMap<string, readonly string[]>,
): Promise<readonly LineError[]> {
  const byId = new Map(lines.map((line) => [line.task.id, line]));
  const parentOf = (id: string): readonly string[] => {
    const parent = (byId.get(id)?.task ?? existing.get(id))?.parent_id ?? null;
    return parent === null ? [] : [parent];
  };
  const blockersOf = (id: string): readonly string[] => byId.get(id)?.blocked_by ?? blockers.get(id) ?? [];
  const starts = [...byId.keys()];
  const cycles = new Set([...(await findCycles(starts, parentOf)), ...(await findCycles(starts, blockersOf))]);
  return lines.flatMap(({ line, task, blocked_by: blockedBy }) => {
    const unknown = [...parentOf(task.id), ...blockedBy].find((id) => !byId.has(id) && !existing.has(id));
    if (unknown !== undefined) return [{ line, message: `unknown task ${unknown}` }];
    return cycles.has(task.id) ? [{ line, message: `${task.id} would close a cycle` }] : [];
  });
}

type Counts = Pick<Imported, "created" | "updated" | "unchanged">;

async function writeLines(
  changes: ChangeSet,
  lines: readonly ImportedLine[],
  existing: ReadonlyMap<string, TaskRecord>,
  blockers: ReadonlyMap<string, readonly string[]>,
): Promise<Counts> {
  const outcomes = new Map<string, keyof Counts>();
  for (const { task } of parentsFirst(lines))
    outcomes.set(task.id, await writeTask(changes, existing.get(task.id), task));
  // All removals come first: an added blocker could close a cycle with one that is removed.
  for (const step of ["remove", "add"] as const)
    for (const line of lines) {
      const hasChanged = await writeBlockers(changes, line, blockers.get(line.task.id) ?? [], step);
      if (hasChanged && outcomes.get(line.task.id) === "unchanged") outcomes.set(line.task.id, "updated");
    }
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const outcome of outcomes.values()) counts[outcome] += 1;
  return counts;
}

/** Sorts lines so that parents come before their subtasks. */
function parentsFirst(lines: readonly ImportedLine[]): Iterable<ImportedLine> {
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
  return ordered;
}

async function writeTask(
  changes: ChangeSet,
  existing: TaskRecord | undefined,
  task: TaskRecord,
): Promise<keyof Counts> {
  if (existing === undefined) {
    await changes.insert(task, "imported");
    return "created";
  }
  // A version that somebody has seen must never stand for another state of the task.
  const version = Math.max(task.version, existing.version + 1);
  const isNewer = task.updated_at > existing.updated_at || task.version > existing.version;
  if (!isNewer && changedFields(task, existing).length === 0) return "unchanged";
  const updated_at =
    task.updated_at >= existing.updated_at ? task.updated_at : laterThan(existing.updated_at, task.updated_at);
  await changes.replace(existing, { ...task, version, updated_at }, "imported");
  return "updated";
}

/** Removes or adds the blockers in which a line differs from the existing task. Returns whether anything changed. */
async function writeBlockers(
  changes: ChangeSet,
  { task, blocked_by: wanted }: ImportedLine,
  existing: readonly string[],
  step: "remove" | "add",
): Promise<boolean> {
  const [from, without] = step === "add" ? [wanted, new Set(existing)] : [existing, new Set(wanted)];
  const changed = from.filter((by) => !without.has(by));
  for (const by of changed) {
    const blocker = { task_id: task.id, blocked_by_id: by };
    await (step === "add" ? changes.addBlocker(blocker) : changes.removeBlocker(blocker));
  }
  return changed.length > 0;
}

const MAX_ERRORS = 20;

function invalidLines(errors: readonly LineError[]): ToolError {
  const shown = errors.slice(0, MAX_ERRORS).map(({ line, message }) => `line ${line}: ${message}`);
  const more = errors.length > MAX_ERRORS ? `; and ${errors.length - MAX_ERRORS} more` : "";
  return new ToolError(`Cannot import the tasks; nothing was changed: ${shown.join("; ")}${more}.`, {
    code: "INVALID_ARGUMENT",
    details: { errors: errors.slice(0, MAX_ERRORS).map((error) => ({ ...error })) },
  });
}
