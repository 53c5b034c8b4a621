import { Dice } from "../dice.js";
import { change } from "../seeds.js";
import type { Target } from "../targets/target.js";
import type { Coverage } from "./coverage.js";
import { breaks, minimise } from "./minimise.js";

/** What one target is fuzzed with. */
export interface LoopOptions {
  readonly target: Target;
  readonly seeds: readonly string[];
  readonly coverage: Coverage;
  readonly milliseconds: number;
  readonly seed: number;
  /** Hears each input before it runs: one that never ends would be known to nobody else. */
  readonly begin: (input: string) => void;
  /** Hears now and then how it goes. */
  readonly tell: (runs: number, kept: number) => void;
}

/** An input that broke a promise. */
export interface Finding {
  readonly broke: string;
  readonly input: string;
}

const TELL_MS = 5000;
const LONGEST = 4000;
/** To look costs more than to run an input, so that it is looked once for many. */
const IN_ONE_LOOK = 30;

/** Changes inputs, keeps those that reach what no other has reached, and stops at the first that breaks something. */
export async function fuzz(options: LoopOptions): Promise<Finding | undefined> {
  const { target, coverage, begin, tell } = options;
  const dice = new Dice(options.seed);
  const kept = [...options.seeds];
  for (const input of kept) await breaks(target, input);
  coverage.look(true);
  const until = performance.now() + options.milliseconds;
  let told = performance.now();
  for (let runs = 0; performance.now() < until; runs += IN_ONE_LOOK) {
    const inputs = Array.from({ length: IN_ONE_LOOK }, () => next(dice, kept));
    for (const input of inputs) {
      begin(input);
      const broke = await breaks(target, input);
      if (broke !== undefined) return { broke, input: await minimise(target, input, broke) };
    }
    if (coverage.look(false)) {
      for (const input of inputs) {
        await breaks(target, input);
        if (coverage.look(true)) kept.push(input);
      }
    }
    if (performance.now() - told < TELL_MS) continue;
    told = performance.now();
    tell(runs, kept.length);
  }
  return undefined;
}

function next(dice: Dice, kept: readonly string[]): string {
  // The last ones have been tried least.
  let input = dice.oneIn(2) ? dice.pick(kept) : dice.pick(kept.slice(-20));
  for (let times = 1 + dice.roll(4); times > 0; times -= 1) input = change(dice, input, kept).slice(0, LONGEST);
  return input;
}
