import { Report, type TerminalStream, visibleLine } from "@toolwright/kit/terminal";

/** How often a terminal is told, and a log. */
const TERMINAL_MS = 80;
const LOG_MS = 5000;

const BAR = 24;
const NAME = 10;

/** What people call the stages of an ingest; of the others nothing is shown. */
const STAGES: Readonly<Record<string, string>> = {
  discover: "Looking",
  read: "Reading",
  embed: "Embedding",
  index: "Indexing",
  evaluate: "Checking",
  ask: "Asking",
};

/** Shows how far each stage of long work has come: on a terminal as a bar that moves, elsewhere as a line from time to time. */
export class StageBar {
  readonly #report: Report;
  readonly #isTerminal: boolean;
  readonly #clock: () => number;
  #stage = "";
  #words = "";
  #last = Number.NEGATIVE_INFINITY;

  constructor(screen: TerminalStream, clock: () => number = () => performance.now()) {
    this.#report = new Report(screen);
    this.#isTerminal = screen.isTTY === true;
    this.#clock = clock;
  }

  /** Hears of progress as the pack tells it: "read: 3 of 40 documents". */
  tell(message: string): void {
    const [, stage = "", words = ""] = /^(\w+): (.*)$/s.exec(message) ?? [];
    const now = this.#clock();
    if (stage !== this.#stage) {
      this.#leave();
      this.#stage = stage;
      // In a log, what is done before anybody wonders needs no line.
      this.#last = this.#isTerminal ? Number.NEGATIVE_INFINITY : now;
    }
    this.#words = visibleLine(words);
    const name = STAGES[stage];
    if (name === undefined || now - this.#last < (this.#isTerminal ? TERMINAL_MS : LOG_MS)) return;
    this.#last = now;
    this.#report.state(`${name.padEnd(NAME)}${this.#isTerminal ? barOf(this.#words) : ""}${this.#words}`);
  }

  /** Takes the bar away; the stages that are done stay. */
  end(isDone: boolean): void {
    if (isDone) this.#leave();
    this.#report.clear();
  }

  #leave(): void {
    const name = STAGES[this.#stage];
    if (name === undefined || this.#stage === "discover") return;
    this.#report.clear();
    this.#report.line(`${name.padEnd(NAME)}${this.#words.replace(/^[\d,]+ of (?=\d)/, "")}`);
  }
}

/** "3 of 40 …" as a bar and a percentage; nothing where nobody knows how much there is. */
function barOf(words: string): string {
  const [, done, total] = /^([\d,]+) of ([\d,]+)/.exec(words)?.map((part) => Number(part.replaceAll(",", ""))) ?? [];
  if (done === undefined || total === undefined || total === 0) return "";
  const part = Math.min(1, done / total);
  const full = Math.round(part * BAR);
  return `${"█".repeat(full)}${"░".repeat(BAR - full)} ${String(Math.floor(part * 100)).padStart(3)} %  `;
}
