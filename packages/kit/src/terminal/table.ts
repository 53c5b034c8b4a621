import { visibleLine, visibleName } from "./visible.js";

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly text: (row: Row) => string;
  /** Numbers stand at the right. */
  readonly isNumber?: true;
  /** Gives way where the screen is narrow: of a path the end is kept, of words the beginning. */
  readonly gives?: "path" | "words";
  /** Colours the text of a row, which has its full width by then. */
  readonly paint?: (shown: string, row: Row) => string;
}

/** The least that is left of a column that gives way. */
const LEAST = 12;

const GAP = "  ";

/** Draws rows under the names of their columns, no wider than a screen where that can be. */
export function drawTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, head }: { readonly width: number; readonly head: (text: string) => string },
): string {
  const cells = rows.map((row) =>
    columns.map(({ text, gives }) => (gives === "path" ? visibleName : visibleLine)(text(row))),
  );
  const widths = columns.map(({ name }, index) =>
    Math.max(widthOf(name), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  narrow(columns, widths, width);
  const lines = cells.map((line, at) =>
    columns
      .map((column, index) => {
        const shown = place(line[index] ?? "", widths[index] ?? 0, column, index === columns.length - 1);
        const row = rows[at];
        return column.paint === undefined || row === undefined ? shown : column.paint(shown, row);
      })
      .join(GAP),
  );
  const names = columns.map((column, index) =>
    place(column.name, widths[index] ?? 0, column, index === columns.length - 1),
  );
  return [head(names.join(GAP)), ...lines].join("\n");
}

/** Takes from the widest of the columns that give way until all fits. */
function narrow<Row>(columns: readonly Column<Row>[], widths: number[], room: number): void {
  let over = widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) - room;
  const giving = columns.flatMap(({ gives }, index) => (gives === undefined ? [] : [index]));
  while (over > 0) {
    const [widest] = giving.toSorted((left, right) => (widths[right] ?? 0) - (widths[left] ?? 0));
    if (widest === undefined || (widths[widest] ?? 0) <= LEAST) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
}

function place<Row>(text: string, width: number, { gives, isNumber }: Column<Row>, isLast: boolean): string {
  const shown = gives === undefined ? text : cut(text, width, gives);
  const pad = " ".repeat(Math.max(0, width - widthOf(shown)));
  if (isNumber) return pad + shown;
  return isLast ? shown : shown + pad;
}

/** A text that is no wider than `width`. */
export function cut(text: string, width: number, keeps: "path" | "words"): string {
  if (widthOf(text) <= width) return text;
  const signs = Array.from(text);
  while (signs.length > 0 && widthOf(signs.join("")) > width - 1) {
    if (keeps === "path") signs.shift();
    else signs.pop();
  }
  return keeps === "path" ? `…${signs.join("")}` : `${signs.join("")}…`;
}

/** How many columns of a screen a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) if (!NO_WIDTH.test(sign)) width += WIDE.test(sign) ? 2 : 1;
  return width;
}

const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
