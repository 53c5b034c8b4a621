import path from "node:path";
import type { Member } from "./members.js";
import type { Discovered } from "./source.js";

/** The paths of all files that were come by, taken or not. */
export const seenIn = ({ sources, refused }: Discovered): ReadonlySet<string> =>
  new Set([...sources, ...refused].map(({ source }) => source));

/** The documents of before whose files should have been come by, and were not. */
export function goneFrom(parent: ReadonlyMap<string, Member>, found: Discovered): readonly Member[] {
  const { folders, missing } = found;
  const seen = seenIn(found);
  const isGone = (source: string): boolean =>
    folders.some((folder) => (folder === "" ? !path.isAbsolute(source) : source.startsWith(folder))) ||
    missing.some((one) => source === one || source.startsWith(`${one}/`));
  return [...parent.values()].filter(({ source, origin }) => origin === "file" && !seen.has(source) && isGone(source));
}
