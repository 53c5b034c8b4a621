/** More than any pattern has. */
const MOST_LEVELS = 32;
const MOST_COLUMN = 256;
/** Some faults take the composer a time that grows with the square of this. */
const MOST_PIECES = 30_000;

/** The marks that the lexer puts between pieces; they are no part of the text. */
const MARKS = new Set(["\u0002", "\u0018", "\u001f"]);
/** Of these, the one that ends brackets which nobody has closed. */
const BROKEN_OFF = "\u0018";

/** What can be told of a text before it is composed. */
export interface Scan {
  /** Where it is nested deeper than a pattern can be, or has more parts. */
  readonly tooMuch?: number;
  /** Where a quote or bracket opens that nothing closes. */
  readonly unclosed?: number;
}

/**
 * Looks at the pieces of the lexer. The composer of the library goes down one call a level: ten thousand brackets end the process, and
 * nothing can catch that. And what is not closed, it complains of where it ends, not where it begins.
 */
export function scanPieces(pieces: Iterable<string>): Scan {
  const open: number[] = [];
  let offset = 0;
  let lineStart = 0;
  let inLine = 0;
  let count = 0;
  let unclosed: number | undefined;
  for (const piece of pieces) {
    if (piece === BROKEN_OFF) unclosed ??= open.pop();
    if (MARKS.has(piece)) continue;
    if (piece === "[" || piece === "{") open.push(offset);
    else if (piece === "]" || piece === "}") open.pop();
    else if (open.length === 0 && (piece === "-" || piece === "?" || piece === ":")) {
      inLine++;
      if (offset - lineStart > MOST_COLUMN) return { tooMuch: offset };
    } else if (isOpenQuote(piece)) unclosed ??= offset;
    count++;
    if (open.length > MOST_LEVELS || inLine > MOST_LEVELS || count > MOST_PIECES) return { tooMuch: offset };
    offset += piece.length;
    if (piece.includes("\n")) {
      lineStart = offset - (piece.length - 1 - piece.lastIndexOf("\n"));
      inLine = 0;
    }
  }
  unclosed ??= open.at(-1);
  return unclosed === undefined ? {} : { unclosed };
}

const isOpenQuote = (piece: string): boolean =>
  /^["']/.test(piece) && (piece.length === 1 || !piece.endsWith(piece[0] ?? ""));
