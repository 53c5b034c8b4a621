/** Throws if an input violates a property of the engine. Bytes are passed as one character each. */
export type Target = (input: string) => void | Promise<void>;

/** The error for a violated property. */
export function violation(message: string): Error {
  return new Error(message);
}

/** Throws if two values differ as JSON. */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw violation(`${what}: ${left?.slice(0, 500)} is not ${right?.slice(0, 500)}`);
}

/** Splits text into chunks at positions derived from the text. */
export function splitIntoChunks(text: string): string[] {
  const chunks: string[] = [];
  for (let at = 0, state = 7; at < text.length; ) {
    state = (state * 31 + text.charCodeAt(at)) % 1009;
    const size = 1 + (state % 23);
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}
