/** The parts of the highest score at which a hotter colour begins. */
const PARTS: readonly number[] = [0.02, 0.06, 0.12, 0.2, 0.32, 0.46, 0.62, 0.8];

/** Where nothing is hotter than this, nothing is painted as if the house burned. */
const LEAST_TOP = 10;

/** Which colour stands for which score. */
export interface HeatScale {
  /** The scores at which a hotter colour begins; there is one more colour than there are bounds. */
  readonly bounds: readonly number[];
  /** Which of the colours, coolest first. */
  readonly of: (score: number) => number;
}

/** Spreads the colours over the scores that there are. */
export function createHeat(scores: readonly number[]): HeatScale {
  const top = scores.reduce((most, score) => Math.max(most, score), LEAST_TOP);
  const bounds = PARTS.map((part) => Number((part * top).toPrecision(2)));
  return { bounds, of: (score) => bounds.filter((bound) => score >= bound).length };
}

/** A score as it is shown. */
export const showScore = (score: number): string => (score >= 10 ? score.toFixed(0) : score.toFixed(1));
