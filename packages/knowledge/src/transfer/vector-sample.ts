import type { Embedder } from "../embedders/embedder.js";
import { embeddedText } from "../ingest/fingerprint.js";
import { quantise } from "../vectors/quantise.js";
import type { PackedChunk, PackedDocument } from "./form.js";
import type { PackListener } from "./read-pack.js";

const SIZE = 8;
/** Packing and other processors change a vector a little. */
const SAME = 0.98;

/** Keeps some passages of a pack with their vectors, to see whether these are true. */
export class VectorSample implements PackListener {
  readonly #taken: { readonly text: string; readonly bytes: Int8Array }[] = [];
  #seen = 0;

  document(_document: PackedDocument, text: string, chunks: readonly PackedChunk[]): void {
    for (const { first, last, content, headings, vector } of chunks) {
      if (vector === undefined) continue;
      this.#seen += 1;
      const item = {
        text: embeddedText(headings, content ?? text.slice(first, last)),
        bytes: Int8Array.from(Buffer.from(vector[1], "base64")),
      };
      // Each of all that were seen has the same chance to stay.
      const at = this.#seen <= SIZE ? this.#taken.length : Math.floor(Math.random() * this.#seen);
      if (at < SIZE) this.#taken[at] = item;
    }
  }

  /** Whether an embedder makes the same vectors of the same texts. */
  async agrees(embedder: Embedder, signal: AbortSignal): Promise<boolean> {
    if (this.#taken.length === 0) return false;
    const texts = this.#taken.map(({ text }) => text);
    const vectors = await embedder.embed(texts, { kind: "passage", signal });
    return this.#taken.every(({ bytes }, at) => cosine(bytes, quantise(vectors[at] as Float32Array).bytes) > SAME);
  }
}

function cosine(one: Int8Array, other: Int8Array): number {
  if (one.length !== other.length) return 0;
  let [product, first, second] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const against = other[at] ?? 0;
    product += value * against;
    first += value * value;
    second += against * against;
  }
  return first === 0 && second === 0 ? 1 : product / Math.sqrt(first * second || 1);
}
