import type { Counted } from "./counted.js";

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
