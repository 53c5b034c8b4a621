import type { Reading } from "../documents/reading.js";
import { Packer } from "./packer.js";
import { type Chunk, type ChunkOptions, type Passage, toChunk } from "./passage.js";

export type { Chunk, ChunkOptions } from "./passage.js";

/** Cuts a document into passages that keep headings with what follows, and code and tables whole where they fit. */
export function cutDocument(reading: Pick<Reading, "kind" | "text" | "blocks">, options: ChunkOptions): Passage[] {
  const packer = new Packer(reading, options);
  for (const block of reading.blocks) packer.add(block);
  return packer.finish();
}

/** The same, with their contents. */
export function chunk(reading: Pick<Reading, "kind" | "text" | "blocks">, options: ChunkOptions): Chunk[] {
  return cutDocument(reading, options).map((passage) => toChunk(reading.text, passage));
}
