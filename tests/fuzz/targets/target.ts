/** Throws where a promise of the engine is broken by an input; bytes come as one character each. */
export type Target = (input: string) => void | Promise<void>;

/** Says that a promise is broken. */
export function broken(words: string): Error {
  return new Error(words);
}

/** Fails where two things that have to be the same, as JSON, are not. */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw broken(`${what}: ${left?.slice(0, 500)} is not ${right?.slice(0, 500)}`);
}

/** Cuts text into chunks, at places that the text itself decides. */
export function cut(text: string): string[] {
  const chunks: string[] = [];
  for (let at = 0, turn = 7; at < text.length; ) {
    turn = (turn * 31 + text.charCodeAt(at)) % 1009;
    const size = 1 + (turn % 23);
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}
