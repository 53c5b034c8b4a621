/** The pieces of a text, about as tokenizers split it: punctuation includes the line breaks after it. */
const PIECES = /([A-Za-z]+)|([0-9]+)|([ \t]+)|([\r\n]+)|([!-/:-@[-`{-~]+)([\r\n]*)|([\u{80}-\u{10ffff}]+)/gu;

/** The words in a name: `readHTTPFile` has read, HTTP and File. */
const HUMPS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]/g;

/** The tokens of a letter by script. Other characters are counted by their bytes. */
const SCRIPTS: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Cyrillic}/u, 0.5],
  [/[\u{c0}-\u{17f}]/u, 1],
  [/\p{Script=Han}/u, 1.4],
  [/[\p{Script=Hiragana}\p{Script=Katakana}\u{3000}-\u{303f}]/u, 1.05],
  [/\p{Script=Hangul}/u, 1.2],
  [/\p{Script=Arabic}/u, 1],
  [/[\p{Script=Greek}\p{Script=Hebrew}\p{Script=Thai}]/u, 1.25],
  [/\p{Script=Devanagari}/u, 1.4],
  [/[–—…“”‘’«»·×]/u, 1],
];

/**
 * Estimates the number of tokens of a text (cl100k), with a margin, since there is no tokenizer at run time. Names are counted by their words,
 * other scripts by the average of their letters.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [, letters, digits, spaces, breaks, signs, ends, others] of text.matchAll(PIECES)) {
    if (letters !== undefined) for (const [hump] of letters.matchAll(HUMPS)) tokens += costOf(hump);
    else if (digits !== undefined) tokens += Math.ceil(digits.length / 3);
    else if (spaces !== undefined) tokens += spaces.length > 1 ? 1 + spaces.length / 64 : 0;
    else if (breaks !== undefined) tokens += 1 + breaks.length / 8;
    else if (signs !== undefined) tokens += costOfSigns(signs, ends ?? "");
    else if (others !== undefined) tokens += costOfOthers(others);
  }
  return Math.ceil(tokens * 1.04) + 1;
}

/** A word is one token, unless it is long or cannot be pronounced. */
function costOf(hump: string): number {
  const { length } = hump;
  if (length <= 2) return 1;
  const isPronounceable = /[aeiouyAEIOUY]/.test(hump) && !/[^aeiouyAEIOUY]{5}/.test(hump);
  return isPronounceable ? Math.max(1, length / 9) : Math.max(1, length / 2);
}

/** The punctuation between JSON values is mostly one token. */
const GLUE = /^[":,[\]{}]+$/;

function costOfSigns(signs: string, ends: string): number {
  const each = ends === "" && GLUE.test(signs) ? 0.42 : 0.6;
  return (signs.length < 3 ? 1 : Math.max(1, signs.length * each)) + (ends === "" ? 0 : 0.2 + ends.length / 8);
}

/** Characters of other scripts. */
function costOfOthers(text: string): number {
  let tokens = 0.8;
  for (const sign of text) tokens += SCRIPTS.find(([script]) => script.test(sign))?.[1] ?? Buffer.byteLength(sign);
  return tokens;
}
