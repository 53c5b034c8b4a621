import { builtFile } from "@toolwright/kit/files";
import type { Embedder } from "./embedder.js";
import { StaticTable } from "./static-table.js";

/** Recorded with versions: another table needs another name. */
const NAME = "static-en-2";
const DIMENSION = 256;
/** A few milliseconds of work, after which others have a turn. */
const BATCH = 64;

/** The build copies the model. */
const FILE = builtFile("models/static-en-2.bin");

/** The embedder that is always there: a table in a file of ours, read when it is first needed. */
export function createStaticEmbedder(): Embedder {
  let table: Promise<StaticTable> | undefined;
  return {
    name: NAME,
    dimension: DIMENSION,
    batch: BATCH,
    isLight: true,
    async embed(texts, { signal }) {
      table ??= StaticTable.open(FILE);
      // What failed is tried again by the next one who asks.
      table.catch(() => (table = undefined));
      const read = await table;
      signal?.throwIfAborted();
      return texts.map((text) => read.embed(text));
    },
    async close() {
      table = undefined;
    },
  };
}
