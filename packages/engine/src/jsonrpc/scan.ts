const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;

/** The first position from `at` on that is no white space. */
export function skipGap(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= SPACE) next += 1;
  return next;
}

/** The position of the quote that ends the string opened at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** The position behind the value that begins at `start`, in text that has been parsed before. Looks at nothing twice. */
export function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (depth === 0) return at + 1;
    } else if (code === 91 || code === 123) {
      depth += 1;
    } else if (code === 93 || code === 125) {
      // With nothing open, it closes what the value stands in.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === 44 || code <= SPACE)) {
      return at;
    }
  }
  return text.length;
}
