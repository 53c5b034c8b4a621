import { TimeSlice } from "@toolwright/kit/time";
import { STATUSES, type TaskRecord } from "./task.js";
import { MAX_LENGTH, replaceSurrogates } from "./task-changes.js";

/** A line of an import. */
export interface ImportedLine {
  readonly line: number;
  readonly task: TaskRecord;
  readonly blocked_by: readonly string[];
}

/** An error in a line of an import. */
export interface LineError {
  readonly line: number;
  readonly message: string;
}

/** Nobody corrects more of them at once. */
const MAX_ERRORS = 1000;
/** Several times what the texts of a task and thousands of blockers take. */
const MAX_LINE_LENGTH = 1_000_000;

/** Parses lines of JSON, and reports the error of each invalid line, up to a number. Lets others be served meanwhile. */
export async function parseTaskLines(text: string): Promise<{
  readonly lines: readonly ImportedLine[];
  readonly errors: readonly LineError[];
}> {
  const lines = new Map<string, ImportedLine>();
  const errors: LineError[] = [];
  const slice = new TimeSlice();
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (slice.isOver) await slice.next();
    if (errors.length === MAX_ERRORS) break;
    const line = index + 1;
    if (raw.trim() === "") continue;
    const parsed =
      raw.length > MAX_LINE_LENGTH ? `longer than ${MAX_LINE_LENGTH} characters` : parseTaskLine(raw.trim());
    if (typeof parsed === "string") {
      errors.push({ line, message: parsed });
      continue;
    }
    const earlier = lines.get(parsed.task.id);
    lines.set(parsed.task.id, earlier === undefined ? { line, ...parsed } : newerLine(earlier, { line, ...parsed }));
  }
  return { lines: [...lines.values()], errors };
}

/** A merge that keeps the lines of both sides can contain a task twice: the newer line applies. */
function newerLine(one: ImportedLine, other: ImportedLine): ImportedLine {
  const order = one.task.updated_at.localeCompare(other.task.updated_at) || one.task.version - other.task.version;
  const newer = order > 0 ? one : other;
  if (one.task.updated_at !== other.task.updated_at) return newer;
  // Adding a blocker does not change `updated_at`.
  return { ...newer, blocked_by: [...new Set([...one.blocked_by, ...other.blocked_by])] };
}

/** Returns the task, or an error message. */
function parseTaskLine(raw: string): Omit<ImportedLine, "line"> | string {
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(raw))
    return 'merge conflict marker. Remove the markers and keep the lines of both sides: of two lines for a task the newer one applies ("*.jsonl merge=union" in .gitattributes makes git do this)';
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return `invalid JSON: ${(error as Error).message}`;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "not a JSON object";
  const { blocked_by: blockedBy = [], ...fields } = value as Record<string, unknown>;
  if (!Array.isArray(blockedBy) || !blockedBy.every((id) => isId(id))) return "blocked_by is not a list of ids";
  const task = { ...DEFAULTS, ...fields };
  const invalid = Object.entries(FIELDS).find(([name, isValid]) => !isValid(task[name as keyof TaskRecord]));
  if (invalid !== undefined) return describeInvalid(invalid[0], task[invalid[0] as keyof TaskRecord]);
  const unknown = Object.keys(fields).find((name) => !(name in FIELDS));
  if (unknown !== undefined) return `unknown field ${JSON.stringify(unknown)}`;
  const ordered = Object.keys(FIELDS).map((name) => {
    const field = task[name as keyof TaskRecord];
    return [name, typeof field === "string" ? replaceSurrogates(field) : field];
  });
  return {
    task: Object.fromEntries(ordered) as unknown as TaskRecord,
    blocked_by: [...new Set(blockedBy as string[])],
  };
}

const describeInvalid = (name: string, value: unknown): string =>
  value === undefined ? `${name} is missing` : `invalid ${name}: ${JSON.stringify(value).slice(0, 80)}`;

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

const isText = (maxLength: number) => (value: unknown) =>
  typeof value === "string" && value.length <= maxLength && !value.includes("\0");
const isId = (value: unknown): boolean => typeof value === "string" && /^task_[\da-z]{1,20}$/.test(value);
const isTime = (value: unknown): boolean =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const isInteger = (min: number, max: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
const orNull = (isValid: (value: unknown) => boolean) => (value: unknown) => value === null || isValid(value);
const isPath = (value: unknown): boolean => isText(4096)(value) && value !== "";

function isDoneCondition(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, path, command, cwd = "." } = value as Record<string, unknown>;
  if (kind === "file_exists") return isPath(path);
  const isCommand = Array.isArray(command) && command.length > 0 && command.every(isText(32_768));
  return kind === "command" && isCommand && isPath(cwd);
}

/** Validates each field, in the order in which the fields are written. */
const FIELDS: { readonly [Name in keyof TaskRecord]: (value: unknown) => boolean } = {
  id: isId,
  parent_id: orNull(isId),
  description: (value) => isText(MAX_LENGTH.description)(value) && String(value).trim() !== "",
  context: isText(MAX_LENGTH.context),
  priority: isInteger(1, 5),
  status: (value) => STATUSES.some((status) => status === value),
  result: orNull(isText(MAX_LENGTH.result)),
  done_when: orNull(isDoneCondition),
  version: isInteger(1, 1_000_000_000),
  created_at: isTime,
  started_at: orNull(isTime),
  completed_at: orNull(isTime),
  // Later changes must be able to have a later time.
  updated_at: (value) => isTime(value) && String(value) < "9999",
  created_by: orNull(isText(MAX_LENGTH.actor)),
  claimed_by: orNull(isText(MAX_LENGTH.actor)),
  lease_until: orNull(isTime),
};
