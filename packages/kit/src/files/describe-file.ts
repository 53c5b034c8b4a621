import { lstat } from "node:fs/promises";
import path from "node:path";
import { notFound } from "./errors.js";
import type { FileAccess } from "./file-access.js";
import { FileScan, readAt, readingOf } from "./file-scan.js";
import { entryKind } from "./file-stats.js";
import { IgnoreRules } from "./ignore-rules.js";
import { mediaType } from "./media.js";

/** A larger file is not read for what can only be said of its content. */
const MOST_READ = 8 * 1024 * 1024;
const HEAD_BYTES = 512;

/** Tells what there is to know of a path; a link that stays inside is followed. */
export async function describeFile(reach: FileAccess, given: string) {
  const found = await reach.look(given);
  if (found === undefined) throw notFound(given);
  const { place, stats } = found;
  const isFolder = stats.isDirectory();
  const isLink = await isSymbolicLink(reach, given);
  const shown = reach.show(place);
  return {
    path: isLink ? given : shown,
    kind: entryKind(stats).kind,
    size: stats.size,
    modified: stats.mtime.toISOString(),
    created: stats.birthtime.toISOString(),
    accessed: stats.atime.toISOString(),
    mode: (stats.mode & 0o7777).toString(8).padStart(3, "0"),
    ...(isLink && { link_target: shown }),
    ...(stats.isFile() && (await describeContent(reach, given, place))),
    git_ignored: await IgnoreRules.ignore(reach, place, isFolder),
  };
}

/** A file that may be looked at but not read has no more to tell. */
async function describeContent(reach: FileAccess, given: string, place: string) {
  const file = await reach.openFound(given, place).catch(() => undefined);
  if (file === undefined) return {};
  await using opened = file;
  const reading = readingOf(reach, opened);
  const scan = await FileScan.open(reading);
  const { form } = scan;
  const mime = mediaType(place, await readAt(reading, 0, HEAD_BYTES), form !== undefined);
  if (reading.size > MOST_READ) return { mime, ...(form !== undefined && { encoding: form.encoding }) };
  const hash = await scan.hash(reading);
  return {
    mime,
    ...(hash !== undefined && { hash }),
    ...(form !== undefined && { encoding: form.encoding, total_lines: await scan.lines(reading) }),
  };
}

/** Whether the last name of a path is a link. Only asked of a path that leads to a place inside. */
async function isSymbolicLink(reach: FileAccess, given: string): Promise<boolean> {
  const name = path.basename(given);
  if (given.startsWith("file://") || name === "" || name === "." || name === "..") return false;
  const folder = await reach.openFolder(path.dirname(given)).catch(() => undefined);
  if (folder === undefined) return false;
  await using opened = folder;
  const stats = await reach.attempt(given, () => lstat(opened.at(name))).catch(() => undefined);
  return stats?.isSymbolicLink() ?? false;
}
