// Writes the token ranks of cl100k_base as a hash table that the program uses directly from the file. Creating a Map of them would take
// 100 ms, longer than everything else in a query.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import ranks from "js-tiktoken/ranks/cl100k_base";

/** More than twice as many slots as tokens, a power of two, so that most lookups of unknown tokens end at the first slot. */
const SLOTS = 2 ** 18;
/** A slot holds the token's rank plus one, and above it 15 bits of its hash. */
const NUMBER_BITS = 17;

/** Writes `cl100k_base.bin`: the number of tokens and slots, the start offset of each token, the table, and the bytes of all tokens. */
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

/** The same as in packages/kit/src/tokens/ranks.ts. */
function hashOf(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
