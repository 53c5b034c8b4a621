import type { Context, Script } from "node:vm";

/** A signal that aborts with another one, or after a time. Node 20 loses a timeout that only `AbortSignal.any` refers to. */
export class TimeLimit implements Disposable {
  readonly #stop = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #abortWithOuter = (): void => this.#stop.abort(this.#outer?.reason);
  #isOver = false;

  constructor(limitMs: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(() => {
      this.#isOver = !this.signal.aborted;
      this.#stop.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    }, limitMs).unref();
    if (outer?.aborted) this.#abortWithOuter();
    else outer?.addEventListener("abort", this.#abortWithOuter, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether the time limit aborted the signal. */
  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#abortWithOuter);
  }
}

const SLICE_MS = 15;

/**
 * Divides long work on the main thread into slices, so that others are served meanwhile: `if (slice.isOver) await slice.next();` in
 * each step of a loop.
 */
export class TimeSlice {
  #end = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Lets others run, and begins the next slice. Throws the abort reason of the signal. */
  async next(signal?: AbortSignal): Promise<void> {
    await new Promise((resolve) => void setImmediate(resolve));
    signal?.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** A script in its own realm, with its variables. */
interface Realm {
  readonly script: Script;
  readonly variables: Context;
}

/** A script with a time limit, for code of others that may run forever and would block the event loop. */
export class TimedScript {
  readonly #source: string;
  #realm: Realm | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** The result of the script with these variables; undefined if it exceeds the limit. */
  run(values: Readonly<Record<string, unknown>>, limitMs: number): unknown {
    this.#realm ??= this.#open();
    const { script, variables } = this.#realm;
    Object.assign(variables, values);
    try {
      return script.runInContext(variables, { timeout: limitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
      throw error;
    }
  }

  /** Created once and when first needed, because it takes a millisecond. */
  #open(): Realm {
    const { createContext, Script: Compiled } = process.getBuiltinModule("node:vm");
    return { script: new Compiled(this.#source), variables: createContext({}) };
  }
}
