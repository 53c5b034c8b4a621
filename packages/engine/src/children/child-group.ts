import type { ChildProcess } from "node:child_process";
import { forget, type Living } from "./living.js";
import { endTree } from "./windows.js";

/** A child with a group of its own: it, and all that it starts. */
export class ChildGroup implements Living {
  readonly #child: ChildProcess;
  readonly #graceMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, graceMs: number) {
    this.#child = child;
    this.#graceMs = graceMs;
  }

  get isGone(): boolean {
    return !this.#send(0);
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    this.#send(signal);
  }

  /** Asks all of the group to end, and ends those that have not after a while. */
  end(): void {
    if (!this.#send("SIGTERM")) return this.#forget();
    this.#timer ??= setTimeout(() => {
      this.#send("SIGKILL");
      this.#forget();
    }, this.#graceMs).unref();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    forget(this);
  }

  /** False = there is nobody left. */
  #send(signal: "SIGTERM" | "SIGKILL" | 0): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined) return false;
    if (process.platform === "win32") {
      // Windows has no groups, and forgets whose child a process was as soon as the parent is gone.
      if (exitCode !== null || signalCode !== null) return false;
      if (signal !== 0) endTree(pid);
      return true;
    }
    try {
      process.kill(-pid, signal);
      return true;
    } catch {
      return false;
    }
  }
}
