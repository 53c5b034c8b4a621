/** What a text is made of, about as tokenizers part it. */
const PIECES = /([A-Za-z]+)|([0-9]+)|([ \t]+)|([\r\n]+)|([!-/:-@[-`{-~]+)|([^]+?)(?=[\0-\x7f]|$)/g;

/** The parts of a name: `readHTTPFile` is read, HTTP, File. */
const HUMPS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]/g;

/**
 * How many tokens a text has at most, for a model that counts as cl100k does. There is no tokenizer at run time, so it errs on the safe
 * side: names are counted by their parts, and what is not ASCII by its bytes.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [, letters, digits, spaces, breaks, signs, others] of text.matchAll(PIECES)) {
    if (letters !== undefined) for (const [hump] of letters.matchAll(HUMPS)) tokens += costOf(hump);
    else if (digits !== undefined) tokens += Math.ceil(digits.length / 3);
    else if (spaces !== undefined) tokens += spaces.length > 1 ? 1 + spaces.length / 64 : 0;
    else if (breaks !== undefined) tokens += 1 + breaks.length / 8;
    else if (signs !== undefined) tokens += signs.length < 3 ? 1 : signs.length * 0.6;
    else if (others !== undefined) tokens += Buffer.byteLength(others.replaceAll("…", "_"));
  }
  return Math.ceil(tokens * 1.06) + 1;
}

/** Words are one token; what is long or cannot be spoken is several. */
function costOf(hump: string): number {
  const { length } = hump;
  if (length <= 2) return 1;
  const isSpoken = /[aeiouyAEIOUY]/.test(hump) && !/[^aeiouyAEIOUY]{5}/.test(hump);
  return isSpoken ? Math.max(1, length / 8) : Math.max(1, length / 2);
}
