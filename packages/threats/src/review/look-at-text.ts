import { type CodeCheck, holdsIn } from "./checks.js";
import { type Confidence, Judge } from "./judge.js";
import type { SourceLanguage } from "./languages.js";
import { readText } from "./read-text.js";
import type { Section } from "./sections.js";
import { type Span, searchInTime } from "./timed-search.js";

/** A text to be looked at: a whole file, or what a difference shows of one. */
export interface Piece {
  readonly file: string;
  readonly text: string;
  /** The number of the first line of the text in its file. */
  readonly firstLine: number;
  /** Whether the file may have more after it; what comes before is known from the first line. */
  readonly isCut: boolean;
  /** The lines, in the file, of which sightings are wanted; undefined = all. */
  readonly changed?: ReadonlySet<number> | undefined;
}

/** A line that does a risky thing. */
export interface Sighting {
  readonly check: CodeCheck;
  readonly file: string;
  readonly line: number;
  /** The line itself. */
  readonly text: string;
  /** The function, or whatever else it lies in. */
  readonly section?: string;
  /** How sure it is that the check is missing; undefined = it is there. */
  readonly confidence?: Confidence;
  /** The function goes on outside of what was given. */
  readonly isCut?: true;
}

/** Hears of checks that have no answer. */
export interface Unanswered {
  /** It takes too long by itself. */
  slow(check: CodeCheck): void;
  /** All of them together take too long with this text. */
  late(check: CodeCheck): void;
}

const CONFIDENCES = ["high", "medium", "low"] as const;
const MOST_TEXT = 160;
/** How long one text is searched: nothing else runs meanwhile, and some are made to take long. */
const MOST_MS = 3000;

/** Finds what one text does that is risky, with all checks that hold in its language. */
export async function lookAtText(
  piece: Piece,
  language: SourceLanguage,
  checks: readonly CodeCheck[],
  unanswered: Unanswered,
): Promise<readonly Sighting[]> {
  const holding = checks.filter((check) => holdsIn(check, language));
  const read = await readText(piece.text, language);
  const lineAt = linesOf(read.code);
  const lines = piece.text.split("\n");
  const until = performance.now() + MOST_MS;
  const risks = searchInTime(
    holding.map(({ risk }) => risk),
    read.code,
    until,
  );
  return holding.flatMap((check, at) => {
    const found = risks[at] ?? "late";
    // What has its answer needs no time.
    const isDone = typeof found === "string" || found.length === 0;
    const spans = isDone || performance.now() < until ? found : "late";
    if (typeof spans === "string") {
      unanswered[spans](check);
      return [];
    }
    const judge = new Judge(check, read, until);
    const seen = new Set<number>();
    return spans.flatMap((span): readonly Sighting[] => {
      const within = lineAt(startOf(read.code, span));
      const line = within + piece.firstLine - 1;
      const last = lineAt(span.end - 1) + piece.firstLine - 1;
      if (seen.has(within) || !isChanged(piece, line, last) || !read.doesIt(span)) return [];
      seen.add(within);
      const section = read.sectionAt(span.start);
      const judgement = judge.judge(section);
      if (judgement === "slow" || judgement === "late") unanswered[judgement](check);
      const confidence = CONFIDENCES.find((one) => one === judgement);
      const isCut =
        confidence !== undefined && check.expectation !== undefined && touchesEdge(piece, section, read.code);
      return [
        {
          check,
          file: piece.file,
          line,
          text: shown(lines[within - 1] ?? ""),
          ...(section.name !== undefined && { section: section.name }),
          ...(confidence !== undefined && { confidence: isCut ? "low" : confidence }),
          ...(isCut && { isCut: true as const }),
        },
      ];
    });
  });
}

/** Whether a section may go on where the text was cut. */
function touchesEdge({ firstLine, isCut }: Piece, { start, end }: Section, code: string): boolean {
  return (firstLine > 1 && code.slice(0, start).trim() === "") || (isCut && code.slice(end).trim() === "");
}

/** Expressions may begin with the break of the line before. */
const startOf = (code: string, { start, end }: Span): number =>
  start + (/^\s*/.exec(code.slice(start, end - 1))?.[0].length ?? 0);

function isChanged({ changed }: Piece, first: number, last: number): boolean {
  if (changed === undefined) return true;
  for (let line = first; line <= last; line += 1) if (changed.has(line)) return true;
  return false;
}

const shown = (line: string): string => {
  const text = line.trim();
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
};

/** Tells the line, from 1, of an offset. */
function linesOf(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
