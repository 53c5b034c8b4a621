import type { FileAccess } from "@toolwright/kit/files";
import type { Piece } from "./look-at-text.js";
import type { ChangedFile } from "./read-diff.js";
import { readOne } from "./read-files.js";

/** Puts the whole file in place of what a difference shows of it, where the file is here and is the new one: then whole functions are seen. */
export async function complete({ path, pieces }: ChangedFile, reach: FileAccess): Promise<readonly Piece[]> {
  if (pieces.every(({ firstLine, isCut }) => firstLine === 1 && !isCut)) return pieces;
  // A difference may be of another place, and need not be of files that are here at all.
  const read = await readOne(reach, path).catch(() => undefined);
  if (read?.text === undefined) return pieces;
  const lines = read.text.split(/\r?\n/);
  const isSame = pieces.every(({ text, firstLine }) =>
    text.split("\n").every((line, at) => lines[firstLine - 1 + at] === line),
  );
  if (!isSame) return pieces;
  const changed = new Set(pieces.flatMap((piece) => [...(piece.changed ?? [])]));
  return [{ file: path, text: lines.join("\n"), firstLine: 1, isCut: false, changed }];
}
