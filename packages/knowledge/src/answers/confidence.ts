import type { Candidate } from "./score.js";

/** Below it no answer is given. Measured on questions over this project's documentation: those that it answers, and others. */
export const LEAST_CONFIDENCE = 0.4;

/**
 * How likely the best sentence answers: how much of the question it and the passage around it have, in words and in meaning. What
 * other passages have proves nothing about it.
 */
export function confidenceOf(best: Candidate | undefined): number {
  if (best === undefined) return 0;
  const { vector_score: cosine = 0 } = best.hit;
  const value = 0.5 * best.around + 0.3 * best.own + 0.2 * Math.max(0, cosine);
  return Math.round(Math.min(1, value) * 1000) / 1000;
}
