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

/** Cuts a text to so many characters: after a sentence where one ends in its second half, else after a word, with `…` for the rest. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, Math.max(0, most - 1));
  const sentence = /^.*[.!?](?=\s|$)/s.exec(room)?.[0] ?? "";
  if (sentence.length > most / 2) return sentence;
  const word = /[^\p{L}\p{N}]/u.test(text.charAt(room.length)) ? room : room.replace(/\s*\S*$/, "");
  return `${word.replace(/[\s,;:–-]+$/, "")}…`;
}

/** Makes an answer of texts that are cut at one length: the longest with which it stays within the budget. */
export function shortenToFit<Answer extends Counted>(
  longest: number,
  budget: number,
  write: (cut: (text: string) => string) => Answer,
): Answer {
  const cutTo = (most: number): Answer => write((text) => shorten(text, most));
  let [least, most] = [0, longest];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (cutTo(middle).token_count <= budget) least = middle;
    else most = middle - 1;
  }
  return cutTo(least);
}

/** Said where no pattern is relevant: silence would look like a fault. */
export const NOTHING_FOUND =
  "No pattern fits this context. Say what the code does and with what (for example: a webhook that marks orders paid), or look through threats://index.";

/** Said where not even one pattern has room in its own words. */
export const SHORTENED = "Shortened to fit token_budget; tmkb_get has all of it.";
