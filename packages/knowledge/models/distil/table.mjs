// The file that the program reads: see src/embedders/static-embedder.ts.
import { Buffer } from "node:buffer";

const MARK = "tw-emb-1";
/** Tokens that stand for no text. */
const MEANS_NOTHING = /^\[(?:PAD|UNK|CLS|SEP|MASK|unused\d+)\]$/;

/** Mark, how many tokens, dimension, bytes of the vocabulary; then the scales, the rows, and the tokens, one a line. */
export function packTable(table, directions, { vocabulary, dimension }, quantise) {
  const rows = new Int8Array(vocabulary.length * directions.length);
  const scales = new Float32Array(vocabulary.length);
  for (const [token, name] of vocabulary.entries()) {
    if (MEANS_NOTHING.test(name)) continue;
    const row = table.subarray(token * dimension, (token + 1) * dimension);
    const turned = Float32Array.from(directions, (direction) => dot(direction, row));
    const { bytes, scale } = quantise(turned);
    rows.set(bytes, token * directions.length);
    scales[token] = scale;
  }
  const words = Buffer.from(vocabulary.join("\n"), "utf8");
  const sizes = Uint32Array.of(vocabulary.length, directions.length, words.length, 0);
  return Buffer.concat([Buffer.from(MARK, "latin1"), ...[sizes, scales, rows].map(bytesOf), words]);
}

const bytesOf = ({ buffer }) => new Uint8Array(buffer);

function dot(one, other) {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += one[index] * other[index];
  return sum;
}
