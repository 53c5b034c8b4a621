import { setImmediate } from "node:timers/promises";
import type { SqlStore, SqlValue } from "@toolwright/kit/storage";
import { ensureNearIndexes } from "./near-index.js";

/** Vectors that one statement and one transaction write. */
const A_STATEMENT = 100;
const A_TRANSACTION = 2000;

/** Writes the vectors of a segment in short transactions; a scale of 0 means that there is none. */
export async function writeVectors(
  ledger: SqlStore,
  segment: number,
  vectors: readonly Int8Array[],
  scales: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const places = scales.flatMap((scale, place) => (scale === 0 ? [] : [place]));
  for (let start = 0; start < places.length; start += A_TRANSACTION) {
    signal?.throwIfAborted();
    const some = places.slice(start, start + A_TRANSACTION);
    await ledger.write(async (sql) => {
      for (let at = 0; at < some.length; at += A_STATEMENT) {
        const few = some.slice(at, at + A_STATEMENT);
        const rows = few.map(() => "(?, ?, ?)").join(", ");
        // Cosines are of angles alone, so that the whole numbers do without their scale: half vectors hold them exactly.
        const values = few.flatMap((place): SqlValue[] => [segment, place, literalOf(vectors[place] as Int8Array)]);
        await sql.run(`INSERT INTO segment_vectors (segment, place, vector) VALUES ${rows}`, ...values);
      }
    });
    await setImmediate();
  }
  await ensureNearIndexes(ledger, segment, signal);
}

/** A vector as pgvector reads it. */
export const literalOf = (vector: Int8Array | Float32Array): string => `[${vector.join(",")}]`;
