import { ToolError } from "../../protocol/outcome.js";
import type { Meter, Metered } from "./meter.js";

/** Bounds how many calls run at once; the next ones wait in a bounded queue, and one more is refused. */
export class Concurrency implements Meter {
  readonly #most: number;
  readonly #mostQueued: number;
  readonly #queue = new Set<Metered>();
  #running = 0;
  #isAdmitting = false;

  constructor(most: number, mostQueued: number) {
    this.#most = most;
    this.#mostQueued = mostQueued;
  }

  enter(call: Metered): boolean {
    if (this.#running < this.#most && this.#queue.size === 0) {
      this.#running += 1;
      return true;
    }
    if (this.#queue.size >= this.#mostQueued) {
      throw new ToolError(
        `The server is busy: ${this.#most} calls are running and ${this.#mostQueued} are waiting. Try again in a moment.`,
        { code: "BUSY", details: { limit: "callsQueued", retryable: true } },
      );
    }
    this.#queue.add(call);
    return false;
  }

  leave(call: Metered): void {
    if (this.#queue.size === 0) {
      this.#running -= 1;
      return;
    }
    if (this.#queue.delete(call)) return;
    this.#running -= 1;
    if (this.#isAdmitting) return;
    this.#isAdmitting = true;
    // Later, because the call that leaves has not been answered yet, and answers go out in the order of completion.
    queueMicrotask(() => this.#admit());
  }

  /** Lets waiting calls in. One that ends at once comes back here through `leave`, so the loop must be the outer one's. */
  #admit(): void {
    for (const next of this.#queue) {
      if (this.#running >= this.#most) break;
      this.#queue.delete(next);
      this.#running += 1;
      next.proceed();
    }
    this.#isAdmitting = false;
  }
}
