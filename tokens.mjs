// Puts what tokens are counted with beside the program: the ranks of cl100k_base as one hash table, which is used as it lies in the
// file. A Map of them would take 100 ms to make, longer than all else that a query does.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import ranks from "js-tiktoken/ranks/cl100k_base";

/** Four times as many places as tokens fill, rounded to a power of two, so that most of what is no token is seen at once. */
const SLOTS = 2 ** 18;
/** A place holds the token's number plus one, and above it 15 bits of its hash. */
const NUMBER_BITS = 17;

/** Writes `cl100k_base.bin`: how many tokens, where each begins, the table, and the bytes of all tokens in a row. */
export function packTokens(folder) {
  const tokens = readRanks();
  const starts = new Uint32Array(tokens.length + 1);
  for (const [rank, bytes] of tokens.entries()) starts[rank + 1] = starts[rank] + bytes.length;
  const table = new Uint32Array(SLOTS);
  for (const [rank, bytes] of tokens.entries()) place(table, hashOf(bytes), rank);
  const parts = [Uint32Array.of(tokens.length, SLOTS), starts, table].map(({ buffer }) => new Uint8Array(buffer));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "cl100k_base.bin"), Buffer.concat([...parts, ...tokens]));
}

function readRanks() {
  const tokens = [];
  for (const line of ranks.bpe_ranks.split("\n").filter(Boolean)) {
    const [, first, ...encoded] = line.split(" ");
    for (const [index, token] of encoded.entries()) tokens[Number(first) + index] = Buffer.from(token, "base64");
  }
  const missing = tokens.findIndex((token) => token === undefined);
  if (missing !== -1 || tokens.length >= 2 ** NUMBER_BITS - 1) throw new Error(`cl100k_base has no token ${missing}`);
  return tokens;
}

function place(table, hash, rank) {
  let slot = hash & (SLOTS - 1);
  while (table[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  table[slot] = ((hash >>> NUMBER_BITS) << NUMBER_BITS) | (rank + 1);
}

/** The same as in src/tokens/ranks.ts. */
function hashOf(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
