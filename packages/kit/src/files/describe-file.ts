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
export async function describeFile(access: FileAccess, inputPath: string) {
  const found = await access.stat(inputPath);
  if (found === undefined) throw notFound(inputPath);
  const { realPath, stats } = found;
  const isFolder = stats.isDirectory();
  const isLink = await isSymbolicLink(access, inputPath);
  const shown = access.displayPath(realPath);
  return {
    path: isLink ? inputPath : shown,
    kind: entryKind(stats).kind,
    size: stats.size,
    modified: stats.mtime.toISOString(),
    created: stats.birthtime.toISOString(),
    accessed: stats.atime.toISOString(),
    mode: (stats.mode & 0o7777).toString(8).padStart(3, "0"),
    ...(isLink && { link_target: shown }),
    ...(stats.isFile() && (await describeContent(access, inputPath, realPath))),
    git_ignored: await IgnoreRules.ignore(access, realPath, isFolder),
  };
}

/** A file that may be looked at but not read has no more to tell. */
async function describeContent(access: FileAccess, inputPath: string, realPath: string) {
  const file = await access.openFileAt(inputPath, realPath).catch(() => undefined);
  if (file === undefined) return {};
  await using opened = file;
  const reading = readingOf(access, opened);
  const scan = await FileScan.open(reading);
  const { form } = scan;
  const mime = mediaType(realPath, await readAt(reading, 0, HEAD_BYTES), form !== undefined);
  if (reading.size > MOST_READ) return { mime, ...(form !== undefined && { encoding: form.encoding }) };
  const hash = await scan.hash(reading);
  return {
    mime,
    ...(hash !== undefined && { hash }),
    ...(form !== undefined && { encoding: form.encoding, total_lines: await scan.lines(reading) }),
  };
}

/** Whether the last name of a path is a link. Only asked of a path that leads to a place inside. */
async function isSymbolicLink(access: FileAccess, inputPath: string): Promise<boolean> {
  const name = path.basename(inputPath);
  if (inputPath.startsWith("file://") || name === "" || name === "." || name === "..") return false;
  const folder = await access.openFolder(path.dirname(inputPath)).catch(() => undefined);
  if (folder === undefined) return false;
  await using opened = folder;
  const stats = await access.withTimeout(inputPath, () => lstat(opened.at(name))).catch(() => undefined);
  return stats?.isSymbolicLink() ?? false;
}
