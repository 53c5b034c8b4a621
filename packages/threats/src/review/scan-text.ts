import type { Severity, ThreatPattern } from "../format/pattern.js";
import type { Entry, Library } from "../library/library.js";
import type { Section } from "./sections.js";
import type { SourceLanguage } from "./source-language.js";
import { type ReadText, readText } from "./source-text.js";
import { type Found, type Span, searchInTime } from "./timed-search.js";

/** A check of a pattern that can be looked for in sources. */
export interface CodeCheck {
  readonly pattern: ReviewedPattern;
  /** What is wrong where it is found, in words. */
  readonly description: string;
  readonly languages: readonly string[] | undefined;
  /** The line that does the risky thing. */
  readonly risk: string;
  /** What should be seen near it; without one the line itself is the fault. */
  readonly expectation: string | undefined;
}

/** What is said of a pattern that was found. */
export interface ReviewedPattern {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly severity: Severity;
  readonly check: string;
  readonly fix: string;
  readonly cwe: readonly string[];
}

const known = new WeakMap<ReadonlyMap<string, Entry>, readonly CodeCheck[]>();

/** The checks of all patterns, read once for as long as the patterns stay the same. */
export async function checksOf(library: Library): Promise<readonly CodeCheck[]> {
  const entries = await library.entries();
  const checks = known.get(entries) ?? (await library.readAll()).flatMap(checksIn);
  known.set(entries, checks);
  return checks;
}

/** Whether a check holds in a language. */
const appliesTo = ({ languages }: CodeCheck, { names }: SourceLanguage): boolean =>
  languages === undefined || languages.some((language) => names.includes(language));

/** The checks of one pattern. */
export function checksIn(pattern: ThreatPattern): readonly CodeCheck[] {
  const { id, name, category, severity, agent_summary: summary, provenance, testing } = pattern;
  const cwe = (provenance?.public_references ?? []).flatMap((reference) =>
    reference.cwe === undefined ? [] : [reference.cwe],
  );
  const reviewed: ReviewedPattern = { id, name, category, severity, check: summary.check, fix: summary.fix, cwe };
  return (testing?.automated_checks ?? []).flatMap(({ type, description, languages, pattern: risk, expectation }) =>
    type === "code" && risk !== undefined ? [{ pattern: reviewed, description, languages, risk, expectation }] : [],
  );
}

/** A text to be looked at: a whole file, or what a difference shows of one. */
export interface Fragment {
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
export interface Match {
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
export interface UnansweredChecks {
  /** It takes too long by itself. */
  slow(check: CodeCheck): void;
  /** All of them together take too long with this text. */
  late(check: CodeCheck): void;
}

const CONFIDENCES = ["high", "medium", "low"] as const;
const MAX_TEXT = 160;
/** How long one text is searched: nothing else runs meanwhile, and some are made to take long. */
const MAX_MS = 3000;

/** Finds what one text does that is risky, with all checks that hold in its language. */
export async function scanText(
  fragment: Fragment,
  language: SourceLanguage,
  checks: readonly CodeCheck[],
  unanswered: UnansweredChecks,
): Promise<readonly Match[]> {
  const holding = checks.filter((check) => appliesTo(check, language));
  const read = await readText(fragment.text, language);
  const lineAt = linesOf(read.code);
  const lines = fragment.text.split("\n");
  const until = performance.now() + MAX_MS;
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
    const judge = new GuardSearch(check, read, until);
    const seen = new Set<number>();
    return spans.flatMap((span): readonly Match[] => {
      const within = lineAt(startOf(read.code, span));
      const line = within + fragment.firstLine - 1;
      const last = lineAt(span.end - 1) + fragment.firstLine - 1;
      if (seen.has(within) || !isChanged(fragment, line, last) || !read.doesIt(span)) return [];
      seen.add(within);
      const section = read.sectionAt(span.start);
      const result = judge.judge(section);
      if (result === "slow" || result === "late") unanswered[result](check);
      const confidence = CONFIDENCES.find((one) => one === result);
      const isCut =
        confidence !== undefined && check.expectation !== undefined && touchesEdge(fragment, section, read.code);
      return [
        {
          check,
          file: fragment.file,
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
function touchesEdge({ firstLine, isCut }: Fragment, { start, end }: Section, code: string): boolean {
  return (firstLine > 1 && code.slice(0, start).trim() === "") || (isCut && code.slice(end).trim() === "");
}

/** Expressions may begin with the break of the line before. */
const startOf = (code: string, { start, end }: Span): number =>
  start + (/^\s*/.exec(code.slice(start, end - 1))?.[0].length ?? 0);

function isChanged({ changed }: Fragment, first: number, last: number): boolean {
  if (changed === undefined) return true;
  for (let line = first; line <= last; line += 1) if (changed.has(line)) return true;
  return false;
}

const shown = (line: string): string => {
  const text = line.trim();
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
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

/** How sure a finding is: high = the line itself is the fault; medium = its check is not in the same function; low = it may be elsewhere. */
export type Confidence = "high" | "medium" | "low";

/** The confidence that a check is missing; `seen` = it is visible; or why it is unknown. */
type GuardResult = Confidence | "seen" | Extract<Found, string>;

/** Judges in which functions of one text the check is missing that guards a risky thing. */
class GuardSearch {
  readonly #expectation: string | undefined;
  readonly #read: ReadText;
  readonly #until: number;
  /** A function may do the risky thing a hundred times, and a text without functions is one long section. */
  readonly #judged = new Map<number, GuardResult>();
  #isForAll: boolean | undefined;

  /** It has time until then, on the clock of `performance.now`. */
  constructor({ expectation }: CodeCheck, read: ReadText, until: number) {
    this.#expectation = expectation;
    this.#read = read;
    this.#until = until;
  }

  judge(section: Section): GuardResult {
    const result = this.#judged.get(section.start) ?? this.#look(section);
    this.#judged.set(section.start, result);
    return result;
  }

  #look(section: Section): GuardResult {
    if (this.#expectation === undefined) return "high";
    const here = this.#seenIn(this.#expectation, section);
    if (typeof here === "string") return here;
    if (here.length > 0) return "seen";
    if (section.name === undefined) return "medium";
    this.#isForAll ??= this.#looksForAll(this.#expectation);
    return this.#isForAll ? "low" : "medium";
  }

  /** Whether it is done for the whole file, such as by a layer around all routes, and so perhaps for each place in it. */
  #looksForAll(expectation: string): boolean {
    const { code } = this.#read;
    const elsewhere = this.#seenIn(expectation, { start: 0, end: code.length });
    if (typeof elsewhere === "string") return false;
    return elsewhere.some(
      ({ start }) =>
        this.#read.sectionAt(start).name === undefined &&
        !IMPORT.test(code.slice(code.lastIndexOf("\n", start) + 1, start)),
    );
  }

  #seenIn(expectation: string, { start, end }: Span): Found {
    const [found = "late"] = searchInTime([expectation], this.#read.code.slice(start, end), this.#until);
    if (typeof found === "string") return found;
    return found
      .map((span) => ({ start: span.start + start, end: span.end + start }))
      .filter((span) => this.#read.isSeen(span));
  }
}

const IMPORT = /^\s*(?:(?:import|from|use|using|require)\b|(?:const|let|var)\s*\{)/;
