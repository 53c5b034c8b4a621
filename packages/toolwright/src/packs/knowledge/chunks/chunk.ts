import type { Reading } from "../documents/reading.js";
import { Packer } from "./packer.js";
import type { Chunk, ChunkOptions } from "./passage.js";

export type { Chunk, ChunkOptions } from "./passage.js";

/** Cuts a document into passages that keep headings with what follows, and code and tables whole where they fit. */
export function chunk(reading: Pick<Reading, "kind" | "text" | "blocks">, options: ChunkOptions): Chunk[] {
  const packer = new Packer(reading, options);
  for (const block of reading.blocks) packer.add(block);
  return packer.finish();
}
