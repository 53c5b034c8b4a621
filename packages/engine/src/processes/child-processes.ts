import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Call } from "../server/call.js";
import { rejectUnknownOptions } from "../server/definitions/validation.js";
import { getBuiltinModule, monotonicNow } from "../server/runtime.js";

/** Options of `spawnChild`. */
export interface ChildOptions {
  /** The working directory; default: that of the server. */
  readonly cwd?: string;
  /** All environment variables of the child; default: those of the server. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `pipe` to write to the child; default: `ignore`, its input is empty. */
  readonly stdin?: "ignore" | "pipe";
  /** Milliseconds between SIGTERM and SIGKILL; default: 2000. */
  readonly graceMs?: number;
}

/** A child that `spawnChild` has started. Read its output, or it blocks when the pipe is full. */
export type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

const KNOWN_OPTIONS: Readonly<Record<keyof ChildOptions, true>> = { cwd: true, env: true, stdin: true, graceMs: true };
const ACTION = "spawn a child process";

/**
 * Spawns a program for a call, without a shell and in its own process group. The group is terminated (SIGTERM, then SIGKILL
 * after `graceMs`) when the program exits, the call is cancelled or times out, or the server ends. Throws the abort reason of a
 * call that is already cancelled, and `TypeError` for invalid options.
 *
 * @example
 * const child = spawnChild(call, "git", ["status", "--short"]);
 * const output = (await child.stdout.setEncoding("utf8").toArray()).join("");
 */
export function spawnChild(
  { signal }: Pick<Call, "signal">,
  command: string,
  args: readonly string[] = [],
  options: ChildOptions = {},
): Child {
  rejectUnknownOptions(ACTION, options, KNOWN_OPTIONS);
  const { cwd, env, stdin = "ignore", graceMs = 2000 } = options;
  if (!(graceMs >= 0)) throw new TypeError(`Cannot ${ACTION}: graceMs must be a number of at least 0`);
  signal.throwIfAborted();
  const { spawn } = getBuiltinModule("node:child_process");
  const child = spawn(command, args, {
    stdio: [stdin, "pipe", "pipe"],
    // Its own process group; Windows has none.
    detached: process.platform !== "win32",
    windowsHide: true,
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  }) as Child;
  if (child.pid === undefined) {
    // Whoever reads its output gets the error too.
    const output = child.stdout as Readable | undefined;
    child.on("error", (error) => output?.on("error", () => undefined).destroy(error));
    return child;
  }
  const tracked = new TrackedChild(child, true);
  const terminate = (): void => tracked.terminate(graceMs);
  signal.addEventListener("abort", terminate, { once: true });
  child.once("exit", () => {
    signal.removeEventListener("abort", terminate);
    // Its descendants end with it.
    terminate();
  });
  return child;
}

/** How long children may take to end: on an orderly shutdown, and when the process is already exiting. */
const GRACE_MS = { graceful: 2000, atExit: 100 };
const POLL_MS = 10;

// Module state, because children and the `exit` event belong to the process and not to a server.
const trackedChildren = new Set<TrackedChild>();
let hasExitListener = false;

/** A child that ends together with this process, however that ends, and so do its descendants. */
class TrackedChild {
  readonly #child: ChildProcess;
  /** The receivers of signals: a process group as a negative number, or the child and its descendants at the first signal. */
  #targets: readonly number[] | undefined;
  #killTimer: NodeJS.Timeout | undefined;

  /** Starts tracking a child that is running; `isGroup` means that it leads its own process group. */
  constructor(child: ChildProcess, isGroup: boolean) {
    this.#child = child;
    if (isGroup && process.platform !== "win32") this.#targets = [-(child.pid as number)];
    trackedChildren.add(this);
    if (!hasExitListener) process.on("exit", killChildrenSync);
    hasExitListener = true;
  }

  /** Whether the child or one of its known descendants is running. */
  get isRunning(): boolean {
    if (this.#targets !== undefined) return this.#targets.some((target) => sendSignal(target, 0));
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    const pid = this.#child.pid as number;
    if (process.platform !== "win32") {
      // Once the child has exited, nobody knows whose its descendants were.
      this.#targets ??= [pid, ...descendantsOf(pid)];
      for (const target of this.#targets) sendSignal(target, signal);
    } else if (this.isRunning) killTree(pid);
  }

  /** Sends SIGTERM, and SIGKILL after the grace period. */
  terminate(graceMs: number): void {
    this.signal("SIGTERM");
    if (!this.isRunning) return this.#untrack();
    this.#killTimer ??= setTimeout(() => {
      this.signal("SIGKILL");
      this.#untrack();
    }, graceMs).unref();
  }

