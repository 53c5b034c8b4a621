import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { decodeText, type FileAccess, formOf, walk } from "@toolwright/kit/files";
import type { OnProgress } from "@toolwright/kit/progress";
import { type ChangedFile, MAX_FILES, parseDiff } from "./parse-diff.js";
import { listNames } from "./review.js";
import type { Fragment } from "./scan-text.js";
import { sourceLanguage } from "./source-language.js";

/** What to review: exactly one of these. */
export interface ReviewInput {
  /** A unified diff. */
  readonly diff?: string | undefined;
  /** The folder that the paths of the diff are relative to. Default: the first root. */
  readonly diffFolder?: string | undefined;
  /** Files and folders. */
  readonly files?: readonly string[] | undefined;
  readonly texts?: readonly { readonly path: string; readonly text: string }[] | undefined;
}

/** How many hunks of a diff are scanned; each is parsed separately. */
const MAX_FRAGMENTS = 5000;

/** The texts to scan, and notes about those that were skipped. */
export interface ReviewSources {
  readonly fragments: readonly Fragment[];
  readonly notes: readonly string[];
}

/** Reads the texts to scan. `openAccess` is called only if files are needed. Throws a `ToolError`. */
export async function readInput(input: ReviewInput, openAccess: () => Promise<FileAccess>): Promise<ReviewSources> {
  const { diff, files, texts } = input;
  const count = [diff, files, texts].filter((each) => each !== undefined).length;
  if (count !== 1)
    throw new ToolError(
      `Cannot review this input: exactly one of diff, files and texts is needed, and ${count} are given.`,
      {
        code: "INVALID_ARGUMENTS",
      },
    );
  if (diff !== undefined) return readDiffInput(diff, input.diffFolder, openAccess);
  if (files !== undefined) return readFilesInput(files, await openAccess());
  return { fragments: (texts ?? []).map((each) => toFragment(each.path, each.text)), notes: [] };
}

async function readDiffInput(
  diff: string,
  folder: string | undefined,
  openAccess: () => Promise<FileAccess>,
): Promise<ReviewSources> {
  const { files, leftOut, merged } = parseDiff(diff);
  // A diff can be reviewed even if no folder can be read.
  const access = await openAccess().catch(() => undefined);
  const all: (readonly Fragment[])[] = [];
  // Git compares hidden files, too.
  const isHidden = (file: string): boolean =>
    folder !== undefined && access?.isVisible(path.join(folder, file)) === false;
  for (const file of files.filter((each) => !isHidden(each.path)))
    all.push(access === undefined ? file.fragments : await expandToFile(file, access, folder));
  const fragments = all.flat();
  const extra = fragments.length - MAX_FRAGMENTS;
  return {
    fragments: fragments.slice(0, MAX_FRAGMENTS),
    notes: [
      ...(leftOut === 0 ? [] : [`${leftOut} files of the diff were skipped: the maximum is ${MAX_FILES}.`]),
      ...(extra <= 0 ? [] : [`${extra} hunks of the diff were skipped: the maximum is ${MAX_FRAGMENTS}.`]),
      ...(merged.length === 0
        ? []
        : [`Skipped, because a merge is in progress: ${listNames(merged)}. Compare with one commit (git diff HEAD).`]),
    ],
  };
}

async function readFilesInput(paths: readonly string[], access: FileAccess): Promise<ReviewSources> {
  const { files, hasMore } = await findFiles(access, paths, { limit: MAX_FILES });
  const fragments: Fragment[] = [];
  const skipped: string[] = [];
  for (const file of files) {
    const { text, reason } = await readFoundFile(access, file);
    if (text === undefined) skipped.push(`${file.path} (${reason})`);
    else fragments.push(toFragment(file.path, text));
  }
  return {
    fragments,
    notes: [
      ...(skipped.length === 0 ? [] : [`Skipped: ${listNames(skipped)}.`]),
      ...(hasMore ? [`Only the first ${MAX_FILES} files were reviewed. Name fewer folders to review the others.`] : []),
    ],
  };
}

function toFragment(file: string, text: string): Fragment {
  const isLong = text.length > MAX_BYTES;
  const kept = isLong ? text.slice(0, MAX_BYTES) : text;
  return { file, text: kept.replaceAll("\r\n", "\n"), firstLine: 1, isCut: isLong };
}

