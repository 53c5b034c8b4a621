import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { insertRows, type SqlRow } from "@toolwright/kit/storage";
import type { Embedder } from "../embedders/embedder.js";
import { quantise } from "../vectors/quantise.js";
import { embeddedText } from "./fingerprint.js";
import type { IngestRun } from "./run.js";

/** The number of batches that are collected before the embedder is called, to save transactions. */
const BATCHES = 4;
/** The number of passages in memory at once. */
const PAGE = 256;

/** Creates the missing vectors of some revisions. `onProgress` is called with the number of passages that have vectors. */
export async function embedChunks(
  run: IngestRun,
  embedder: Embedder,
  revisions: readonly number[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const yieldTimer = new YieldTimer();
  const waiting = new Map<string, string>();
  let done = 0;
  const flush = async (): Promise<void> => {
    await embedAll(run, embedder, waiting, signal);
    waiting.clear();
    onProgress(done);
  };
  for (const revision of revisions) {
    const before = done;
    for (let rows = await readMissing(run, embedder, revision, -1); ; ) {
      for (const { ordinal, hash, headings, content } of rows) {
        waiting.set(String(hash), embeddedText(JSON.parse(String(headings)) as string[], String(content)));
        done = before + Number(ordinal) + 1;
        if (waiting.size >= embedder.batch * BATCHES) await flush();
      }
      if (rows.length < PAGE) break;
      rows = await readMissing(run, embedder, revision, Number(rows.at(-1)?.["ordinal"]));
    }
    done = before + (await countPassages(run, revision));
    await yieldTimer.yieldIfDue();
  }
  await flush();
}

/** Reads passages of a revision without a vector, after the given one. */
function readMissing(
  { store }: IngestRun,
  { name }: Embedder,
  revision: number,
  after: number,
): Promise<readonly SqlRow[]> {
  return store.read((sql) =>
    sql.all(
      `SELECT c.ordinal, c.hash, c.headings, c.content FROM chunks c WHERE c.revision = ? AND c.ordinal > ?
       AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.hash = c.hash AND e.embedder = ?) ORDER BY c.ordinal LIMIT ?`,
      revision,
      after,
      name,
      PAGE,
    ),
  );
}

async function countPassages({ store }: IngestRun, revision: number): Promise<number> {
  const row = await store.read((sql) => sql.get("SELECT chunks FROM revisions WHERE id = ?", revision));
  return Number(row?.["chunks"]);
}

async function embedAll(
  run: IngestRun,
  embedder: Embedder,
  texts: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const entries = [...texts];
  const yieldTimer = new YieldTimer();
  const made: { readonly hash: string; readonly bytes: Uint8Array; readonly scale: number }[] = [];
  for (let at = 0; at < entries.length; at += embedder.batch) {
    signal.throwIfAborted();
    const some = entries.slice(at, at + embedder.batch);
    const vectors = await embedder.embed(
      some.map(([, text]) => text),
      { kind: "passage", signal },
    );
    for (const [index, [hash]] of some.entries()) {
      const { bytes, scale } = quantise(vectors[index] as Float32Array);
      made.push({ hash, scale, bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) });
    }
    await yieldTimer.yieldIfDue();
  }
  if (made.length === 0) return;
  await run.write((sql) =>
    insertRows(
      sql,
      "INSERT INTO embeddings (embedder, hash, scale, vector)",
      made.map(({ hash, bytes, scale }) => [embedder.name, hash, scale, bytes]),
      "ON CONFLICT (hash, embedder) DO NOTHING",
    ),
  );
}

/** The time that work runs before it yields to the event loop. */
const SLICE_MS = 10;

/** Yields to the event loop periodically. Awaiting settled promises alone does not. */
export class YieldTimer {
  #since = performance.now();

  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}
