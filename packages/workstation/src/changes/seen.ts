const MOST_BYTES = 16 * 1024 * 1024;
const LARGEST = 2 * 1024 * 1024;

/** Remembers for a while which texts were shown, so that a stale write can be told what has changed since. */
export class Seen {
  readonly #texts = new Map<string, string>();
  #length = 0;

  /** Keeps the whole text of a file under the hash with which it was shown. */
  remember(hash: string, text: string): void {
    if (text.length > LARGEST) return;
    this.#forget(hash);
    this.#texts.set(hash, text);
    this.#length += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= MOST_BYTES) return;
      this.#forget(oldest);
    }
  }

  recall(hash: string): string | undefined {
    return this.#texts.get(hash);
  }

  #forget(hash: string): void {
    this.#length -= this.#texts.get(hash)?.length ?? 0;
    this.#texts.delete(hash);
  }
}
