import type { Call } from "@toolwright/engine";

/** The progress of long work. */
export interface Progress {
  /** The current step, as a heading: `"Reading files"`. */
  readonly stage: string;
  /** How much of the stage is done. Starts at 0 in every stage and does not decrease. */
  readonly done: number;
  /** How much the stage has in all; left out if that is unknown. */
  readonly total?: number;
  /** What `done` and `total` count: `"files"`. */
  readonly unit?: string;
}

/** Receives the progress of long work. Work functions take it as an option and may call it as often as they like. */
export type OnProgress = (progress: Progress) => void;

/** What `toolProgress` needs to know about the work. */
export interface ToolProgressOptions {
  /**
   * The stages of the work in order, each with its share of the time, such as `{ "Reading files": 3, Indexing: 1 }`. The client then sees one
   * scale for the whole work. Without it every stage extends the scale.
   */
  readonly stages?: Readonly<Record<string, number>>;
}

/** Reports within a stage are sent at most this often. */
const INTERVAL_MS = 100;

/** The length of the scale for work whose stages are known. */
const SCALE = 1000;

/**
 * Sends progress to the client of a call, with a message such as `Reading files: 120 of 800 files`. The values only increase, as MCP
 * requires, and reports that follow each other too quickly are skipped.
 *
 * @example
 * ```ts
 * run: (input, call) => readFiles(input.folder, { signal: call.signal, onProgress: toolProgress(call) })
 * ```
 */
export function toolProgress(call: Pick<Call, "progress">, { stages }: ToolProgressOptions = {}): OnProgress {
  const scale = stages === undefined ? undefined : createScale(stages);
  let stage: string | undefined;
  let start = 0;
  let last = -1;
  let lastAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const { done, total } = progress;
    const isNewStage = progress.stage !== stage;
    if (isNewStage) {
      stage = progress.stage;
      start = last + 1;
    }
    const now = performance.now();
    if (!isNewStage && done !== total && now - lastAt < INTERVAL_MS) return;
    const [value, end] = scale?.(progress) ?? [start + done, total === undefined ? undefined : start + total];
    // A stage that begins where the last one ended is reported, too.
    const next = isNewStage && value <= last ? last + 1e-3 : value;
    if (next <= last) return;
    last = next;
    lastAt = now;
    call.progress(next, describeProgress(progress), end);
  };
}

/** Maps the progress of each stage to its section of one scale. */
function createScale(stages: Readonly<Record<string, number>>): (progress: Progress) => [value: number, total: number] {
  const sum = Object.values(stages).reduce((total, share) => total + share, 0);
  let reached = 0;
  return ({ stage, done, total = 0 }) => {
    let from = 0;
    for (const [name, share] of Object.entries(stages)) {
      const width = (share / sum) * SCALE;
      if (name === stage) {
        reached = from + (total > 0 ? width * Math.min(1, done / total) : 0);
        break;
      }
      from += width;
    }
    return [reached, SCALE];
  };
}

/** Describes progress in one line: `Reading files: 120 of 800 files`. */
export function describeProgress({ stage, done, total, unit }: Progress): string {
  const count = [formatCount(done), ...(total === undefined ? [] : ["of", formatCount(total)])].join(" ");
  return [stage, `${count}${unit === undefined ? "" : ` ${unit}`}`].filter((part) => part !== "").join(": ");
}

/** At most three decimals: some servers report tiny steps only to show that they are alive. */
const formatCount = (count: number): string => (Math.round(count * 1000) / 1000).toLocaleString("en-US");
