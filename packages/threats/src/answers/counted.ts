import { countTokens } from "@toolwright/kit/tokens";

/** What is written down of how long an answer is. */
export interface Counted {
  readonly token_count: number;
}

/** Up to here a number is one token, as the 0 is that stands in its place while the rest is counted. */
const ONE_TOKEN = 999;

/** Writes into an answer, whose count is 0 so far, how many tokens its own text has, that number included. */
export function counted<Answer extends Counted>(answer: Answer): Answer {
  let count = countTokens(JSON.stringify(answer));
  if (count <= ONE_TOKEN) return { ...answer, token_count: count };
  // A larger number makes the text longer itself, so it is counted until it is true.
  for (;;) {
    const current = { ...answer, token_count: count };
    const recounted = countTokens(JSON.stringify(current));
    if (recounted === count) return current;
    count = recounted;
  }
}
