import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { complete } from "./complete.js";
import type { Piece } from "./look-at-text.js";
import { MOST_FILES, readDiff } from "./read-diff.js";
import { findFiles, MOST_BYTES, readFound } from "./read-files.js";
import { namesOf } from "./review.js";

/** What is to be reviewed: one of these. */
export interface Given {
  /** A unified difference. */
  readonly diff?: string | undefined;
  /** Files and folders. */
  readonly files?: readonly string[] | undefined;
  readonly texts?: readonly { readonly path: string; readonly text: string }[] | undefined;
}

/** How many parts of a difference are looked at; each is read on its own. */
const MOST_PIECES = 5000;

/** The texts to look at, and what is to be said of those that are not among them. */
export interface Gathered {
  readonly pieces: readonly Piece[];
  readonly notes: readonly string[];
}

/** Gathers the texts. Files are read through `reach`, which is asked for only where there are some. Throws a `ToolError`. */
export async function gather({ diff, files, texts }: Given, openReach: () => Promise<FileAccess>): Promise<Gathered> {
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
  return { pieces: (texts ?? []).map(({ path, text }) => whole(path, text)), notes: [] };
}

async function ofDiff(diff: string, openReach: () => Promise<FileAccess>): Promise<Gathered> {
  const { files, leftOut, merged } = readDiff(diff);
  // Without folders that may be read a difference is still one.
  const reach = await openReach().catch(() => undefined);
  const all: (readonly Piece[])[] = [];
  for (const file of files) all.push(reach === undefined ? file.pieces : await complete(file, reach));
  const pieces = all.flat();
  const more = pieces.length - MOST_PIECES;
  return {
    pieces: pieces.slice(0, MOST_PIECES),
    notes: [
      ...(leftOut === 0 ? [] : [`${leftOut} files of the difference were left out: ${MOST_FILES} is the most.`]),
      ...(more <= 0 ? [] : [`${more} parts of the difference were left out: ${MOST_PIECES} is the most.`]),
      ...(merged.length === 0
        ? []
        : [`Not looked into, for they are being merged: ${namesOf(merged)}. Compare with one commit (git diff HEAD).`]),
    ],
  };
}

async function ofFiles(paths: readonly string[], reach: FileAccess): Promise<Gathered> {
  const { files, isMore } = await findFiles(reach, paths, MOST_FILES);
  const pieces: Piece[] = [];
  const skipped: string[] = [];
  for (const file of files) {
    const { text, reason } = await readFound(reach, file);
    if (text === undefined) skipped.push(`${file.path} (${reason})`);
    else pieces.push(whole(file.path, text));
  }
  return {
    pieces,
    notes: [
      ...(skipped.length === 0 ? [] : [`Not looked into: ${namesOf(skipped)}.`]),
      ...(isMore
        ? [`There are more than ${MOST_FILES} files; only the first were looked into. Name fewer folders.`]
        : []),
    ],
  };
}

function whole(file: string, text: string): Piece {
  const isLong = text.length > MOST_BYTES;
  const kept = isLong ? text.slice(0, MOST_BYTES) : text;
  return { file, text: kept.replaceAll("\r\n", "\n"), firstLine: 1, isCut: isLong };
}