  /** Stops tracking a child that has exited, unless its descendants are being terminated. */
  release(): void {
    if (this.#targets === undefined) this.#untrack();
  }

  #untrack(): void {
    clearTimeout(this.#killTimer);
    trackedChildren.delete(this);
  }
}

/** Sends SIGTERM to all tracked children and waits a while for them. Those that are left are killed when the process exits. */
export async function terminateChildren(): Promise<void> {
  if (trackedChildren.size === 0) return;
  for (const child of trackedChildren) child.signal("SIGTERM");
  const deadline = monotonicNow() + GRACE_MS.graceful;
  while (monotonicNow() < deadline && hasRunningChildren())
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Runs in the `exit` event, where nothing asynchronous continues. */
function killChildrenSync(): void {
  if (!hasRunningChildren()) return;
  for (const child of trackedChildren) child.signal("SIGTERM");
  sleepSync(GRACE_MS.atExit);
  for (const child of trackedChildren) child.signal("SIGKILL");
}

function hasRunningChildren(): boolean {
  for (const child of trackedChildren) if (!child.isRunning) trackedChildren.delete(child);
  return trackedChildren.size > 0;
}

/** What Node passes to `ChildProcess.prototype.spawn`, as far as it is used here. */
interface SpawnOptions {
  readonly stdio?: unknown;
  readonly detached?: boolean;
}

type SpawnMethod = (this: ChildProcess, options: SpawnOptions) => unknown;

/**
 * Tracks the children that tools and libraries start on their own, and keeps them away from stdin and stdout, which carry the
 * protocol. A child with `detached: true` is meant to live on, such as a browser, and is not tracked.
 *
 * Node has no hook that can change the stdio of a child, so this wraps `ChildProcess.prototype.spawn`, from the first child on:
 * loading `node:child_process` earlier would slow down every start. Returns a function that restores the original method.
 */
export function trackChildren(): () => void {
  const { subscribe, unsubscribe } = getBuiltinModule("node:diagnostics_channel");
  let restore: (() => void) | undefined;
  const onChild = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    restore ??= wrapSpawn(Object.getPrototypeOf(child) as { spawn: SpawnMethod });
  };
  // Published by the constructor, before the child is spawned.
  subscribe("child_process", onChild);
  return () => {
    unsubscribe("child_process", onChild);
    restore?.();
  };
}

function wrapSpawn(prototype: { spawn: SpawnMethod }): () => void {
  const original = prototype.spawn;
  prototype.spawn = function spawn(options) {
    const result = original.call(this, { ...options, stdio: isolateStdio(options.stdio) });
    if (this.pid !== undefined && !options.detached) {
      const tracked = new TrackedChild(this, false);
      this.once("exit", () => tracked.release());
    }
    return result;
  };
  return () => {
    prototype.spawn = original;
  };
}

/** Replaces stdin and stdout of this process in the stdio of a child: the child reads nothing, and writes to stderr. */
function isolateStdio(stdio: unknown): unknown {
  const entries: unknown = typeof stdio === "string" ? [stdio, stdio, stdio] : stdio;
  if (!Array.isArray(entries)) return stdio;
  return entries.map((entry: unknown, index) => {
    const fd = entry === "inherit" ? index : typeof entry === "number" ? entry : (entry as { fd?: number } | null)?.fd;
    return fd === 0 ? "ignore" : fd === 1 ? 2 : entry;
  });
}

/** Sends a signal to a process, or to the group of a negative number. Returns whether there is one. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** How long `ps` may take. */
const PS_TIMEOUT_MS = 1000;

/** The children of a process, their children and so on, as far as the system knows them. */
function descendantsOf(pid: number): readonly number[] {
  const childrenOf = readProcChildren(pid) ?? readPsChildren();
  const found = new Set([pid]);
  for (const parent of found) for (const child of childrenOf(parent)) found.add(child);
  found.delete(pid);
  return [...found];
}

type ChildrenOf = (pid: number) => readonly number[];

/** Linux lists the children of each thread under /proc; undefined on other systems. */
function readProcChildren(pid: number): ChildrenOf | undefined {
  const { existsSync, readdirSync, readFileSync } = getBuiltinModule("node:fs");
  if (!existsSync(`/proc/${pid}/task/${pid}/children`)) return undefined;
  const read = (thread: string): number[] =>
    readFileSync(`${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return (parent) => {
    const folder = `/proc/${parent}/task`;
    try {
      return readdirSync(folder).flatMap((thread) => read(`${folder}/${thread}`));
    } catch {
      // It has exited meanwhile.
      return [];
    }
  };
}

function readPsChildren(): ChildrenOf {
  const { spawnSync } = getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8", timeout: PS_TIMEOUT_MS });
  const pairs = (stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return (pid) => pairs.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

/** Kills a process and its descendants on Windows, where processes cannot be asked to end. */
function killTree(pid: number): void {
  const { spawnSync } = getBuiltinModule("node:child_process");
  spawnSync("taskkill", ["/PID", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true, timeout: 5000 });
}

/** Blocks the thread, for use just before the process exits, when timers no longer run. */
export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
