import type { Call } from "@toolwright/engine";

/** The start and the end of lines that say that one test is done, in the words of the runners. */
const STARTS = /^(?:(?:not )?ok \d|[✓✔✖×√] |--- (?:PASS|FAIL|SKIP)|\{"Time":"[^"]*","Action":"(?:pass|fail|skip)")/;
const ENDS = [" ... ok", " ... FAILED", " ... FAIL", " ... ERROR", " ... ignored"];

/** How often the caller hears of progress. */
const EVERY_MS = 300;

/** Tells a caller how far a run has come: how many lines it has written, and how many tests are done. */
export class Teller {
  readonly #call: Pick<Call, "progress">;
  #lines = 0;
  #tests = 0;
  #open = "";
  #toldAt = 0;

  constructor(call: Pick<Call, "progress">) {
    this.#call = call;
  }

  hear(text: string): void {
    const lines = (this.#open + text).split("\n");
    // A line without an end is no reason to keep all of it.
    this.#open = (lines.pop() ?? "").slice(-1000);
    this.#lines += lines.length;
    this.#tests += lines.filter(isTestDone).length;
    const now = performance.now();
    if (lines.length === 0 || now - this.#toldAt < EVERY_MS) return;
    this.#toldAt = now;
    const last = lines.findLast((line) => line.trim() !== "" && !line.startsWith("{"))?.trim() ?? "";
    const tests = this.#tests === 0 ? "" : `, ${this.#tests} tests done`;
    this.#call.progress(this.#lines, `${this.#lines} lines${tests}: ${last.slice(0, 120)}`);
  }
}

/** This is asked of every line that a program writes, so it must be quick. */
const isTestDone = (line: string): boolean =>
  STARTS.test(line.length < 1000 ? line.trimStart() : line) || ENDS.some((end) => line.endsWith(end));
