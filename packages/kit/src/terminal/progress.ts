import { Report, type TerminalStream } from "./report.js";
import { visibleLine } from "./text.js";

/** How often a terminal is told, and after how long and how often a log. */
const TERMINAL_MS = 80;
const LOG_MS = 5000;

const BAR = 24;

/** Shows how far an analysis has come: on a terminal as a bar that moves, elsewhere as a line from time to time. */
export class Progress {
  readonly #report: Report;
  readonly #isTerminal: boolean;
  readonly #clock: () => number;
  #last: number;

  constructor(screen: TerminalStream, clock: () => number = () => performance.now()) {
    this.#report = new Report(screen);
    this.#isTerminal = screen.isTTY === true;
    this.#clock = clock;
    // What is done before anybody wonders needs no line in a log.
    this.#last = this.#isTerminal ? Number.NEGATIVE_INFINITY : clock();
  }

  /** Hears of progress as tools report it. */
  tell(value: number, message = "", total?: number): void {
    const now = this.#clock();
    if (now - this.#last < (this.#isTerminal ? TERMINAL_MS : LOG_MS)) return;
    this.#last = now;
    const words = visibleLine(message);
    if (total === undefined || total <= 0) this.#report.state(words === "" ? String(value) : words);
    else {
      const part = Math.min(1, Math.max(0, value / total));
      const percent = `${String(Math.floor(part * 100)).padStart(3)} %`;
      this.#report.state(this.#isTerminal ? `${bar(part)} ${percent}  ${words}` : `${percent.trim()} ${words}`);
    }
  }

  /** Leaves the screen as it was. */
  end(): void {
    this.#report.clear();
  }
}

function bar(part: number): string {
  const full = Math.round(part * BAR);
  return "█".repeat(full) + "░".repeat(BAR - full);
}
