import { realpath, type Stats, stat } from "node:fs";

/** Resolves the links of a path. A start does that, and Node's promises for files take milliseconds to load. */
export const resolveRealPath = (realPath: string): Promise<string> =>
  new Promise((resolve, reject) => {
    realpath.native(realPath, (error, found) => (error === null ? resolve(found) : reject(error)));
  });

/** Looks at what is at a path, as cheaply. */
export const statFile = (realPath: string): Promise<Stats> =>
  new Promise((resolve, reject) => {
    stat(realPath, (error, found) => (error === null ? resolve(found) : reject(error)));
  });

/** What can be in a folder. */
export type Kind = "file" | "directory" | "symlink" | "fifo" | "socket" | "device" | "other";

/** What something of the file system is: for programs, and in words. */
export function entryKind(stats: Pick<Stats, keyof typeof LOOKS>): { readonly kind: Kind; readonly words: string } {
  for (const [test, kind, words] of KINDS) if (stats[test]()) return { kind, words };
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
