import { ToolError } from "@toolwright/engine";
import { decodeText, type FileAccess, formOf, walk } from "@toolwright/kit/files";
import { type ChangedFile, MAX_FILES, readDiff } from "./read-diff.js";
import { listNames } from "./review.js";
import type { Fragment } from "./scan-text.js";
import { sourceLanguage } from "./source-language.js";

/** What is to be reviewed: one of these. */
export interface ReviewInput {
  /** A unified difference. */
  readonly diff?: string | undefined;
  /** Files and folders. */
  readonly files?: readonly string[] | undefined;
  readonly texts?: readonly { readonly path: string; readonly text: string }[] | undefined;
}

/** How many parts of a difference are looked at; each is read on its own. */
const MAX_FRAGMENTS = 5000;

/** The texts to look at, and what is to be said of those that are not among them. */
export interface ReviewSources {
  readonly fragments: readonly Fragment[];
  readonly notes: readonly string[];
}

/** Gathers the texts. Files are read through `reach`, which is asked for only where there are some. Throws a `ToolError`. */
export async function readInput(
  { diff, files, texts }: ReviewInput,
  openReach: () => Promise<FileAccess>,
): Promise<ReviewSources> {
  const count = [diff, files, texts].filter((each) => each !== undefined).length;
  if (count !== 1)
    throw new ToolError(
      `Cannot review ${count === 0 ? "nothing" : "several things at once"}. Give diff, files or texts.`,
      {
        code: "INVALID_ARGUMENTS",
      },
    );
  if (diff !== undefined) return ofDiff(diff, openReach);
  if (files !== undefined) return ofFiles(files, await openReach());
  return { fragments: (texts ?? []).map(({ path, text }) => whole(path, text)), notes: [] };
}

async function ofDiff(diff: string, openReach: () => Promise<FileAccess>): Promise<ReviewSources> {
  const { files, leftOut, merged } = readDiff(diff);
  // Without folders that may be read a difference is still one.
  const reach = await openReach().catch(() => undefined);
  const all: (readonly Fragment[])[] = [];
  for (const file of files) all.push(reach === undefined ? file.fragments : await complete(file, reach));
  const fragments = all.flat();
  const more = fragments.length - MAX_FRAGMENTS;
  return {
    fragments: fragments.slice(0, MAX_FRAGMENTS),
    notes: [
      ...(leftOut === 0 ? [] : [`${leftOut} files of the difference were left out: ${MAX_FILES} is the most.`]),
      ...(more <= 0 ? [] : [`${more} parts of the difference were left out: ${MAX_FRAGMENTS} is the most.`]),
      ...(merged.length === 0
        ? []
        : [
            `Not looked into, for they are being merged: ${listNames(merged)}. Compare with one commit (git diff HEAD).`,
          ]),
    ],
  };
}

async function ofFiles(paths: readonly string[], reach: FileAccess): Promise<ReviewSources> {
  const { files, isMore } = await findFiles(reach, paths, MAX_FILES);
  const fragments: Fragment[] = [];
  const skipped: string[] = [];
  for (const file of files) {
    const { text, reason } = await readFound(reach, file);
    if (text === undefined) skipped.push(`${file.path} (${reason})`);
    else fragments.push(whole(file.path, text));
  }
  return {
    fragments,
    notes: [
      ...(skipped.length === 0 ? [] : [`Not looked into: ${listNames(skipped)}.`]),
      ...(isMore
        ? [`There are more than ${MAX_FILES} files; only the first were looked into. Name fewer folders.`]
        : []),
    ],
  };
}

function whole(file: string, text: string): Fragment {
  const isLong = text.length > MAX_BYTES;
  const kept = isLong ? text.slice(0, MAX_BYTES) : text;
  return { file, text: kept.replaceAll("\r\n", "\n"), firstLine: 1, isCut: isLong };
}

/** How large a file may be that is looked at. */
export const MAX_BYTES = 512 * 1024;

/** A file that was found. */
export interface FoundFile {
  /** As callers see it. */
  readonly path: string;
  readonly place?: string;
}

/** What some paths came to. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Whether there are more files than were wanted. */
  readonly isMore: boolean;
}

/** What other people have written, or programs: nobody wants to hear of it. */
const OTHERS =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|\.venv|venv|site-packages|dist|build|target|out)$/;
const MADE = /\.min\.[cm]?js$|(?:^|\/)[^/]*\.(?:generated|pb|g)\.[a-z]+$/;

/** Finds the files that paths stand for: a file for itself, a folder for all sources in it that git does not ignore. */
export async function findFiles(
  reach: FileAccess,
  paths: readonly string[],
  most: number,
  onProgress: (seen: number) => void = () => undefined,
): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  let seen = 0;
  for (const given of paths) {
    const found = await reach.stat(given);
    if (found?.stats.isDirectory() !== true) {
      // What is not there is said by whoever opens it.
      files.push({ path: found === undefined ? given : reach.displayPath(found.realPath) });
      continue;
    }
    for await (const { realPath: place, relativePath: below, kind } of walk(reach, given, {
      enters: (folder) => !OTHERS.test(folder),
    })) {
      seen += 1;
      if (seen % 1000 === 0) onProgress(seen);
      if (kind !== "file" || MADE.test(below) || sourceLanguage(below) === undefined) continue;
      if (files.length >= most) return { files, isMore: true };
      files.push({ path: reach.displayPath(place), place });
    }
  }
  return { files, isMore: false };
}

/** The text of a file, or why there is none. */
export type ReadFile =
  | { readonly text: string; readonly reason?: never }
  | { readonly text?: never; readonly reason: string };

/** Reads a file that is not too large and is text. Throws a `ToolError` where it cannot be reached. */
export async function readOne(reach: FileAccess, path: string, place?: string): Promise<ReadFile> {
  await using file = place === undefined ? await reach.openFile(path) : await reach.openFileAt(path, place);
  if (file.stats.size > MAX_BYTES) return { reason: `it has more than ${MAX_BYTES / 1024} KiB` };
  const bytes = await reach.withTimeout(path, () => file.handle.readFile());
  const form = formOf(bytes);
  if (form === undefined) return { reason: "it is no text" };
  return { text: decodeText(bytes.subarray(form.bomBytes), form.encoding) };
}

/** The same of a file that a walk has come by, which may be gone by now. */
export async function readFound(reach: FileAccess, { path, place }: FoundFile): Promise<ReadFile> {
  try {
    return await readOne(reach, path, place);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "TIMEOUT" || place === undefined) throw error;
    return { reason: error.message };
  }
}

/** Puts the whole file in place of what a difference shows of it, where the file is here and is the new one: then whole functions are seen. */
export async function complete({ path, fragments }: ChangedFile, reach: FileAccess): Promise<readonly Fragment[]> {
  if (fragments.every(({ firstLine, isCut }) => firstLine === 1 && !isCut)) return fragments;
  // A difference may be of another place, and need not be of files that are here at all.
  const read = await readOne(reach, path).catch(() => undefined);
  if (read?.text === undefined) return fragments;
  const lines = read.text.split(/\r?\n/);
  const isSame = fragments.every(({ text, firstLine }) =>
    text.split("\n").every((line, at) => lines[firstLine - 1 + at] === line),
  );
  if (!isSame) return fragments;
  const changed = new Set(fragments.flatMap((fragment) => [...(fragment.changed ?? [])]));
  return [{ file: path, text: lines.join("\n"), firstLine: 1, isCut: false, changed }];
}
