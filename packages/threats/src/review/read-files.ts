import { ToolError } from "@toolwright/engine";
import { decodeText, type FileAccess, formOf, walk } from "@toolwright/kit/files";
import { sourceLanguage } from "./languages.js";

/** How large a file may be that is looked at. */
export const MOST_BYTES = 512 * 1024;

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
  hear: (seen: number) => void = () => undefined,
): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  let seen = 0;
  for (const given of paths) {
    const found = await reach.look(given);
    if (found?.stats.isDirectory() !== true) {
      // What is not there is said by whoever opens it.
      files.push({ path: found === undefined ? given : reach.show(found.place) });
      continue;
    }
    for await (const { place, below, kind } of walk(reach, given, { enters: (folder) => !OTHERS.test(folder) })) {
      seen += 1;
      if (seen % 1000 === 0) hear(seen);
      if (kind !== "file" || MADE.test(below) || sourceLanguage(below) === undefined) continue;
      if (files.length >= most) return { files, isMore: true };
      files.push({ path: reach.show(place), place });
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
  await using file = place === undefined ? await reach.openFile(path) : await reach.openFound(path, place);
  if (file.stats.size > MOST_BYTES) return { reason: `it has more than ${MOST_BYTES / 1024} KiB` };
  const bytes = await reach.attempt(path, () => file.handle.readFile());
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
