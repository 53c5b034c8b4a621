import { setImmediate } from "node:timers/promises";
import type { Sql, SqlStore, SqlValue } from "@toolwright/kit/storage";
import { bufferSize } from "../large-buffer.js";
import { PostingsWriter } from "./postings.js";
import { eachField, type Fields, type WordForm } from "./terms.js";

/** The collection and the embedder of a segment. */
export interface SegmentSpec {
  readonly collection: number;
  readonly embedder: string;
  readonly dimension: number;
}

/** A row of a segment: a passage with its vector. */
interface SegmentRow extends Fields {
  readonly number: number;
  readonly revision: number;
  readonly type: string;
  readonly vector: { readonly bytes: Int8Array; readonly scale: number } | undefined;
}

/** The size of a column part, and the number of terms or parts per statement and per transaction. */
const PART_BYTES = 1 << 20;
const TERMS_PER_STATEMENT = 40;
const TERMS_PER_TRANSACTION = 4000;
const PARTS_PER_TRANSACTION = 4;

/** The ID of the last writer. A `WordForm` outlives a writer, so it remembers the writer that its position belongs to. */
let lastWriter = 0;

/** Collects the rows of one segment in memory and writes them to the database. */
class SegmentWriter {
  readonly #spec: SegmentSpec;
  readonly #termNumbers = new Map<string, number>();
  /** The terms of words that have none or several. */
  readonly #several: (readonly number[])[] = [];
  readonly #id = ++lastWriter;
  readonly #postings = new PostingsWriter();
  readonly #columns = {
    number: [] as number[],
    revision: [] as number[],
    length: [] as number[],
    type: [] as number[],
  };
  readonly #types: string[] = [];
  /** The vectors of all rows, with spare capacity. */
  #vectors = new Int8Array(0);
  readonly #scales: number[] = [];
  #counts = new Uint32Array(4096);
  /** The terms of the passage that is being counted. */
  readonly #touched: number[] = [];
  #touchedCount = 0;

  constructor(spec: SegmentSpec) {
    this.#spec = spec;
  }

  get size(): number {
    return this.#columns.number.length;
  }

  add(chunk: SegmentRow): void {
    const row = this.size;
    const length = this.#countTerms(chunk);
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const term = this.#touched[at] as number;
      this.#postings.add(term, row, this.#counts[term] as number);
      this.#counts[term] = 0;
    }
    this.#columns.number.push(chunk.number);
    this.#columns.revision.push(chunk.revision);
    this.#columns.length.push(length);
    this.#columns.type.push(this.#typeNumber(chunk.type));
    if (this.#spec.dimension === 0) return;
    this.#addVector(row * this.#spec.dimension, chunk.vector);
  }

  #addVector(at: number, vector: SegmentRow["vector"]): void {
    const end = at + this.#spec.dimension;
    if (end > this.#vectors.length) {
      const larger = new Int8Array(bufferSize(2 * end));
      larger.set(this.#vectors);
      this.#vectors = larger;
    }
    if (vector !== undefined) this.#vectors.set(vector.bytes, at);
    this.#scales.push(vector?.scale ?? 0);
  }

  #vectorOf(row: number): Int8Array {
    const { dimension } = this.#spec;
    return this.#vectors.subarray(row * dimension, (row + 1) * dimension);
  }

  /** Writes the segment in short transactions. Returns its ID. */
  async write(store: SqlStore, signal: AbortSignal | undefined): Promise<number> {
    const { id, dialect } = await store.write((sql) => this.#writeSegment(sql));
    const parts = this.#parts(dialect === "sqlite");
    for (let start = 0; start < parts.length; start += PARTS_PER_TRANSACTION) {
      signal?.throwIfAborted();
      await store.write(async (sql) => {
        for (const { name, part, bytes } of parts.slice(start, start + PARTS_PER_TRANSACTION))
          await sql.run(
            "INSERT INTO segment_columns (segment, name, part, bytes) VALUES (?, ?, ?, ?)",
            id,
            name,
            part,
            bytes,
          );
      });
    }
    for (const terms of this.#sortedTerms()) {
      signal?.throwIfAborted();
      await store.write((sql) => this.#writeTerms(sql, id, terms));
      await setImmediate();
    }
    if (dialect === "postgres" && this.#scales.length > 0) {
      const { writeVectors } = await import("./postgres/vectors.js");
      const vectors = this.#scales.map((_, row) => this.#vectorOf(row));
      await writeVectors(store, id, vectors, this.#scales, signal);
    }
    return id;
  }

  async #writeSegment(sql: Sql): Promise<{ readonly id: number; readonly dialect: Sql["dialect"] }> {
    const { collection, embedder, dimension } = this.#spec;
    const row = await sql.get(
      "INSERT INTO segments (collection, embedder, dimension, rows) VALUES (?, ?, ?, ?) RETURNING id",
      collection,
      embedder,
      dimension,
      this.size,
    );
    return { id: Number(row?.["id"]), dialect: sql.dialect };
  }

  async #writeTerms(sql: Sql, id: number, terms: readonly (readonly [string, number])[]): Promise<void> {
    for (let start = 0; start < terms.length; start += TERMS_PER_STATEMENT) {
      const some = terms.slice(start, start + TERMS_PER_STATEMENT);
      const values = some.flatMap(([term, number]): SqlValue[] => [id, term, this.#postings.take(number)]);
      const rows = Array.from({ length: some.length }, () => "(?, ?, ?)").join(", ");
      await sql.run(`INSERT INTO segment_terms (segment, term, postings) VALUES ${rows}`, ...values);
    }
  }

  /** Yields terms in order, so that the database fills its pages sequentially. Sorts in small groups, to keep the event loop responsive. */
  *#sortedTerms(): Iterable<readonly (readonly [string, number])[]> {
    const groups = new Map<string, (readonly [string, number])[]>();
    for (const entry of this.#termNumbers) {
      const start = entry[0].slice(0, 2);
      const group = groups.get(start);
      if (group === undefined) groups.set(start, [entry]);
      else group.push(entry);
    }
    let some: (readonly [string, number])[] = [];
    for (const start of [...groups.keys()].sort()) {
      const group = groups.get(start) ?? [];
      some.push(...group.sort(([one], [other]) => (one < other ? -1 : 1)));
      while (some.length >= TERMS_PER_TRANSACTION) {
        yield some.slice(0, TERMS_PER_TRANSACTION);
        some = some.slice(TERMS_PER_TRANSACTION);
      }
    }
    if (some.length > 0) yield some;
  }

  /** Counts the terms of a passage. Returns its length in terms. */
  #countTerms(chunk: SegmentRow): number {
    let length = 0;
    this.#touchedCount = 0;
    eachField(chunk, (form, count) => {
      const position = form.writer === this.#id ? form.position : this.#locateRow(form);
      if (position >= 0) {
        this.#count(position, count);
        length += count;
        return;
      }
      const terms = this.#several[-1 - position] as readonly number[];
      for (const term of terms) this.#count(term, count);
      length += terms.length * count;
    });
    return length;
  }

  #count(term: number, count: number): void {
    const before = this.#counts[term] as number;
    if (before === 0) this.#touched[this.#touchedCount++] = term;
    this.#counts[term] = before + count;
  }

  /** Returns the term number of a word, or a negative index into `#several` if the word has none or several terms. */
  #locateRow(form: WordForm): number {
    const [first, ...rest] = form.terms.map((term) => this.#numberOf(term));
    const isOne = first !== undefined && rest.length === 0;
    form.writer = this.#id;
    form.position = isOne ? first : -this.#several.push(first === undefined ? [] : [first, ...rest]);
    return form.position;
  }

  #numberOf(term: string): number {
    const known = this.#termNumbers.get(term);
    if (known !== undefined) return known;
    const number = this.#termNumbers.size;
    this.#termNumbers.set(term, number);
    if (number < this.#counts.length) return number;
    const larger = new Uint32Array(number * 2);
    larger.set(this.#counts);
    this.#counts = larger;
    return number;
  }

  #typeNumber(type: string): number {
    const found = this.#types.indexOf(type);
    return found === -1 ? this.#types.push(type) - 1 : found;
  }

  #parts(withVectors: boolean): { readonly name: string; readonly part: number; readonly bytes: Uint8Array }[] {
    const { number, revision, length, type } = this.#columns;
    const columns: [name: string, bytes: Uint8Array][] = [
      ["types", Buffer.from(JSON.stringify(this.#types))],
      ["number", bytesOf(Float64Array.from(number))],
      ["revision", bytesOf(Float64Array.from(revision))],
      ["length", bytesOf(Uint32Array.from(length))],
      ["type", Uint8Array.from(type)],
    ];
    if (withVectors && this.#scales.length > 0)
      columns.push(
        ["scale", bytesOf(Float32Array.from(this.#scales))],
        ["vector", bytesOf(this.#vectors.subarray(0, this.size * this.#spec.dimension))],
      );
    return columns.flatMap(([name, bytes]) =>
      Array.from({ length: Math.max(1, Math.ceil(bytes.length / PART_BYTES)) }, (_, part) => ({
        name,
        part,
        bytes: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
      })),
    );
  }
}

const bytesOf = (array: Float64Array | Float32Array | Uint32Array | Int8Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** A passage to index. `number` is its row in `chunks`. Without a vector, only the search by words finds it. */
export type IndexedChunk = SegmentRow;

/** The maximum number of passages in a segment. It limits the memory of the writer and the size of a vector table. */
const MAX_ROWS = 50_000;
/** How long the loop runs before it yields to the event loop. */
const SLICE_MS = 20;

/** Writes the index of passages. Returns the IDs of the segments. They are not searched until a version refers to them. */
export async function buildSegment(
  store: SqlStore,
  of: SegmentSpec,
  chunks: AsyncIterable<IndexedChunk> | Iterable<IndexedChunk>,
  signal?: AbortSignal,
): Promise<number[]> {
  const ids: number[] = [];
  const dialect = await store.read(async (sql) => sql.dialect);
  const words = dialect === "postgres" ? new (await import("./postgres/phrases.js")).PhraseWriter(store) : undefined;
  let writer = new SegmentWriter(of);
  let lastYield = performance.now();
  for await (const chunk of chunks) {
    writer.add(chunk);
    await words?.add(chunk);
    if (writer.size >= MAX_ROWS) {
      ids.push(await writer.write(store, signal));
      writer = new SegmentWriter(of);
    }
    if (performance.now() - lastYield < SLICE_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    lastYield = performance.now();
  }
  signal?.throwIfAborted();
  await words?.flush();
  if (writer.size > 0) ids.push(await writer.write(store, signal));
  return ids;
}
