import { type Profiler, Session } from "node:inspector";

/** Tracks which blocks of a script have run, by V8's precise coverage. */
export class Coverage {
  readonly #session = new Session();
  readonly #url: string;
  readonly #seen = new Set<string>();

  /** `url` is the URL of the script. */
  constructor(url: string) {
    this.#url = url;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  get blocks(): number {
    return this.#seen.size;
  }

  /** Whether a block has run since the last call that no corpus input reaches; `isKept` adds these blocks to the corpus. */
  hasNewBlocks(isKept: boolean): boolean {
    let isNew = false;
    for (const { url, functions } of this.#takeCoverage()) {
      if (url !== this.#url) continue;
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges) {
          const block = `${startOffset}-${endOffset}`;
          if (count === 0 || this.#seen.has(block)) continue;
          isNew = true;
          if (isKept) this.#seen.add(block);
        }
    }
    return isNew;
  }

  #takeCoverage(): readonly Profiler.ScriptCoverage[] {
    let found: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
      found = result;
    });
    return found;
  }
}
