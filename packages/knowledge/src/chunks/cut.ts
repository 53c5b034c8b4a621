const LF = 10;
const SPACE = 32;
/** The minimum quality of the start of an overlap. */
const LINE = 2;
/** Characters that end a sentence: before white space, or (wide ones) without it. */
const isStop = (code: number): boolean => code === 46 || code === 33 || code === 63;
const isWideStop = (code: number): boolean => code === 0x3002 || code === 0xff01 || code === 0xff1f;

/** Rates an offset as a cut: 4 between paragraphs, 3 after a sentence, 2 after a line, 1 after a word. */
function cutQuality(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  if (before === LF) {
    const line = text.charCodeAt(at - 2);
    if (line === LF) return 4;
    return isStop(line) || isWideStop(line) ? 3 : 2;
  }
  if (isWideStop(before)) return 3;
  if (before === SPACE && text.charCodeAt(at) !== SPACE) return isStop(text.charCodeAt(at - 2)) ? 3 : 1;
  return 0;
}

/** Rates an offset in code: 4 at a blank line, 3 before an unindented line, 2 at any other line. */
function cutQualityInCode(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  if (before !== LF) return before === SPACE && text.charCodeAt(at) !== SPACE ? 1 : 0;
  if (text.charCodeAt(at - 2) === LF) return 4;
  return text.charCodeAt(at) > SPACE ? 3 : 2;
}

/** Returns the end of a piece with at most `quarters`: the best cut in its second half. */
export function cutAt(text: string, start: number, end: number, quarters: number, isCode: boolean): number {
  const furthest = reachForward(text, start, end, quarters);
  if (furthest >= end) return end;
  const qualityAt = isCode ? cutQualityInCode : cutQuality;
  const earliest = start + Math.ceil((furthest - start) / 2);
  let [best, found] = [0, furthest];
  for (let at = furthest; at > earliest; at -= 1) {
    const value = qualityAt(text, at);
    if (value > best) {
      best = value;
      found = at;
      if (value === 4) break;
    }
  }
  return isInPair(text, found) ? found - 1 : found;
}

/** Returns the start of an overlap of at most `quarters` before `at`, at the start of a sentence or line. */
export function overlapStart(text: string, start: number, at: number, quarters: number, isCode: boolean): number {
  const earliest = reachBackward(text, start, at, quarters);
  const qualityAt = isCode ? cutQualityInCode : cutQuality;
  for (let from = earliest; from < at; from += 1) if (from > start && qualityAt(text, from) >= LINE) return from;
  return at;
}

/** The first code unit of scripts with about one token per character: Chinese, Japanese and Korean. Includes surrogates of emoji. */
const WIDE = 0x2e80;
/** Token estimates count quarters: a letter is one, a wide character is four. */
const QUARTERS = 4;

/** Estimates the size of a range in quarters of a token. Sizes of adjacent ranges can be added. */
export function countQuarters(text: string, start: number, end: number): number {
  let wide = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) >= WIDE) wide += 1;
  return end - start + wide * (QUARTERS - 1);
}

/** Converts quarters to tokens, rounded up. */
export const toTokens = (quarters: number): number => Math.ceil(quarters / QUARTERS);

/** Converts tokens to quarters. */
export const toQuarters = (tokens: number): number => tokens * QUARTERS;

/** Returns the largest offset such that the range from `start` has at most `quarters`, but at least one character. */
function reachForward(text: string, start: number, end: number, quarters: number): number {
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

/** Returns the smallest offset such that the range to `end` has at most `quarters`. */
function reachBackward(text: string, start: number, end: number, quarters: number): number {
  let left = quarters;
  let at = end;
  while (at > start) {
    left -= text.charCodeAt(at - 1) >= WIDE ? QUARTERS : 1;
    if (left < 0) break;
    at -= 1;
  }
  return isInPair(text, at) ? at + 1 : at;
}

/** Whether an offset splits a surrogate pair. */
function isInPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
