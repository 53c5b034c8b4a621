import { describeProgress, type Progress } from "../progress/index.js";
import type { Report } from "./report.js";
import type { Paint } from "./screen.js";
import { cut, visibleLine, widthOf } from "./text.js";

/** How often a terminal is updated. */
const TERMINAL_MS = 80;
/** How often a log gets a line. */
const LOG_MS = 5000;

const MAX_BAR_WIDTH = 30;
/** A narrower screen gets only text. */
const MIN_WIDTH = 40;
/** The width of the block that moves to and fro if the total is unknown. */
const BLOCK_WIDTH = 6;

/** Runs a function later; returns a function that cancels it. */
type Schedule = (run: () => void, ms: number) => () => void;

/** How a progress bar is drawn. */
export interface ProgressBarOptions {
  /** A terminal gets a bar that is redrawn, a log a line from time to time. */
  readonly isTerminal: boolean;
  readonly paint: Paint;
  /** How long work runs before a log gets its first line; default: 5,000. */
  readonly logAfterMs?: number;
  readonly clock?: () => number;
  readonly schedule?: Schedule;
}

/** Shows the progress of long work, on a terminal as a bar that moves, in a log as a line from time to time. */
export class ProgressBar {
  readonly #report: Report;
  readonly #options: Required<ProgressBarOptions>;
  #lastAt: number;
  #updates = 0;
  #hasLogged = false;
  #pending: { readonly progress: Progress; readonly label: string } | undefined;
  #cancelPending: (() => void) | undefined;

  constructor(report: Report, options: ProgressBarOptions) {
    this.#report = report;
    this.#options = { clock: () => performance.now(), schedule, logAfterMs: LOG_MS, ...options };
    const { isTerminal, logAfterMs, clock } = this.#options;
    this.#lastAt = isTerminal ? Number.NEGATIVE_INFINITY : clock() - LOG_MS + logAfterMs;
  }

  /**
   * Shows this progress now, or soon if the last update was shown just before; only the newest is shown. `label` is for progress that
   * somebody else has already described.
   */
  update(progress: Progress, label: string = describeProgress(progress)): void {
    this.#updates += 1;
    this.#pending = { progress, label };
    const { clock, schedule: runLater, isTerminal } = this.#options;
    const waitMs = this.#lastAt + (isTerminal ? TERMINAL_MS : LOG_MS) - clock();
    if (waitMs <= 0) this.#show();
    else this.#cancelPending ??= runLater(() => this.#show(), waitMs);
  }

  /** Removes the bar from the terminal. A log that got lines gets the last update as well. */
  end(): void {
    if (this.#hasLogged) this.#show();
    this.#cancel();
    this.#pending = undefined;
    this.#report.clear();
  }

  #cancel(): void {
    this.#cancelPending?.();
    this.#cancelPending = undefined;
  }

  #show(): void {
    this.#cancel();
    if (this.#pending === undefined) return;
    const { progress, label } = this.#pending;
    this.#pending = undefined;
    const { clock, isTerminal, paint } = this.#options;
    this.#lastAt = clock();
    const updates = this.#updates;
    if (isTerminal) return this.#report.draw((width) => drawBar(progress, label, { updates, width, paint }));
    this.#hasLogged = true;
    const percent = percentOf(progress);
    this.#report.state(`${percent === undefined ? "" : `${percent} %  `}${label}`);
  }
}

const schedule: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

function percentOf({ done, total = 0 }: Progress): number | undefined {
  return total > 0 ? Math.floor(Math.min(1, Math.max(0, done / total)) * 100) : undefined;
}

/** How a bar is drawn: at most `width` columns wide; `updates` moves the block of work whose total is unknown. */
interface Drawing {
  readonly updates: number;
  readonly width: number;
  readonly paint: Paint;
}

/** Draws one line with a bar. */
export function drawBar(progress: Progress, label: string, { updates, width, paint }: Drawing): string {
  const barWidth = width < MIN_WIDTH ? 0 : Math.min(MAX_BAR_WIDTH, Math.floor(width / 3));
  const percent = percentOf(progress);
  const text = `${percent === undefined ? "" : `${String(percent).padStart(3)} %  `}${visibleLine(label)}`;
  if (barWidth === 0) return cut(text, width, "words");
  const bar = percent === undefined ? drawBlock(barWidth, updates, paint) : drawRatio(barWidth, percent / 100, paint);
  return `${bar} ${cut(text, Math.max(1, width - barWidth - widthOf(" ")), "words")}`;
}

function drawRatio(width: number, ratio: number, paint: Paint): string {
  const filled = Math.round(ratio * width);
  return paint.green("█".repeat(filled)) + paint.faint("░".repeat(width - filled));
}

function drawBlock(width: number, updates: number, paint: Paint): string {
  const range = width - BLOCK_WIDTH;
  const offset = range - Math.abs((updates % (2 * range)) - range);
  return (
    paint.faint("░".repeat(offset)) + paint.green("█".repeat(BLOCK_WIDTH)) + paint.faint("░".repeat(range - offset))
  );
}
