import { type Column, drawTable, visible } from "@toolwright/kit/terminal";
import { count } from "../format.js";
import type { Desk } from "./deed.js";
import { forPeople } from "./words.js";

/** How many rows a table has where nothing else is said. */
export const USUAL_ROWS = 15;

/** A heading, a table with the first rows, and what is left of them. */
export function section<Row>(
  { paint, width }: Pick<Desk, "paint" | "width">,
  name: string,
  columns: readonly Column<Row>[],
  { rows, most }: { readonly rows: readonly Row[]; readonly most: number },
): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, most);
  const left = rows.length - shown.length;
  return [
    "",
    paint.bold(name),
    drawTable(columns, shown, { width, head: paint.faint }),
    ...(left > 0 ? [paint.faint(`and ${count(left)} more`)] : []),
  ];
}

/** Remarks of the pack, in the words of the command line. */
export const remarks = ({ paint }: Pick<Desk, "paint">, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", ...lines.map((line) => paint.yellow(`! ${visible(forPeople(line))}`))];

/** Files that could not be measured, or only in part. */
export function skippedFiles(
  desk: Pick<Desk, "paint" | "width">,
  skipped: readonly { readonly path: string; readonly reason: string }[],
): string[] {
  return section<{ readonly path: string; readonly reason: string }>(
    desk,
    "Not measured, or only in part",
    [
      { name: "file", text: ({ path }) => path, gives: "path" },
      { name: "reason", text: ({ reason }) => reason, gives: "words" },
    ],
    { rows: skipped, most: 5 },
  );
}
