import { createHash, hash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Cut } from "../collections/collection.js";
import { kindByName } from "../documents/kind.js";
import type { Source } from "./discover.js";

/** How documents are read and cut. Another number makes the next ingest read all of them again. */
const FORM = 2;

/** How many bytes are hashed without a turn for others. */
const SLICE = 4_000_000;

/** The SHA-256 of bytes, in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= SLICE) return hash("sha256", bytes, "hex");
  const sum = createHash("sha256");
  for (let at = 0; at < bytes.length; at += SLICE) {
    sum.update(bytes.subarray(at, at + SLICE));
    await yieldToEventLoop();
  }
  return sum.digest("hex");
}

const short = (text: string, digits: number): string => hash("sha256", text, "hex").slice(0, digits);

/** What tells whether a document has to be read again: its content, and all that changes how it is read. */
export function fingerprintOf(content: string, { source, title, url, metadata }: Source, cut: Cut): string {
  const pairs = Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const kind = kindByName(source) ?? null;
  return short(JSON.stringify([FORM, content, kind, cut.size, cut.overlap, title ?? null, url ?? null, pairs]), 40);
}

/** The id of a document: the same in all versions of a collection. */
export const documentId = (collection: string, source: string): string =>
  `doc_${short(`${collection}\0${source}`, 16)}`;

/** The id of a passage. */
export const chunkId = (document: string, fingerprint: string, edition: number, ordinal: number): string =>
  `chk_${short(`${document}\0${fingerprint}\0${edition}\0${ordinal}`, 24)}`;

/** What a vector is made of. */
export const embeddedText = (headings: readonly string[], content: string): string =>
  headings.length === 0 ? content : `${headings.join(" > ")}\n${content}`;

/** The name under which a vector is kept. */
export const embeddingHash = (headings: readonly string[], content: string): string =>
  short(embeddedText(headings, content), 32);
