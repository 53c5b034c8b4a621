import type { Call } from "@toolwright/engine";
import type { OutputStream } from "@toolwright/kit/processes";

/** How test runners start and end a line that reports one test. */
const STARTS = /^(?:(?:not )?ok \d|[✓✔✖×√] |--- (?:PASS|FAIL|SKIP)|\{"Time":"[^"]*","Action":"(?:pass|fail|skip)")/;
const ENDS = [" ... ok", " ... FAILED", " ... FAIL", " ... ERROR", " ... ignored"];

/** A client gets a report at most this often. */
const INTERVAL_MS = 300;

/** The output of a program: keeps the first and last part of each stream, and reports progress by lines and tests. */
export class ProcessOutput {
  readonly stdout: KeptText;
  readonly stderr: KeptText;
  readonly #call: Pick<Call, "progress">;
  #lines = 0;
  #tests = 0;
  #openLine = "";
  #reportedAt = 0;

  /** `maxLength` is how many characters of each stream are kept. */
  constructor(call: Pick<Call, "progress">, maxLength: number) {
    this.#call = call;
    this.stdout = new KeptText(maxLength);
    this.stderr = new KeptText(maxLength);
  }

  add(text: string, stream: OutputStream): void {
    this[stream].add(text);
    const lines = (this.#openLine + text).split("\n");
    // A line without an end must not fill the memory.
    this.#openLine = (lines.pop() ?? "").slice(-1000);
    this.#lines += lines.length;
    this.#tests += lines.filter(isTestLine).length;
    const now = performance.now();
    if (lines.length === 0 || now - this.#reportedAt < INTERVAL_MS) return;
    this.#reportedAt = now;
    const last = lines.findLast((line) => line.trim() !== "" && !line.startsWith("{"))?.trim() ?? "";
    const tests = this.#tests === 0 ? "" : `, ${this.#tests} tests done`;
    this.#call.progress(this.#lines, `${this.#lines} lines${tests}: ${last.slice(0, 120)}`);
  }
}

/** Called for every line of output, so it must be fast. */
const isTestLine = (line: string): boolean =>
  STARTS.test(line.length < 1000 ? line.trimStart() : line) || ENDS.some((end) => line.endsWith(end));

/** A growing text, of which the first and last part are kept. */
export class KeptText {
  readonly #headLength: number;
  readonly #tailLength: number;
  #head = "";
  #tail = "";
  /** How many characters between the two parts were dropped. */
  dropped = 0;

  /** `maxLength` is how many characters are kept: a third of them of the start. */
  constructor(maxLength: number) {
    this.#headLength = Math.floor(maxLength / 3);
    this.#tailLength = maxLength - this.#headLength;
  }

  add(text: string): void {
    const room = this.#headLength - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    this.#tail += room > 0 ? text.slice(room) : text;
    // Not for every piece, because each time costs a copy.
    if (this.#tail.length > this.#tailLength * 2) this.#truncate();
  }

  #truncate(): void {
    const excess = Math.max(0, this.#tail.length - this.#tailLength);
    this.dropped += excess;
    this.#tail = this.#tail.slice(excess);
  }

  /** The kept text, with a line that says how much was dropped. */
  toString(): string {
    this.#truncate();
    if (this.dropped === 0) return this.#head + this.#tail;
    return `${this.#head}\n[… ${this.dropped} characters …]\n${this.#tail}`;
  }
}
