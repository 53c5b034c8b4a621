import { cut, visibleLine, visibleName, widthOf } from "./text.js";

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly text: (row: Row) => string;
  /** Aligned to the right. */
  readonly isNumber?: true;
  /** Shortened on narrow screens: of a path the end is kept, of words the beginning. */
  readonly gives?: "path" | "words";
  /** Colours a cell, which is padded by then. */
  readonly paint?: (shown: string, row: Row) => string;
}

/** The minimum width of a shortened column. */
const MIN_WIDTH = 12;

const GAP = "  ";

/** Draws a table, at most as wide as the screen if possible. */
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

/** Narrows the widest of the shortened columns until the table fits. */
function narrow<Row>(columns: readonly Column<Row>[], widths: number[], room: number): void {
  let over = widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) - room;
  const giving = columns.flatMap(({ gives }, index) => (gives === undefined ? [] : [index]));
  while (over > 0) {
    const [widest] = giving.toSorted((left, right) => (widths[right] ?? 0) - (widths[left] ?? 0));
    if (widest === undefined || (widths[widest] ?? 0) <= MIN_WIDTH) return;
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
