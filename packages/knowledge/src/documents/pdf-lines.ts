/** A piece of text as the PDF reader gives it. */
export interface PdfItem {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  readonly transform: readonly number[];
}

/** A line of a page: its words, how high they are, and how far above the foot of the page. */
export interface PdfLine {
  readonly text: string;
  readonly height: number;
  readonly foot: number;
}

/** Puts the pieces of a page together to lines. */
export function toLines(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let [text, height, foot] = ["", 0, 0];
  const close = (): void => {
    const plain = text.replaceAll(/[\s\0]+/g, " ").trim();
    if (plain !== "") lines.push({ text: plain, height, foot });
    [text, height] = ["", 0];
  };
  for (const item of items) {
    if (item.str.trim() !== "") {
      if (text === "") foot = item.transform[5] ?? 0;
      height = Math.max(height, item.height);
    }
    text += item.str;
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

/** The height that most of a page's text has. */
export function bodyHeight(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const { height, text } of lines)
    counts.set(Math.round(height), (counts.get(Math.round(height)) ?? 0) + text.length);
  let [best, most] = [0, 0];
  for (const [height, count] of counts) if (count > most) [best, most] = [height, count];
  return best;
}

const LONGEST_HEADING = 150;

/** The level of a heading, by how much higher it is than the text around it; 0 = it is none. */
export function levelOf({ text, height }: PdfLine, body: number): number {
  if (body === 0 || text.length > LONGEST_HEADING || !/\p{L}/u.test(text)) return 0;
  const ratio = height / body;
  return ratio >= 1.7 ? 1 : ratio >= 1.35 ? 2 : ratio >= 1.15 ? 3 : 0;
}

/** Whether a paragraph ends between two lines: there is more room than between lines of one. */
export function isApart(above: PdfLine, below: PdfLine): boolean {
  const step = above.foot - below.foot;
  return step < 0 || step > 1.7 * Math.max(above.height, below.height);
}
