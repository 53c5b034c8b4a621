import type { ChildProcess } from "node:child_process";
import { builtin } from "../server/builtin.js";
import { descendantsOf } from "./descendants.js";
import { allLiving, forget, type Living, note } from "./living.js";
import { endTree } from "./windows.js";

let isOwn = false;
let isWatching = false;

/** Starts a child that is looked after otherwise. */
export function notStray<Value>(start: () => Value): Value {
  isOwn = true;
  try {
    return start();
  } finally {
    isOwn = false;
  }
}

/**
 * From now on, children that a tool or a library starts by itself end with this process too. One that was let go with `unref` is
 * meant to live on, such as a browser.
 */
export function watchStrays(): void {
  if (isWatching) return;
  isWatching = true;
  builtin("node:diagnostics_channel").subscribe("child_process", (message) => {
    const { process: child } = message as { readonly process?: ChildProcess };
    if (!isOwn && child !== undefined) watch(child);
  });
}

/** The child has not started yet, and may never. */
function watch(child: ChildProcess): void {
  for (const other of allLiving()) if (other instanceof Stray && !other.hasStarted) forget(other);
  const stray = new Stray(child);
  note(stray);
  child.once("exit", () => {
    // What it has started may be slower to end.
    if (!stray.isEnding) forget(stray);
  });
  const starting = child as ChildProcess & { spawn(options: Started): unknown };
  const [unref, spawn] = [child.unref.bind(child), starting.spawn.bind(child)];
  child.unref = () => {
    forget(stray);
    unref();
  };
  starting.spawn = (options) => spawn({ ...options, stdio: apart(options.stdio) });
}

/** How a child is to be started, as Node itself has it. */
interface Started {
  readonly stdio?: unknown;
}

/** Stdin and stdout are the protocol's: a child that was to share them reads nothing, and writes to stderr. */
function apart(stdio: unknown): unknown {
  const places: unknown = typeof stdio === "string" ? [stdio, stdio, stdio] : stdio;
  if (!Array.isArray(places)) return stdio;
  return places.map((given: unknown, place) => {
    const fd = given === "inherit" ? place : typeof given === "number" ? given : (given as { fd?: number } | null)?.fd;
    return fd === 0 ? "ignore" : fd === 1 ? 2 : given;
  });
}

/** A child in the group of this process, which cannot be ended as a group. */
class Stray implements Living {
  readonly #child: ChildProcess;
  /** It, and all that it had started when it was asked to end: later nobody knows whose they were. */
  #family: readonly number[] | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  get hasStarted(): boolean {
    return this.#child.pid !== undefined;
  }

  get isEnding(): boolean {
    return this.#family !== undefined;
  }

  get isGone(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined) return true;
    const hasEnded = exitCode !== null || signalCode !== null;
    return hasEnded && (this.#family === undefined || this.#family.every((member) => !send(member, 0)));
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (process.platform === "win32") return endTree(pid);
    this.#family ??= [pid, ...descendantsOf(pid)];
    for (const member of this.#family) send(member, signal);
  }
}

/** False = there is nobody of that number. */
function send(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
