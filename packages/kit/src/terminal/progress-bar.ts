import type { Progress } from "@toolwright/engine/client";
import type { Paint } from "./paint.js";
import type { Report } from "./report.js";
import { cut, widthOf } from "./table.js";
import { visibleLine } from "./visible.js";

/** How often a terminal is told, and a log. */
const TERMINAL_MS = 80;
const LOG_MS = 1000;

const WIDEST = 30;
/** With less room than this there are only words. */
const NARROWEST = 40;
/** How much of the bar runs to and fro where nobody knows how much there is. */
const RUNNER = 6;

/** Does something later; what it gives takes that back. */
type Later = (deed: () => void, ms: number) => () => void;

/** What a progress bar is made of. */
export interface BarParts {
  readonly isTerminal: boolean;
  readonly paint: Paint;
  readonly clock?: () => number;
  readonly later?: Later;
}

/** Shows how far a call has come: on a terminal as a bar that moves, elsewhere as a line from time to time. */
export class ProgressBar {
  readonly #report: Report;
  readonly #parts: Required<BarParts>;
  #last = Number.NEGATIVE_INFINITY;
  #steps = 0;
  #waiting: Progress | undefined;
  #takeBack: (() => void) | undefined;

  constructor(report: Report, parts: BarParts) {
    this.#report = report;
    this.#parts = { clock: () => performance.now(), later: soon, ...parts };
  }

  /** Hears of progress. What comes too soon is shown when its time has come, unless something newer is known by then. */
  tell(progress: Progress): void {
    this.#steps += 1;
    this.#waiting = progress;
    const { clock, later, isTerminal } = this.#parts;
    const wait = this.#last + (isTerminal ? TERMINAL_MS : LOG_MS) - clock();
    if (wait <= 0) this.#show();
    else this.#takeBack ??= later(() => this.#show(), wait);
  }

  /** Leaves the screen as it was; a log gets the last word. */
  end(): void {
    if (this.#waiting !== undefined && !this.#parts.isTerminal) this.#show();
    this.#takeBack?.();
    this.#takeBack = undefined;
    this.#waiting = undefined;
    this.#report.clear();
  }

  #show(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
    const progress = this.#waiting;
    if (progress === undefined) return;
    this.#waiting = undefined;
    this.#last = this.#parts.clock();
    const steps = this.#steps;
    if (!this.#parts.isTerminal) this.#report.state(lineOf(progress));
    else this.#report.draw((room) => drawBar(progress, steps, room, this.#parts.paint));
  }
}

const soon: Later = (deed, ms) => {
  const timer = setTimeout(deed, ms);
  // Nobody waits for a bar.
  timer.unref();
  return () => clearTimeout(timer);
};

function lineOf({ message = "", ...progress }: Progress): string {
  return `Progress ${countOf(progress)}${message && `: ${message}`}`;
}

function countOf({ progress, total }: Progress): string {
  // It has to grow with each report, so that those of mere life grow by next to nothing.
  const done = Math.round(progress * 1000) / 1000;
  return total === undefined ? `${done}` : `${done}/${total}`;
}

/** One line with a bar, no wider than the room for it; `steps` moves the bar of work that has no known end. */
export function drawBar(progress: Progress, steps: number, room: number, paint: Paint): string {
  const width = room < NARROWEST ? 0 : Math.min(WIDEST, Math.floor(room / 3));
  const { total = 0, message = "" } = progress;
  const part = total > 0 ? Math.min(1, Math.max(0, progress.progress / total)) : undefined;
  const percent = part === undefined ? [] : [`${String(Math.floor(part * 100)).padStart(3)} %`];
  const words = [...percent, countOf(progress), ...(message === "" ? [] : [visibleLine(message)])].join("  ");
  if (width === 0) return cut(words, room, "words");
  const bar = part === undefined ? runner(width, steps, paint) : filled(width, part, paint);
  return `${bar} ${cut(words, Math.max(1, room - width - widthOf(" ")), "words")}`;
}

function filled(width: number, part: number, paint: Paint): string {
  const full = Math.round(part * width);
  return paint.green("█".repeat(full)) + paint.faint("░".repeat(width - full));
}

function runner(width: number, steps: number, paint: Paint): string {
  const way = width - RUNNER;
  const at = way - Math.abs((steps % (2 * way)) - way);
  return paint.faint("░".repeat(at)) + paint.green("█".repeat(RUNNER)) + paint.faint("░".repeat(way - at));
}
