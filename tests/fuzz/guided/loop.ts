import { Random } from "../random.js";
import { change } from "../seeds.js";
import type { Target } from "../targets/target.js";
import type { Coverage } from "./coverage.js";
import { breaks, minimise } from "./minimise.js";

/** How to fuzz one target. */
export interface LoopOptions {
  readonly target: Target;
  readonly seeds: readonly string[];
  readonly coverage: Coverage;
  readonly milliseconds: number;
  readonly seed: number;
  /** Receives each input before it runs, so that an input that never ends is known. */
  readonly onInput: (input: string) => void;
  /** Receives the progress now and then. */
  readonly onProgress: (runs: number, corpus: number) => void;
}

/** An input that violates a property. */
export interface Finding {
  readonly violation: string;
  readonly input: string;
}

const PROGRESS_MS = 5000;
const MAX_LENGTH = 4000;
/** Reading the coverage costs more than running an input, so it is read once per batch. */
const BATCH_SIZE = 30;

/** Mutates inputs, keeps those that reach new code, and stops at the first that violates a property. */
export async function fuzz(options: LoopOptions): Promise<Finding | undefined> {
  const { target, coverage, onInput, onProgress } = options;
  const random = new Random(options.seed);
  const corpus = [...options.seeds];
  for (const input of corpus) await breaks(target, input);
  coverage.hasNewBlocks(true);
  const until = performance.now() + options.milliseconds;
  let reportedAt = performance.now();
  for (let runs = 0; performance.now() < until; runs += BATCH_SIZE) {
    const inputs = Array.from({ length: BATCH_SIZE }, () => next(random, corpus));
    for (const input of inputs) {
      onInput(input);
      const violation = await breaks(target, input);
      if (violation !== undefined) return { violation, input: await minimise(target, input, violation) };
    }
    if (coverage.hasNewBlocks(false)) {
      for (const input of inputs) {
        await breaks(target, input);
        if (coverage.hasNewBlocks(true)) corpus.push(input);
      }
    }
    if (performance.now() - reportedAt < PROGRESS_MS) continue;
    reportedAt = performance.now();
    onProgress(runs, corpus.length);
  }
  return undefined;
}

function next(random: Random, corpus: readonly string[]): string {
  // The newest ones have been mutated least.
  let input = random.oneIn(2) ? random.pick(corpus) : random.pick(corpus.slice(-20));
  for (let times = 1 + random.below(4); times > 0; times -= 1)
    input = change(random, input, corpus).slice(0, MAX_LENGTH);
  return input;
}
