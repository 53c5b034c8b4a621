import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { kindOf } from "../../../files/kind-of.js";

/** What is, was or will be in a place, as the journal knows it. */
export type FileState =
  | { readonly kind: "absent" }
  /** `hash` is the whole SHA-256 in hexadecimal; without a mode, the system chooses one. */
  | { readonly kind: "file"; readonly hash: string; readonly size: number; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder" }
  | { readonly kind: "special"; readonly words: string };

/** What is in a place; of files that are not too large the bytes as well. */
export interface Content {
  readonly state: FileState;
  readonly bytes?: Buffer;
}

/** Nothing is there. */
export const ABSENT: FileState = { kind: "absent" };

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const CHUNK = 1024 * 1024;

/** Looks at a place; the bytes of a file are kept where it has no more than `most` of them. */
export async function contentAt(place: string, most = 0): Promise<Content> {
  const stats = await lstat(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  });
  if (stats === undefined) return { state: ABSENT };
  if (stats.isSymbolicLink()) return { state: { kind: "link", target: await readlink(place) } };
  if (stats.isDirectory()) return { state: { kind: "folder" } };
  if (!stats.isFile()) return { state: { kind: "special", words: kindOf(stats).words } };
  const handle = await open(place, READ);
  try {
    return await readContent(handle, await handle.stat(), most);
  } finally {
    await handle.close();
  }
}

async function readContent(handle: FileHandle, { size, mode }: Stats, most: number): Promise<Content> {
  if (size <= most) {
    const bytes = await handle.readFile();
    return { state: fileOf(bytes, mode & 0o7777), bytes };
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
  return { state: { kind: "file", hash: hash.digest("hex"), size: length, mode: mode & 0o7777 } };
}

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

/** The hash as callers see it and give it back. */
export const shortHash = (hash: string): string => `sha256:${hash.slice(0, 32)}`;
