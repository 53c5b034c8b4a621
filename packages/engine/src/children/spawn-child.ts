import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { builtin } from "../server/builtin.js";
import type { Call } from "../server/call.js";
import { refuseUnknown } from "../server/known-members.js";
import { ChildGroup } from "./child-group.js";
import { note } from "./living.js";
import { notStray } from "./strays.js";

/** What `spawnChild` takes beside the command. */
export interface ChildOptions {
  /** The folder to run in; that of the server by default. */
  readonly cwd?: string;
  /** All environment variables of the child; those of the server by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `pipe` to write to the child; by default its input is empty. */
  readonly stdin?: "ignore" | "pipe";
  /** How long it may take to end once it was asked to; 2 s by default. */
  readonly graceMs?: number;
}

/** A child that `spawnChild` has started; what it writes has to be read, or it stands still some day. */
export type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

const OPTIONS: Readonly<Record<keyof ChildOptions, true>> = { cwd: true, env: true, stdin: true, graceMs: true };
const DEED = "start a child";

/**
 * Starts a program for a call, without a shell and in a process group of its own. When the call is cancelled, runs out of time
 * or the server ends, the group is asked to end (SIGTERM) and, after a grace, ended (SIGKILL); so is what the program leaves
 * behind in it. Throws what the call was cancelled with, and `TypeError` for wrong options.
 */
export function spawnChild(
  { signal }: Pick<Call, "signal">,
  command: string,
  args: readonly string[] = [],
  options: ChildOptions = {},
): Child {
  refuseUnknown(DEED, options, OPTIONS);
  const { cwd, env, stdin = "ignore", graceMs = 2000 } = options;
  if (!(graceMs >= 0)) throw new TypeError(`Cannot ${DEED}: graceMs must be a number that is not negative`);
  signal.throwIfAborted();
  const { spawn } = builtin("node:child_process");
  const child = notStray(() =>
    spawn(command, args, {
      stdio: [stdin, "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
    }),
  ) as Child;
  if (child.pid === undefined) {
    // Whoever reads what it writes is to hear that there was nothing to run.
    const output = child.stdout as Readable | undefined;
    child.on("error", (error) => output?.on("error", () => undefined).destroy(error));
    return child;
  }
  const group = new ChildGroup(child, graceMs);
  note(group);
  const end = (): void => group.end();
  signal.addEventListener("abort", end, { once: true });
  child.once("exit", () => {
    signal.removeEventListener("abort", end);
    group.end();
  });
  return child;
}
