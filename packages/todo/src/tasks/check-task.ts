import { type Call, ToolError } from "@toolwright/engine";
import type { Desk } from "../desk.js";
import { Deed } from "../store/deed.js";
import { toRecord } from "./claims.js";
import { isSettled, settle } from "./done-check.js";
import { staleTask } from "./faults.js";
import { findTask } from "./find-task.js";
import { changesSince } from "./history.js";
import { next } from "./next-version.js";
import { wholeCharacters } from "./plain-text.js";
import { moveTo } from "./status.js";
import type { DoneCheck, Task } from "./task.js";

/** Which task is looked at. */
export interface CheckWish {
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
export async function checkTask(desk: Desk, wish: CheckWish, call: Asking): Promise<Checked> {
  const ledger = await desk.ledger();
  const seen = await ledger.read((sql) => findTask(sql, wish.id, desk.now()));
  if (seen.done_when === null)
    throw new ToolError(
      `Cannot check ${seen.id}: it has no done-condition. Give it one with done_when of update_task.`,
      {
        code: "INVALID_ARGUMENT",
        details: { id: seen.id },
      },
    );
  const { done, evidence } = await evaluate(desk, seen.done_when, call);
  if (!done || seen.status === "completed") return { done, evidence, task: seen };
  const doer = desk.doer(wish.actor, "its done-condition holds");
  return ledger.write(async (sql) => {
    const task = await findTask(sql, seen.id, doer.at);
    if (task.version !== seen.version)
      throw staleTask(task, seen.version, await changesSince(sql, task.id, seen.version));
    const before = toRecord(task);
    const after = { ...moveTo(before, "completed", doer.at, undefined), result: evidence };
    await new Deed(sql, doer).replace(before, next(after, doer.at), "checked");
    return { done, evidence, task: await findTask(sql, task.id, doer.at) };
  });
}

async function evaluate(desk: Desk, kept: DoneCheck, call: Asking): Promise<Pick<Checked, "done" | "evidence">> {
  const reach = await desk.reach(call);
  const [root] = reach.roots;
  // One that was set for no folder is asked of the folder that is looked into now.
  const check = isSettled(kept) || root === undefined ? kept : settle(kept, root);
  if (check.kind === "file_exists") {
    const found = await reach.look(check.path);
    if (found === undefined) return { done: false, evidence: `${check.path} is not there` };
    const size = found.stats.isFile() ? `a file of ${found.stats.size} bytes` : "a folder";
    return { done: true, evidence: `${check.path} is there: ${size}, changed ${found.stats.mtime.toISOString()}` };
  }
  const { openCommand } = await import("@toolwright/kit/processes/open-command.js");
  const { startProgram } = await import("@toolwright/kit/processes/start-program.js");
  await using command = await openCommand("packs.todo.commands", desk.settings.commands, reach, {
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
