import type { Sql, SqlValue } from "@toolwright/kit/storage";
import { VectorTable } from "../vectors/vector-table.js";
import { type Postings, readPostings } from "./postings.js";

/** The columns of a segment, in memory. */
export interface SegmentColumns {
  readonly id: number;
  readonly rows: number;
  /** For each row: the number of its passage, its revision, its length, and the index of its type in `types`. */
  readonly number: Float64Array;
  readonly revision: Float64Array;
  readonly length: Uint32Array;
  readonly type: Uint8Array;
  readonly types: readonly string[];
}

/** The vectors of a segment, in memory. */
export interface SegmentVectors {
  readonly table: VectorTable;
  /** One byte per row: 0 = the row has no vector. */
  readonly has: Uint8Array;
  readonly isComplete: boolean;
}

/** Loads the columns of a segment, or returns the cached ones. */
export async function loadColumns(sql: Sql, cache: ByteCache, id: number): Promise<SegmentColumns> {
  const key = `columns ${id}`;
  const known = cache.get(key) as SegmentColumns | undefined;
  if (known !== undefined) return known;
  const number = new Float64Array(await bytesOf(sql, id, "number"));
  const columns = {
    id,
    rows: number.length,
    number,
    revision: new Float64Array(await bytesOf(sql, id, "revision")),
    length: new Uint32Array(await bytesOf(sql, id, "length")),
    type: new Uint8Array(await bytesOf(sql, id, "type")),
    types: JSON.parse(Buffer.from(await bytesOf(sql, id, "types")).toString()) as string[],
  };
  cache.set(key, columns, number.length * 21 + 1000);
  return columns;
}

/** Loads the vectors of a segment, or returns the cached ones. */
export async function loadVectors(sql: Sql, cache: ByteCache, id: number, dimension: number): Promise<SegmentVectors> {
  const key = `vectors ${id}`;
  const known = cache.get(key) as SegmentVectors | undefined;
  if (known !== undefined) return known;
  const scales = new Float32Array(await bytesOf(sql, id, "scale"));
  const table = new VectorTable(dimension);
  table.add(new Int8Array(await bytesOf(sql, id, "vector")), scales);
  const has = Uint8Array.from(scales, (scale) => (scale === 0 ? 0 : 1));
  const vectors = { table, has, isComplete: !has.includes(0) };
  cache.set(key, vectors, scales.length * (dimension * 1.2 + 8) + 100_000);
  return vectors;
}

/** The number of terms per statement. Higher for a server, where each statement is a round trip. */
const TERMS_AT_ONCE = { sqlite: 50, postgres: 1000 } as const;

/** Loads the postings of terms in a segment. Terms that the segment does not contain are not in the map. */
export const loadPostings = (
  sql: Sql,
  cache: ByteCache,
  id: number,
  terms: readonly string[],
): Promise<ReadonlyMap<string, Postings>> =>
  lookUp(sql, cache, terms, {
    prefix: `postings ${id}`,
    text: "SELECT term, postings AS value FROM segment_terms",
    id,
    read: (value) => readPostings(value as Uint8Array),
    bytes: (value) => (value as Uint8Array).length * 8 + 300,
  });

/** Returns the size of the postings of terms in bytes. Terms that the segment does not contain are not in the map. */
export const sizesOf = (
  sql: Sql,
  cache: ByteCache,
  id: number,
  terms: readonly string[],
): Promise<ReadonlyMap<string, number>> =>
  lookUp(sql, cache, terms, {
    prefix: `size ${id}`,
    text: "SELECT term, length(postings) AS value FROM segment_terms",
    id,
    read: Number,
    bytes: () => 150,
  });

/** A query for the terms of a segment, and how to cache the result. */
interface TermLookup<Value> {
  /** The prefix of the cache keys. */
  readonly prefix: string;
  readonly text: string;
  readonly id: number;
  readonly read: (value: SqlValue | undefined) => Value;
  readonly bytes: (value: SqlValue | undefined) => number;
}

async function lookUp<Value>(
  sql: Sql,
  cache: ByteCache,
  terms: readonly string[],
  { prefix, text, id, read, bytes }: TermLookup<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const found = new Map<string, Value>();
  const missing: string[] = [];
  for (const term of terms) {
    const known = cache.get(`${prefix} ${term}`) as Value | undefined;
    if (known === undefined) missing.push(term);
    else found.set(term, known);
  }
  const limit = TERMS_AT_ONCE[sql.dialect];
  for (let start = 0; start < missing.length; start += limit) {
    const some = missing.slice(start, start + limit);
    const marks = some.map(() => "?").join(", ");
    for (const row of await sql.all(`${text} WHERE segment = ? AND term IN (${marks})`, id, ...some)) {
      const term = String(row["term"]);
      const value = read(row["value"]);
      cache.set(`${prefix} ${term}`, value, bytes(row["value"]));
      found.set(term, value);
    }
  }
  return found;
}

async function bytesOf(sql: Sql, id: number, name: string): Promise<ArrayBuffer> {
  const rows = await sql.all(
    "SELECT bytes FROM segment_columns WHERE segment = ? AND name = ? ORDER BY part",
    id,
    name,
  );
  const parts = rows.map((row) => row["bytes"] as Uint8Array);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}

/** A cache that evicts the least recently used entries when it exceeds a number of bytes. */
export class ByteCache {
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: unknown, bytes: number): void {
    this.delete(key);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
