import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Call, ToolError } from "@toolwright/engine";
import { type OpenEntry, temporaryName } from "@toolwright/kit/files";
import type { Base, Caller } from "../base.js";
import { answeringVersion, findCollection } from "../collections/find-collection.js";
import { linesOfPack } from "./write-pack.js";

/** What is to be written out, and where to. */
export interface ExportWish {
  readonly collection: string;
  readonly version?: number | undefined;
  /** A file that ends with ".kbpack". */
  readonly path: string;
  /** Whether vectors go with it; yes by default. */
  readonly vectors?: boolean | undefined;
}

/** What was written. */
export interface Exported {
  readonly path: string;
  readonly collection: string;
  readonly version: number;
  readonly documents: number;
  readonly chunks: number;
  /** "" = it has no vectors. */
  readonly embedder: string;
  readonly bytes: number;
}

/** Writes one version of a collection into one file, with a checksum over all of it. */
export async function exportCollection(
  base: Base,
  call: Caller & Pick<Call, "progress">,
  wish: ExportWish,
): Promise<Exported> {
  const { vectors = true, path } = wish;
  if (!path.endsWith(".kbpack"))
    throw new ToolError(`Cannot export to ${JSON.stringify(path)}: the name has to end with ".kbpack".`, {
      code: "INVALID_ARGUMENT",
      details: { path },
    });
  const ledger = await base.ledger();
  const { collection, version } = await ledger.read(async (sql) => {
    const found = await findCollection(sql, wish.collection);
    return { collection: found, version: await answeringVersion(sql, found, wish.version) };
  });
  const reach = await base.reach(call);
  await using entry = await reach.openEntry(path, { create: true });
  const hear = (done: number): void => {
    if (done % 100 === 0)
      call.progress(done / Math.max(1, version.documents), `${done} of ${version.documents} documents`);
  };
  const { signal } = call;
  const lines = linesOfPack({ ledger, collection, version, vectors, at: base.now(), hear, signal });
  const bytes = await writeFile(entry, lines, signal);
  return {
    path: reach.show(entry.place),
    collection: collection.name,
    version: version.number,
    documents: version.documents,
    chunks: version.chunks,
    embedder: vectors ? version.embedder : "",
    bytes,
  };
}

/** At each moment the file is entirely old or entirely new; it is never in memory as a whole. */
async function writeFile(entry: OpenEntry, lines: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
  const temporary = entry.folder.at(temporaryName());
  const handle = await open(temporary, "wx");
  try {
    try {
      await pipeline(Readable.from(lines), createGzip(), (packed) => append(handle, packed), { signal });
      await handle.sync();
    } finally {
      await handle.close();
    }
    const { size } = await stat(temporary);
    await rename(temporary, entry.path);
    await entry.folder.sync();
    return size;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function append(handle: FileHandle, packed: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const bytes of packed) await handle.appendFile(bytes);
}
