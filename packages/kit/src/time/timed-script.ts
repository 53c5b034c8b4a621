import type { Context, Script } from "node:vm";

/** A script in a realm of its own, and what it is given there. */
interface Bench {
  readonly script: Script;
  readonly given: Context;
}

/** A script that may take no longer than a time; for what others have written, and may take years, while nothing else would run. */
export class TimedScript {
  readonly #source: string;
  #bench: Bench | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** What the script comes to with some values as its variables; undefined where it takes too long. */
  run(values: Readonly<Record<string, unknown>>, mostMs: number): unknown {
    this.#bench ??= this.#open();
    const { script, given } = this.#bench;
    Object.assign(given, values);
    try {
      return script.runInContext(given, { timeout: mostMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
      throw error;
    }
  }

  /** Opened once, for it takes a millisecond, and not before somebody needs it. */
  #open(): Bench {
    const { createContext, Script: Compiled } = process.getBuiltinModule("node:vm");
    return { script: new Compiled(this.#source), given: createContext({}) };
  }
}
