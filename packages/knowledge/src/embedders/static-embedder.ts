import { readFile } from "node:fs/promises";
import { builtFile } from "@toolwright/kit/files";
import { createKernel, type Kernel } from "../vectors/kernel.js";
import { type Embedder, reasonOf, toUnit, unavailable } from "./embedder.js";
import { Vocabulary } from "./vocabulary.js";
import { WordPieces } from "./word-pieces.js";

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

/** How many tokens are handed to the kernel at once. */
const TOKENS = 4096;
const MARK = "tw-emb-1";
const HEADER = 24;

/** A vector for each token of a vocabulary. That of a text is their mean, so that it says what the text is about, and no more. */
export class StaticTable {
  readonly dimension: number;
  readonly #pieces: WordPieces;
  readonly #kernel: Kernel;
  /** Where the numbers of tokens, the sums, the scales and the rows lie. */
  readonly #numbers = 0;
  readonly #sums = TOKENS * 4;
  readonly #scales: number;
  readonly #rows: number;

  /** `file` is what `models/distil` has written. */
  constructor(file: Buffer) {
    const [count = 0, dimension = 0, words = 0] = [8, 12, 16].map((at) => file.readUInt32LE(at));
    const rows = HEADER + count * 4;
    const end = rows + count * dimension;
    if (file.toString("latin1", 0, 8) !== MARK || dimension % 32 !== 0 || file.length !== end + words)
      throw new RangeError("it is not a table of vectors, or not all of it");
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

  /** Reads a table. Throws a `ToolError` that names the file. */
  static async open(file: URL): Promise<StaticTable> {
    try {
      return new StaticTable(await readFile(file));
    } catch (error) {
      throw unavailable(`Cannot read the built-in embedder ${file.pathname}: ${reasonOf(error)}`, error);
    }
  }

  /** The vector of a text. */
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
