import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import { findPathError, fromUri, isWithin, wrongPath } from "@toolwright/kit/files";
import { showCommand, splitCommand } from "@toolwright/kit/processes";
import { ChangeSet } from "../store/change-set.js";
import type { TodoContext } from "../todo-context.js";
import { toRecord } from "./claims.js";
import { staleTask } from "./errors.js";
import { findTask } from "./find-task.js";
import { changesSince } from "./history.js";
import type { DoneCheck, Task } from "./task.js";
import { moveTo, next, wholeCharacters } from "./task-changes.js";

/** Looks up a folder where one is needed; undefined = there is none. */
export type FolderLookup = () => Promise<string | undefined>;

/** A done-condition as a folder understands it: whoever asks from elsewhere asks of the same file, or runs it in the same folder. */
export function settle(check: DoneCheck, folder: string): DoneCheck {
  if (check.kind === "file_exists") return { ...check, path: path.resolve(folder, plainPath(check.path)) };
  return { ...check, cwd: path.resolve(folder, check.cwd ?? ".") };
}

/** The same for another folder to settle: what lies below this one is told from it on. */
export function unsettle(check: DoneCheck, folder: string): DoneCheck {
  if (check.kind === "file_exists") return { ...check, path: fromFolder(folder, check.path) };
  return check.cwd === undefined ? check : { ...check, cwd: fromFolder(folder, check.cwd) };
}

/** Whether no folder is needed to understand a done-condition, or none would help. */
export function isSettled(check: DoneCheck): boolean {
  if (check.kind === "command") return check.cwd !== undefined && path.isAbsolute(check.cwd);
  return check.path.startsWith("file://") || path.isAbsolute(check.path) || findPathError(check.path) !== undefined;
}

/** The path that somebody has given, without what only reads like one. Throws a `ToolError`. */
function plainPath(given: string): string {
  const words = given.startsWith("file://") ? fromUri(given) : given;
  const fault = findPathError(words);
  if (fault !== undefined) throw wrongPath(given, fault);
  return words;
}

function fromFolder(folder: string, place: string): string {
  if (!path.isAbsolute(place) || !isWithin(folder, place)) return place;
  const way = path.relative(folder, place).replaceAll(path.sep, "/") || ".";
  // A name such as "~" would be taken for something else.
  return findPathError(way) === undefined ? way : `./${way}`;
}

/** Reads a command as people type it. Throws a `ToolError`. */
export const readCommandLine = (line: string): readonly string[] => splitCommand(line).argv;

/** A command as people type it. */
export const commandText = (command: readonly string[]): string => showCommand(command);

/** Which task is looked at. */
export interface CheckOptions {
  readonly id: string;
  readonly actor?: string | undefined;
}

/** Whether a task is done, and how one can tell. */
export interface Checked {
  readonly done: boolean;
  /** What was seen. */
  readonly evidence: string;
  readonly task: Task;
}

type Asking = Pick<Call, "signal" | "supports" | "roots">;

/** How long a command of a done-condition may run. */
const COMMAND_MS = 10 * 60_000;
const MOST_CHARACTERS = 2000;

/** Looks whether the done-condition of a task holds; if so, completes it with what was seen as its result. */
export async function checkTask(todo: TodoContext, options: CheckOptions, call: Asking): Promise<Checked> {
  const store = await todo.store();
  const seen = await store.read((sql) => findTask(sql, options.id, todo.now()));
  if (seen.done_when === null)
    throw new ToolError(
      `Cannot check ${seen.id}: it has no done-condition. Give it one with done_when of update_task.`,
      {
        code: "INVALID_ARGUMENT",
        details: { id: seen.id },
      },
    );
  const { done, evidence } = await evaluate(todo, seen.done_when, call);
  if (!done || seen.status === "completed") return { done, evidence, task: seen };
  const attribution = todo.attribution(options.actor, "its done-condition holds");
  return store.write(async (sql) => {
    const task = await findTask(sql, seen.id, attribution.at);
    if (task.version !== seen.version)
      throw staleTask(task, seen.version, await changesSince(sql, task.id, seen.version));
    const before = toRecord(task);
    const after = { ...moveTo(before, "completed", attribution.at, undefined), result: evidence };
    await new ChangeSet(sql, attribution).replace(before, next(after, attribution.at), "checked");
    return { done, evidence, task: await findTask(sql, task.id, attribution.at) };
  });
}

async function evaluate(todo: TodoContext, kept: DoneCheck, call: Asking): Promise<Pick<Checked, "done" | "evidence">> {
  const reach = await todo.reach(call);
  const [root] = reach.roots;
  // One that was set for no folder is asked of the folder that is looked into now.
  const check = isSettled(kept) || root === undefined ? kept : settle(kept, root);
  if (check.kind === "file_exists") {
    const found = await reach.stat(check.path);
    if (found === undefined) return { done: false, evidence: `${check.path} is not there` };
    const size = found.stats.isFile() ? `a file of ${found.stats.size} bytes` : "a folder";
    return { done: true, evidence: `${check.path} is there: ${size}, changed ${found.stats.mtime.toISOString()}` };
  }
  const { openCommand } = await import("@toolwright/kit/processes/open-command.js");
  const { startProgram } = await import("@toolwright/kit/processes/start-program.js");
  await using command = await openCommand("packs.todo.commands", todo.settings.commands, reach, {
    argv: check.command,
    cwd: check.cwd ?? ".",
  });
  let said = "";
  const { exitCode, signal, hasTimedOut } = await startProgram(call.signal, command.program, command.args, {
    cwd: command.cwd,
    env: command.env,
    timeoutMs: COMMAND_MS,
    take: (piece) => {
      said = (said + piece.toString("utf8")).slice(-MOST_CHARACTERS);
    },
  }).ended;
  call.signal.throwIfAborted();
  const end = hasTimedOut ? "took too long" : exitCode === null ? `was ended by ${signal}` : `ended with ${exitCode}`;
  return {
    done: exitCode === 0 && !hasTimedOut,
    evidence: wholeCharacters(`${command.command} in ${check.cwd ?? "."} ${end}\n${said}`.replaceAll("\0", "").trim()),
  };
}
