/** Work that has begun. */
export interface Begun<Value> {
  readonly result: Promise<Value>;
  /** Ends it; the result is then rejected with the reason. */
  stop(reason: unknown): void;
}

/** Work that somebody waits for. */
interface Job<Value> {
  readonly begun: Begun<Value>;
  waiting: number;
}

/** Work under way by what it is about, so that all who want the same wait for it once. */
export class InFlight<Value> {
  readonly #jobs = new Map<string, Job<Value>>();

  /** Begins the work, or waits with those who have begun it. It is stopped only when nobody waits for it any more. */
  share(key: string, signal: AbortSignal, begin: () => Begun<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const job = this.#jobs.get(key) ?? this.#start(key, begin);
      job.waiting += 1;
      const leave = (): void => {
        job.waiting -= 1;
        reject(signal.reason);
        if (job.waiting > 0) return;
        this.#forget(key, job);
        job.begun.stop(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      void job.begun.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  #start(key: string, begin: () => Begun<Value>): Job<Value> {
    const job: Job<Value> = { begun: begin(), waiting: 0 };
    this.#jobs.set(key, job);
    const end = (): void => this.#forget(key, job);
    void job.begun.result.then(end, end);
    return job;
  }

  #forget(key: string, job: Job<Value>): void {
    if (this.#jobs.get(key) === job) this.#jobs.delete(key);
  }
}
