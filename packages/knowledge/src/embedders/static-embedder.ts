import { readFile } from "node:fs/promises";
import { builtFile } from "@toolwright/kit/files";
import { createKernel, type Kernel } from "../vectors/kernel.js";
import { type Embedder, reasonOf, toUnit, unavailable } from "./embedder.js";
import { Vocabulary } from "./vocabulary.js";
import { WordPieces } from "./word-pieces.js";

/** Stored with versions. A different table needs a different name. */
const NAME = "static-en-2";
const DIMENSION = 256;
/** A batch takes a few milliseconds, so that the event loop stays responsive. */
const BATCH = 64;

/** Copied by the build. */
const FILE = builtFile("models/static-en-2.bin");

/** Creates the built-in embedder. It reads its table on first use. */
export function createStaticEmbedder(): Embedder {
  let table: Promise<StaticTable> | undefined;
  return {
    name: NAME,
    dimension: DIMENSION,
    batch: BATCH,
    isLight: true,
    async embed(texts, { signal }) {
      table ??= StaticTable.open(FILE);
      // After a failure, the next call tries again.
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

/** The maximum number of tokens per call of the kernel. */
const TOKENS = 4096;
const MARK = "tw-emb-1";
const HEADER = 24;

/** A table with a vector for each token of a vocabulary. The vector of a text is the mean of its token vectors. */
export class StaticTable {
  readonly dimension: number;
  readonly #pieces: WordPieces;
  readonly #kernel: Kernel;
  /** The addresses of the token IDs, the sums, the scales and the rows in the memory of the kernel. */
  readonly #numbers = 0;
  readonly #sums = TOKENS * 4;
  readonly #scales: number;
  readonly #rows: number;

  /** `file` is the output of `models/distil`. */
  constructor(file: Buffer) {
    const [count = 0, dimension = 0, words = 0] = [8, 12, 16].map((at) => file.readUInt32LE(at));
    const rows = HEADER + count * 4;
    const end = rows + count * dimension;
    if (file.toString("latin1", 0, 8) !== MARK || dimension % 32 !== 0 || file.length !== end + words)
      throw new RangeError("it is not a complete table of vectors");
    this.dimension = dimension;
    this.#scales = this.#sums + dimension * 4;
    this.#rows = Math.ceil((this.#scales + count * 4) / 16) * 16;
    this.#kernel = createKernel(this.#rows + count * dimension);
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    memory.set(file.subarray(HEADER, rows), this.#scales);
    memory.set(file.subarray(rows, end), this.#rows);
    const vocabulary = new Vocabulary(file.toString("utf8", end), "##");
    this.#pieces = new WordPieces(vocabulary, { isLowerCase: true, hasNoAccents: true }, "[UNK]");
  }

  /** Reads a table. Throws a `ToolError` with the path of the file. */
  static async open(file: URL): Promise<StaticTable> {
    try {
      return new StaticTable(await readFile(file));
    } catch (error) {
      throw unavailable(`Cannot read the built-in embedder ${file.pathname}: ${reasonOf(error)}`, error);
    }
  }

  /** Returns the vector of a text. */
  embed(text: string): Float32Array {
    const tokens = this.#pieces.read(text);
    const { buffer } = this.#kernel.memory;
    const sums = new Float32Array(buffer, this.#sums, this.dimension).fill(0);
    for (let start = 0; start < tokens.length; start += TOKENS) {
      const some = tokens.subarray(start, start + TOKENS);
      new Int32Array(buffer, this.#numbers, TOKENS).set(some);
      this.#kernel.sum(this.#numbers, some.length, this.#rows, this.#scales, this.dimension, this.#sums);
    }
    return toUnit(sums.slice());
  }
}
