/** From here on scripts have about a token a character: Chinese, Japanese, Korean; and the halves of emoji. */
const WIDE = 0x2e80;
/** A token is four quarters: a letter is one, a wide character is all of them. */
const QUARTERS = 4;

/** How many quarters of a token a range of a text has: they can be added up. */
export function countQuarters(text: string, start: number, end: number): number {
  let wide = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) >= WIDE) wide += 1;
  return end - start + wide * (QUARTERS - 1);
}

/** Whole tokens of so many quarters. */
export const toTokens = (quarters: number): number => Math.ceil(quarters / QUARTERS);

/** Quarters of so many tokens. */
export const toQuarters = (tokens: number): number => tokens * QUARTERS;

/** The furthest offset to which a range from `start` has at most so many quarters; at least one character further. */
export function reach(text: string, start: number, end: number, quarters: number): number {
  let left = quarters;
  let at = start;
  while (at < end) {
    left -= text.charCodeAt(at) >= WIDE ? QUARTERS : 1;
    if (left < 0) break;
    at += 1;
  }
  if (at >= end) return end;
  if (isInPair(text, at)) at -= 1;
  return at > start ? at : Math.min(end, start + (isInPair(text, start + 1) ? 2 : 1));
}

/** The offset nearest before `end` from which on a range has at most so many quarters. */
export function reachBack(text: string, start: number, end: number, quarters: number): number {
  let left = quarters;
  let at = end;
  while (at > start) {
    left -= text.charCodeAt(at - 1) >= WIDE ? QUARTERS : 1;
    if (left < 0) break;
    at -= 1;
  }
  return isInPair(text, at) ? at + 1 : at;
}

/** Whether an offset lies between the two halves of one character. */
export function isInPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
