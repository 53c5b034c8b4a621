import type { Stats } from "node:fs";

/** What can be in a folder. */
export type Kind = "file" | "directory" | "symlink" | "fifo" | "socket" | "device" | "other";

/** What something of the file system is: for programs, and in words. */
export function entryKind(stats: Pick<Stats, keyof typeof LOOKS>): { readonly kind: Kind; readonly words: string } {
  for (const [look, kind, words] of KINDS) if (stats[look]()) return { kind, words };
  return { kind: "other", words: "something unknown" };
}

const LOOKS = {
  isFile: true,
  isDirectory: true,
  isSymbolicLink: true,
  isFIFO: true,
  isSocket: true,
  isBlockDevice: true,
  isCharacterDevice: true,
} as const;

const KINDS: readonly (readonly [keyof typeof LOOKS, Kind, string])[] = [
  ["isFile", "file", "a file"],
  ["isDirectory", "directory", "a folder"],
  ["isSymbolicLink", "symlink", "a symbolic link"],
  ["isFIFO", "fifo", "a named pipe"],
  ["isSocket", "socket", "a socket"],
  ["isBlockDevice", "device", "a device"],
  ["isCharacterDevice", "device", "a device"],
];
