import { createHash, hash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Cut } from "../collections/collection.js";
import { kindByName } from "../documents/kind.js";
import type { Source } from "./discover.js";

/** The version of the reading and splitting rules. Increment it to make the next ingest read all documents again. */
const FORM = 2;

/** The number of bytes that are hashed before yielding. */
const SLICE = 4_000_000;

/** Computes the SHA-256 of bytes in hexadecimal. */
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

/** The fingerprint of a document: a hash of its content and of everything that affects how it is read. */
export function fingerprintOf(content: string, { source, title, url, metadata }: Source, cut: Cut): string {
  const pairs = Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const kind = kindByName(source) ?? null;
  return short(JSON.stringify([FORM, content, kind, cut.size, cut.overlap, title ?? null, url ?? null, pairs]), 40);
}

/** The id of a document, which is the same in all versions of a collection. */
export const documentId = (collection: string, source: string): string =>
  `doc_${short(`${collection}\0${source}`, 16)}`;

/** The id of a chunk: the same as long as its text and position are. */
export const chunkId = (document: string, fingerprint: string, edition: number, ordinal: number): string =>
  `chk_${short(`${document}\0${fingerprint}\0${edition}\0${ordinal}`, 24)}`;

/** The text from which a vector is created. */
export const embeddedText = (headings: readonly string[], content: string): string =>
  headings.length === 0 ? content : `${headings.join(" > ")}\n${content}`;

/** The key under which a vector is stored. */
export const embeddingHash = (headings: readonly string[], content: string): string =>
  short(embeddedText(headings, content), 32);
