import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import { findPathError, fromUri, isWithin, wrongPath } from "@toolwright/kit/files";
import { showCommand, splitCommand } from "@toolwright/kit/processes";
import { ChangeSet } from "../store/change-set.js";
import type { TodoContext } from "../todo-context.js";
import { versionConflict } from "./errors.js";
import { findTask } from "./find-task.js";
import { changesSince } from "./history.js";
import { type DoneCondition, type Task, toRecord } from "./task.js";
import { nextVersion, replaceSurrogates, withStatus } from "./task-changes.js";

/** Looks up a folder when it is needed; undefined = there is none. */
export type FolderLookup = () => Promise<string | undefined>;

/** Makes a condition absolute, so that it means the same file or folder wherever it is checked. */
export function toAbsolute(condition: DoneCondition, folder: string): DoneCondition {
  if (condition.kind === "file_exists") return { ...condition, path: path.resolve(folder, parsePath(condition.path)) };
  return { ...condition, cwd: path.resolve(folder, condition.cwd ?? ".") };
}

/** Makes a condition relative to a folder, if it lies in that folder. */
export function toRelative(condition: DoneCondition, folder: string): DoneCondition {
  if (condition.kind === "file_exists") return { ...condition, path: relativePath(folder, condition.path) };
  return condition.cwd === undefined ? condition : { ...condition, cwd: relativePath(folder, condition.cwd) };
}

/** Whether a condition needs no folder, or is invalid in every folder. */
export function isAbsolute(condition: DoneCondition): boolean {
  if (condition.kind === "command") return condition.cwd !== undefined && path.isAbsolute(condition.cwd);
  const { path: file } = condition;
  return file.startsWith("file://") || path.isAbsolute(file) || findPathError(file) !== undefined;
}

/** The path of an input, which may be a file URI. Throws a `ToolError`. */
function parsePath(input: string): string {
  const inputPath = input.startsWith("file://") ? fromUri(input) : input;
  const error = findPathError(inputPath);
  if (error !== undefined) throw wrongPath(input, error);
  return inputPath;
}

function relativePath(folder: string, target: string): string {
  if (!path.isAbsolute(target) || !isWithin(folder, target)) return target;
  const relative = path.relative(folder, target).replaceAll(path.sep, "/") || ".";
  // A name such as "~" would have another meaning.
  return findPathError(relative) === undefined ? relative : `./${relative}`;
}

/** Splits a command line into arguments. Throws a `ToolError`. */
export const parseCommandLine = (line: string): readonly string[] => splitCommand(line).argv;

/** Formats arguments as a command line. */
export const formatCommandLine = (command: readonly string[]): string => showCommand(command);

/** The result of `checkTask`. */
export interface CheckedTask {
  readonly done: boolean;
  /** What the check found. */
  readonly evidence: string;
  readonly task: Task;
}

type CheckCall = Pick<Call, "signal" | "supports" | "roots">;

/** The time limit for the command of a condition. */
const COMMAND_TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT = 2000;

/** Checks the done-condition of a task. If it is met, completes the task with the evidence as its result. */
export async function checkTask(
  todo: TodoContext,
  { id, actor }: { readonly id: string; readonly actor?: string | undefined },
  call: CheckCall,
): Promise<CheckedTask> {
  const store = await todo.store();
  const seen = await store.read((sql) => findTask(sql, id, todo.now()));
  if (seen.done_when === null)
    throw new ToolError(`Cannot check ${seen.id}: it has no done-condition.`, {
      code: "INVALID_ARGUMENT",
      hint: { action: "set done_when of the task", tool: "update_task" },
      details: { id: seen.id },
    });
  const { done, evidence } = await evaluate(todo, seen.done_when, call);
  if (!done || seen.status === "completed") return { done, evidence, task: seen };
  const attribution = todo.attribution(actor, "its done-condition is met");
  const { at } = attribution;
  return store.write(async (sql) => {
    const task = await findTask(sql, seen.id, at);
    if (task.version !== seen.version)
      throw versionConflict(task, seen.version, await changesSince(sql, task.id, seen.version));
    const before = toRecord(task);
    const after = { ...withStatus(before, "completed", at, undefined), result: evidence };
    await new ChangeSet(sql, attribution).replace(before, nextVersion(after, at), "checked");
    return { done, evidence, task: await findTask(sql, task.id, at) };
  });
}

async function evaluate(
  todo: TodoContext,
  stored: DoneCondition,
  call: CheckCall,
): Promise<Pick<CheckedTask, "done" | "evidence">> {
  const access = await todo.host.files.accessFor(call);
  const [root] = access.roots;
  const condition = isAbsolute(stored) || root === undefined ? stored : toAbsolute(stored, root);
  if (condition.kind === "file_exists") {
    const found = await access.stat(condition.path);
    if (found === undefined) return { done: false, evidence: `${condition.path} does not exist` };
    const size = found.stats.isFile() ? `a file of ${found.stats.size} bytes` : "a folder";
    return { done: true, evidence: `${condition.path} exists: ${size}, changed ${found.stats.mtime.toISOString()}` };
  }
  const { openCommand } = await import("@toolwright/kit/processes/open-command.js");
  const { startProgram } = await import("@toolwright/kit/processes/start-program.js");
  const folder = condition.cwd ?? ".";
  await using command = await openCommand("packs.todo.commands", todo.settings.commands, access, {
    argv: condition.command,
    cwd: folder,
  });
  let output = "";
  const { exitCode, signal, hasTimedOut } = await startProgram(call.signal, command.program, command.args, {
    cwd: command.cwd,
    env: command.env,
    timeoutMs: COMMAND_TIMEOUT_MS,
    endsTree: true,
    take: (chunk) => {
      output = (output + chunk.toString("utf8")).slice(-MAX_OUTPUT);
    },
  }).ended;
  call.signal.throwIfAborted();
  const end = hasTimedOut ? "timed out" : exitCode === null ? `was ended by ${signal}` : `exited with ${exitCode}`;
  return {
    done: exitCode === 0 && !hasTimedOut,
    evidence: replaceSurrogates(`${command.command} in ${folder} ${end}\n${output}`.replaceAll("\0", "").trim()),
  };
}
