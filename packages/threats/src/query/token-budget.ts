import { countTokens } from "@toolwright/kit/tokens";

/** An answer that contains its own size in tokens. */
export interface Counted {
  readonly token_count: number;
}

/** Up to this value a number is one token, like the 0 that is its placeholder. */
const ONE_TOKEN = 999;

/** Sets the token count of an answer, whose placeholder is 0, to the size of its JSON, including the count itself. */
export function counted<Answer extends Counted>(answer: Answer): Answer {
  let count = countTokens(JSON.stringify(answer));
  if (count <= ONE_TOKEN) return { ...answer, token_count: count };
  // A larger number makes the text longer, so it is counted until it is stable.
  for (;;) {
    const current = { ...answer, token_count: count };
    const recounted = countTokens(JSON.stringify(current));
    if (recounted === count) return current;
    count = recounted;
  }
}

/** Shortens a text: after a sentence if one ends in the second half, else after a word, with `…`. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const room = text.slice(0, Math.max(0, maxLength - 1));
  const sentence = /^.*[.!?](?=\s|$)/s.exec(room)?.[0] ?? "";
  if (sentence.length > maxLength / 2) return sentence;
  const word = /[^\p{L}\p{N}]/u.test(text.charAt(room.length)) ? room : room.replace(/\s*\S*$/, "");
  return `${word.replace(/[\s,;:–-]+$/, "")}…`;
}

/** Creates an answer whose texts are shortened to one length: the longest that fits the budget. */
export function shortenToFit<Answer extends Counted>(
  longest: number,
  budget: number,
  write: (cut: (text: string) => string) => Answer,
): Answer {
  const shortenTo = (maxLength: number): Answer => write((text) => shorten(text, maxLength));
  let [low, high] = [0, longest];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (shortenTo(middle).token_count <= budget) low = middle;
    else high = middle - 1;
  }
  return shortenTo(low);
}

/** The note of an answer without patterns. */
export const NOTHING_FOUND =
  "No pattern matches this context. Describe what the code does and with what, such as: a webhook that marks orders paid.";

/** The note of an answer whose first pattern did not fit. */
export const SHORTENED = "Shortened to fit the token budget.";
