import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { decodeText, entryKind, formOf } from "@toolwright/kit/files";

/** What is, was or will be at a path, as the journal records it. */
export type FileState =
  | { readonly kind: "absent" }
  /** `hash` is the whole SHA-256 in hexadecimal, or what `identityOf` returns. Without a mode, the system chooses one. */
  | { readonly kind: "file"; readonly hash: string; readonly size: number; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder" }
  | { readonly kind: "special"; readonly words: string };

/** What is at a path, with the bytes of files that are not too large. */
export interface Content {
  readonly state: FileState;
  readonly bytes?: Buffer;
  /** The same for two names of one file. */
  readonly file?: string;
}

/** Nothing is there. */
export const ABSENT: FileState = { kind: "absent" };

const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const CHUNK_BYTES = 1024 * 1024;

/** A larger file is not read: that takes longer than one operation of the file system may. */
export const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Larger contents are not compared line by line. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** Reads what is at a path. The bytes of a file are returned if it has at most `maxBytes`. */
export async function contentAt(realPath: string, maxBytes = 0): Promise<Content> {
  const stats = await lstat(realPath, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  });
  if (stats === undefined) return { state: ABSENT };
  const file = fileIdOf(stats);
  if (stats.isSymbolicLink()) return { state: { kind: "link", target: await readlink(realPath) }, file };
  if (stats.isDirectory()) return { state: { kind: "folder" }, file };
  if (!stats.isFile()) return { state: { kind: "special", words: entryKind(stats).words } };
  const handle = await open(realPath, READ_FLAGS);
  try {
    return await readContent(handle, await handle.stat({ bigint: true }), maxBytes);
  } finally {
    await handle.close();
  }
}

async function readContent(handle: FileHandle, stats: BigIntStats, maxBytes: number): Promise<Content> {
  const mode = Number(stats.mode) & 0o7777;
  const file = fileIdOf(stats);
  if (stats.size > MAX_READ_BYTES)
    return { state: { kind: "file", hash: identityOf(stats), size: Number(stats.size), mode }, file };
  if (stats.size <= maxBytes) {
    const bytes = await handle.readFile();
    return { state: fileStateOf(bytes, mode), bytes, file };
  }
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, length);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
  return { state: { kind: "file", hash: hash.digest("hex"), size: length, mode }, file };
}

const fileIdOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Stands for the hash of a large file: writing or replacing the file changes it, moving the file does not. */
const identityOf = (stats: BigIntStats): string => `stat:${fileIdOf(stats)}:${stats.size}:${stats.mtimeNs}`;

/** The state of a file with these bytes. */
export function fileStateOf(bytes: Uint8Array, mode?: number): FileState {
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { kind: "file", hash, size: bytes.length, ...(mode !== undefined && { mode }) };
}

/** Whether two states have the same content. Permissions are not compared. */
export function isSame(left: FileState, right: FileState): boolean {
  if (left.kind === "file") return right.kind === "file" && left.hash === right.hash;
  if (left.kind === "link") return right.kind === "link" && left.target === right.target;
  return left.kind === right.kind;
}

/** The hash as callers see it and send it back. A large file has none. */
export const shortHash = (hash: string): string =>
  hash.startsWith("stat:") ? "too large for a hash" : `sha256:${hash.slice(0, 32)}`;

/** Decodes a text; undefined for binary content, and for content that is too large to be compared. */
export function toText(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length > MAX_TEXT_BYTES) return undefined;
  const form = formOf(bytes);
  return form && decodeText(bytes.subarray(form.bomBytes), form.encoding);
}

/** Truncates a diff, with a line that says how much is missing. */
export function truncateDiff(diff: string, maxLength: number): string {
  if (diff.length <= maxLength) return diff;
  const end = diff.lastIndexOf("\n", maxLength) + 1;
  const left = diff.slice(end).split("\n").length - 1;
  return `${diff.slice(0, end)}… ${left} more lines\n`;
}
