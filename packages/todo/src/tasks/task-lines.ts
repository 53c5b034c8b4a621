import { STATUSES, type TaskRecord } from "./task.js";
import { LONGEST, wholeCharacters } from "./task-changes.js";

/** A line that is to be taken in. */
export interface ImportedLine {
  readonly line: number;
  readonly task: TaskRecord;
  readonly blocked_by: readonly string[];
}

/** What is wrong with a line. */
export interface LineFault {
  readonly line: number;
  readonly message: string;
}

/** Reads lines of JSON, and says of each that is wrong what is wrong with it. */
export function readLines(text: string): {
  readonly lines: readonly ImportedLine[];
  readonly faults: readonly LineFault[];
} {
  const lines = new Map<string, ImportedLine>();
  const faults: LineFault[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const line = index + 1;
    if (raw.trim() === "") continue;
    const read = readLine(raw.trim());
    if (typeof read === "string") {
      faults.push({ line, message: read });
      continue;
    }
    const twice = lines.get(read.task.id);
    lines.set(read.task.id, twice === undefined ? { line, ...read } : newerOf(twice, { line, ...read }));
  }
  return { lines: [...lines.values()], faults };
}

/** A merge that keeps the lines of both sides leaves a task twice: the newer one holds. */
function newerOf(one: ImportedLine, other: ImportedLine): ImportedLine {
  const order = one.task.updated_at.localeCompare(other.task.updated_at) || one.task.version - other.task.version;
  const newer = order > 0 ? one : other;
  if (one.task.updated_at !== other.task.updated_at) return newer;
  // To wait for another task is no change of its moment.
  return { ...newer, blocked_by: [...new Set([...one.blocked_by, ...other.blocked_by])] };
}

/** A task, or what is wrong. */
function readLine(raw: string): Omit<ImportedLine, "line"> | string {
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(raw))
    return 'it is a mark of a merge that has a conflict; take it out, and of a task that is there twice the newer line holds (with "*.jsonl merge=union" in .gitattributes git does this by itself)';
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return `it is no JSON: ${(error as Error).message}`;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it is no object";
  const { blocked_by: blockedBy = [], ...fields } = value as Record<string, unknown>;
  if (!Array.isArray(blockedBy) || !blockedBy.every((id) => isId(id))) return "blocked_by is no list of ids";
  const task = { ...DEFAULTS, ...fields };
  const fault = Object.entries(RULES).find(([name, holds]) => !holds(task[name as keyof TaskRecord]));
  if (fault !== undefined) return `${fault[0]} is ${shown(task[fault[0] as keyof TaskRecord])}`;
  const stray = Object.keys(fields).find((name) => !(name in RULES));
  if (stray !== undefined) return `${JSON.stringify(stray)} is no field of a task`;
  const ordered = Object.keys(RULES).map((name) => {
    const field = task[name as keyof TaskRecord];
    return [name, typeof field === "string" ? wholeCharacters(field) : field];
  });
  return {
    task: Object.fromEntries(ordered) as unknown as TaskRecord,
    blocked_by: [...new Set(blockedBy as string[])],
  };
}

const shown = (value: unknown): string =>
  value === undefined ? "missing" : `${JSON.stringify(value).slice(0, 80)}, which it cannot be`;

const DEFAULTS: Readonly<Record<string, unknown>> = {
  parent_id: null,
  context: "",
  priority: 3,
  status: "pending",
  result: null,
  done_when: null,
  version: 1,
  started_at: null,
  completed_at: null,
  created_by: null,
  claimed_by: null,
  lease_until: null,
};

const isText = (most: number) => (value: unknown) =>
  typeof value === "string" && value.length <= most && !value.includes("\0");
const isId = (value: unknown): boolean => typeof value === "string" && /^task_[\da-z]{1,20}$/.test(value);
const isMoment = (value: unknown): boolean =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const isWhole = (least: number, most: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
const orNull = (holds: (value: unknown) => boolean) => (value: unknown) => value === null || holds(value);

const isPath = (value: unknown): boolean => isText(4096)(value) && value !== "";

function isCheck(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, path, command, cwd = "." } = value as Record<string, unknown>;
  if (kind === "file_exists") return isPath(path);
  const isCommand = Array.isArray(command) && command.length > 0 && command.every(isText(32_768));
  return kind === "command" && isCommand && isPath(cwd);
}

/** What each field must be, in the order in which they are written. */
const RULES: { readonly [Name in keyof TaskRecord]: (value: unknown) => boolean } = {
  id: isId,
  parent_id: orNull(isId),
  description: (value) => isText(LONGEST.description)(value) && String(value).trim() !== "",
  context: isText(LONGEST.context),
  priority: isWhole(1, 5),
  status: (value) => STATUSES.some((status) => status === value),
  result: orNull(isText(LONGEST.result)),
  done_when: orNull(isCheck),
  version: isWhole(1, 1_000_000_000),
  created_at: isMoment,
  started_at: orNull(isMoment),
  completed_at: orNull(isMoment),
  // A change that is made here must be able to come later.
  updated_at: (value) => isMoment(value) && String(value) < "9999",
  created_by: orNull(isText(LONGEST.actor)),
  claimed_by: orNull(isText(LONGEST.actor)),
  lease_until: orNull(isMoment),
};
