/** A signal that aborts with another one, or when a time is over. Node 20 forgets a time that only `AbortSignal.any` knows of. */
export class TimeLimit implements Disposable {
  readonly #stop = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #heed = (): void => this.#stop.abort(this.#outer?.reason);
  #isOver = false;

  constructor(mostMs: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(() => {
      this.#isOver = !this.signal.aborted;
      this.#stop.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    }, mostMs).unref();
    if (outer?.aborted) this.#heed();
    else outer?.addEventListener("abort", this.#heed, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether it was the time that has aborted the signal. */
  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#heed);
  }
}
