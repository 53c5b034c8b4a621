import { setImmediate } from "node:timers/promises";
import type { SqlStore } from "@toolwright/kit/storage";
import { type SegmentPlace, type SegmentRow, SegmentWriter } from "./segment-writer.js";

/** A passage as the index takes it; `number` is that of its row in `chunks`, and without a vector only words find it. */
export type IndexedChunk = SegmentRow;

/** The most passages of a segment: what is gathered in memory, and what one table of vectors has. */
const MOST_ROWS = 50_000;
/** How long passages are taken without a turn for others. */
const SLICE_MS = 20;

/** Writes the index of passages. Gives the ids of the segments; nobody sees them until a version names them. */
export async function buildSegment(
  ledger: SqlStore,
  of: SegmentPlace,
  chunks: AsyncIterable<IndexedChunk> | Iterable<IndexedChunk>,
  signal?: AbortSignal,
): Promise<number[]> {
  const ids: number[] = [];
  const dialect = await ledger.read(async (sql) => sql.dialect);
  const words =
    dialect === "postgres" ? new (await import("./postgres/chunk-words.js")).WordsWriter(ledger) : undefined;
  let writer = new SegmentWriter(of);
  let turn = performance.now();
  for await (const chunk of chunks) {
    writer.add(chunk);
    await words?.add(chunk);
    if (writer.size >= MOST_ROWS) {
      ids.push(await writer.write(ledger, signal));
      writer = new SegmentWriter(of);
    }
    if (performance.now() - turn < SLICE_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    turn = performance.now();
  }
  signal?.throwIfAborted();
  await words?.flush();
  if (writer.size > 0) ids.push(await writer.write(ledger, signal));
  return ids;
}