/** The maximum size of a file. */
const MAX_BYTES = 512 * 1024;

/** A file that was found. */
export interface FoundFile {
  /** The path that callers see. */
  readonly path: string;
  readonly realPath?: string;
}

/** The files that paths stand for. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Whether there are more files than the limit. */
  readonly hasMore: boolean;
}

/** Folders of dependencies and of build output. */
const EXCLUDED_FOLDERS =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|\.venv|venv|site-packages|dist|build|target|out)$/;
const GENERATED_FILES = /\.min\.[cm]?js$|(?:^|\/)[^/]*\.(?:generated|pb|g)\.[a-z]+$/;

/** Finds the files that paths stand for: the file itself, or all sources in a folder that git does not ignore. */
export async function findFiles(
  access: FileAccess,
  paths: readonly string[],
  { limit, onProgress }: { readonly limit: number; readonly onProgress?: OnProgress | undefined },
): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  let seen = 0;
  for (const inputPath of paths) {
    const found = await access.stat(inputPath);
    if (found?.stats.isDirectory() !== true) {
      // A missing file is reported when it is read.
      files.push({ path: found === undefined ? inputPath : access.displayPath(found.realPath) });
      continue;
    }
    const enters = (folder: string): boolean => !EXCLUDED_FOLDERS.test(folder);
    for await (const { realPath, relativePath, kind } of walk(access, inputPath, { enters })) {
      seen += 1;
      if (seen % 1000 === 0) onProgress?.({ stage: "Finding files", done: seen, unit: "entries" });
      if (kind !== "file" || GENERATED_FILES.test(relativePath) || sourceLanguage(relativePath) === undefined) continue;
      if (files.length >= limit) return { files, hasMore: true };
      files.push({ path: access.displayPath(realPath), realPath });
    }
  }
  return { files, hasMore: false };
}

/** The text of a file, or the reason why it was skipped. */
export type ReadFile =
  | { readonly text: string; readonly reason?: never }
  | { readonly text?: never; readonly reason: string };

/** Reads a text file. Throws a `ToolError` if it cannot be read. */
async function readTextFile(access: FileAccess, inputPath: string, realPath?: string): Promise<ReadFile> {
  await using file =
    realPath === undefined ? await access.openFile(inputPath) : await access.openFileAt(inputPath, realPath);
  if (file.stats.size > MAX_BYTES) return { reason: `larger than ${MAX_BYTES / 1024} KiB` };
  const bytes = await access.withTimeout(inputPath, () => file.handle.readFile());
  const form = formOf(bytes);
  if (form === undefined) return { reason: "not a text file" };
  return { text: decodeText(bytes.subarray(form.bomBytes), form.encoding) };
}

/** Reads a file. One that was found in a folder may have been deleted since: that is a reason to skip it. */
export async function readFoundFile(access: FileAccess, { path: inputPath, realPath }: FoundFile): Promise<ReadFile> {
  try {
    return await readTextFile(access, inputPath, realPath);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "TIMEOUT" || realPath === undefined) throw error;
    return { reason: error.message };
  }
}

/** Replaces the hunks of a diff by the whole file, if it exists and has the new content: then whole functions are scanned. */
async function expandToFile(
  { path: file, fragments }: ChangedFile,
  access: FileAccess,
  folder: string | undefined,
): Promise<readonly Fragment[]> {
  if (fragments.every(({ firstLine, isCut }) => firstLine === 1 && !isCut)) return fragments;
  // The diff may be about files that do not exist here.
  const read = await readTextFile(access, folder === undefined ? file : path.join(folder, file)).catch(() => undefined);
  if (read?.text === undefined) return fragments;
  const lines = read.text.split(/\r?\n/);
  const isSame = fragments.every(({ text, firstLine }) =>
    text.split("\n").every((line, at) => lines[firstLine - 1 + at] === line),
  );
  if (!isSame) return fragments;
  const changed = new Set(fragments.flatMap((fragment) => [...(fragment.changed ?? [])]));
  return [{ file, text: lines.join("\n"), firstLine: 1, isCut: false, changed }];
}
