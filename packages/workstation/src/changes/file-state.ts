import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { entryKind } from "@toolwright/kit/files";

/** What is, was or will be in a place, as the journal knows it. */
export type FileState =
  | { readonly kind: "absent" }
  /** `hash` is the whole SHA-256 in hexadecimal, or what `identityOf` says; without a mode, the system chooses one. */
  | { readonly kind: "file"; readonly hash: string; readonly size: number; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder" }
  | { readonly kind: "special"; readonly words: string };

/** What is in a place; of files that are not too large the bytes as well. */
export interface Content {
  readonly state: FileState;
  readonly bytes?: Buffer;
  /** The same for two names of one file. */
  readonly file?: string;
}

/** Nothing is there. */
export const ABSENT: FileState = { kind: "absent" };

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const CHUNK = 1024 * 1024;

/** A larger file is not read: that takes longer than one operation of the file system may. */
export const MOST_HASHED = 64 * 1024 * 1024;

/** Looks at a place; the bytes of a file are kept where it has no more than `most` of them. */
export async function contentAt(place: string, most = 0): Promise<Content> {
  const stats = await lstat(place, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  });
  if (stats === undefined) return { state: ABSENT };
  const file = fileIdOf(stats);
  if (stats.isSymbolicLink()) return { state: { kind: "link", target: await readlink(place) }, file };
  if (stats.isDirectory()) return { state: { kind: "folder" }, file };
  if (!stats.isFile()) return { state: { kind: "special", words: entryKind(stats).words } };
  const handle = await open(place, READ);
  try {
    return await readContent(handle, await handle.stat({ bigint: true }), most);
  } finally {
    await handle.close();
  }
}

async function readContent(handle: FileHandle, stats: BigIntStats, most: number): Promise<Content> {
  const mode = Number(stats.mode) & 0o7777;
  const file = fileIdOf(stats);
  if (stats.size > MOST_HASHED)
    return { state: { kind: "file", hash: identityOf(stats), size: Number(stats.size), mode }, file };
  if (stats.size <= most) {
    const bytes = await handle.readFile();
    return { state: fileOf(bytes, mode), bytes, file };
  }
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, length);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
  return { state: { kind: "file", hash: hash.digest("hex"), size: length, mode }, file };
}

const fileIdOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** What stands for the hash of a large file: whoever writes to it or replaces it changes this, and a move does not. */
const identityOf = (stats: BigIntStats): string => `stat:${fileIdOf(stats)}:${stats.size}:${stats.mtimeNs}`;

/** The state of a file with these bytes. */
export function fileOf(bytes: Uint8Array, mode?: number): FileState {
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { kind: "file", hash, size: bytes.length, ...(mode !== undefined && { mode }) };
}

/** Whether two states hold the same; permissions do not count. */
export function isSame(one: FileState, other: FileState): boolean {
  if (one.kind === "file") return other.kind === "file" && one.hash === other.hash;
  if (one.kind === "link") return other.kind === "link" && one.target === other.target;
  return one.kind === other.kind;
}

/** The hash as callers see it and give it back; a large file has none. */
export const shortHash = (hash: string): string =>
  hash.startsWith("stat:") ? "too large for a hash" : `sha256:${hash.slice(0, 32)}`;
