import type { Severity, ThreatPattern } from "../format/pattern.js";
import type { Entry, Library } from "../library/library.js";
import type { Section } from "./sections.js";
import type { SourceLanguage } from "./source-language.js";
import { parseSourceText, type SourceText } from "./source-text.js";
import { type SearchResult, type Span, searchWithTimeout } from "./timed-search.js";

/** A check of a pattern for source code. */
export interface CodeCheck {
  readonly pattern: ReviewedPattern;
  /** What is wrong with a finding. */
  readonly description: string;
  readonly languages: readonly string[] | undefined;
  /** A regular expression for risky code. */
  readonly risk: string;
  /** A regular expression for the check that must be near the risk. If undefined, every risk is a finding. */
  readonly expectation: string | undefined;
}

/** The fields of a pattern in the result of a review. */
export interface ReviewedPattern {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly severity: Severity;
  readonly check: string;
  readonly fix: string;
  readonly cwe: readonly string[];
}

const cachedChecks = new WeakMap<ReadonlyMap<string, Entry>, readonly CodeCheck[]>();

/** Returns the checks of all patterns. They are cached until the patterns change. */
export async function checksOf(library: Library): Promise<readonly CodeCheck[]> {
  const entries = await library.entries();
  const checks = cachedChecks.get(entries) ?? (await library.readAll()).flatMap(checksIn);
  cachedChecks.set(entries, checks);
  return checks;
}

/** Whether a check applies to a language. */
const appliesTo = ({ languages }: CodeCheck, { names }: SourceLanguage): boolean =>
  languages === undefined || languages.some((language) => names.includes(language));

/** Returns the checks of one pattern. */
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

/** A text to scan: a whole file, or a hunk of a diff. */
export interface Fragment {
  readonly file: string;
  readonly text: string;
  /** The line number of the start of the text in its file. */
  readonly firstLine: number;
  /** Whether the file can continue after the text. */
  readonly isCut: boolean;
  /** The line numbers to report matches for. Default: all. */
  readonly changed?: ReadonlySet<number> | undefined;
}

/** A line with risky code. */
export interface Match {
  readonly check: CodeCheck;
  readonly file: string;
  readonly line: number;
  /** The text of the line. */
  readonly text: string;
  /** The name of the function or block that contains it. */
  readonly section?: string;
  /** The confidence that the check is missing. If undefined, the check is visible. */
  readonly confidence?: Confidence;
  /** The function continues outside of the text. */
  readonly isCut?: true;
}

/** Callbacks for checks without a result. */
export interface UnansweredChecks {
  /** The check takes too long by itself. */
  slow(check: CodeCheck): void;
  /** All checks together take too long for this text. */
  late(check: CodeCheck): void;
}

const CONFIDENCES = ["high", "medium", "low"] as const;
const MAX_TEXT = 160;
/** The time limit for one text. The search blocks the event loop, and a text can be crafted to be slow. */
const MAX_MS = 3000;

/** Scans a text with all checks that apply to its language. */
export async function scanText(
  fragment: Fragment,
  language: SourceLanguage,
  checks: readonly CodeCheck[],
  unanswered: UnansweredChecks,
): Promise<readonly Match[]> {
  const applicable = checks.filter((check) => appliesTo(check, language));
  const source = await parseSourceText(fragment.text, language);
  const lineAt = linesOf(source.code);
  const lines = fragment.text.split("\n");
  const deadline = performance.now() + MAX_MS;
  const risks = searchWithTimeout(
    applicable.map(({ risk }) => risk),
    source.code,
    deadline,
  );
  return applicable.flatMap((check, at) => {
    const found = risks[at] ?? "late";
    // A check without matches is complete, even after the deadline.
    const isComplete = typeof found === "string" || found.length === 0;
    const spans = isComplete || performance.now() < deadline ? found : "late";
    if (typeof spans === "string") {
      unanswered[spans](check);
      return [];
    }
    const search = new CheckSearch(check, source, deadline);
    const seen = new Set<number>();
    return spans.flatMap((span): readonly Match[] => {
      const lineInText = lineAt(startOf(source.code, span));
      const line = lineInText + fragment.firstLine - 1;
      const last = lineAt(span.end - 1) + fragment.firstLine - 1;
      if (seen.has(lineInText) || !isChanged(fragment, line, last) || !source.canBeRisk(span)) return [];
      seen.add(lineInText);
      const section = source.sectionAt(span.start);
      const result = search.resultFor(section);
      if (result === "slow" || result === "late") unanswered[result](check);
      const confidence = CONFIDENCES.find((one) => one === result);
      const isCut =
        confidence !== undefined && check.expectation !== undefined && touchesEdge(fragment, section, source.code);
      return [
        {
          check,
          file: fragment.file,
          line,
          text: excerpt(lines[lineInText - 1] ?? ""),
          ...(section.name !== undefined && { section: section.name }),
          ...(confidence !== undefined && { confidence: isCut ? "low" : confidence }),
          ...(isCut && { isCut: true as const }),
        },
      ];
    });
  });
}

/** Whether a section can continue beyond the text. */
function touchesEdge({ firstLine, isCut }: Fragment, { start, end }: Section, code: string): boolean {
  return (firstLine > 1 && code.slice(0, start).trim() === "") || (isCut && code.slice(end).trim() === "");
}

/** Returns the start of a match without leading white space, such as the preceding line break. */
const startOf = (code: string, { start, end }: Span): number =>
  start + (/^\s*/.exec(code.slice(start, end - 1))?.[0].length ?? 0);

function isChanged({ changed }: Fragment, first: number, last: number): boolean {
  if (changed === undefined) return true;
  for (let line = first; line <= last; line += 1) if (changed.has(line)) return true;
  return false;
}

const excerpt = (line: string): string => {
  const text = line.trim();
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
};

/** Returns a function that converts an offset to a line number, from 1. */
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

/** The confidence of a finding: high = the line itself is wrong; medium = its function contains no check; low = the check can be elsewhere. */
export type Confidence = "high" | "medium" | "low";

/** The confidence that a check is missing; `seen` = it is visible; `slow` and `late` = it is unknown. */
type CheckResult = Confidence | "seen" | Extract<SearchResult, string>;

/** Finds the functions of a text that lack a check. */
class CheckSearch {
  readonly #expectation: string | undefined;
  readonly #source: SourceText;
  readonly #deadline: number;
  /** The results by start of the section: a section can contain many risks. */
  readonly #results = new Map<number, CheckResult>();
  #isForWholeFile: boolean | undefined;

  /** `deadline` is on the clock of `performance.now`. */
  constructor({ expectation }: CodeCheck, source: SourceText, deadline: number) {
    this.#expectation = expectation;
    this.#source = source;
    this.#deadline = deadline;
  }

  resultFor(section: Section): CheckResult {
    const result = this.#results.get(section.start) ?? this.#evaluate(section);
    this.#results.set(section.start, result);
    return result;
  }

  #evaluate(section: Section): CheckResult {
    if (this.#expectation === undefined) return "high";
    const here = this.#findIn(this.#expectation, section);
    if (typeof here === "string") return here;
    if (here.length > 0) return "seen";
    if (section.name === undefined) return "medium";
    this.#isForWholeFile ??= this.#findsOutsideFunctions(this.#expectation);
    return this.#isForWholeFile ? "low" : "medium";
  }

  /** Whether the check is outside of all functions, such as middleware for all routes. It can then apply to the whole file. */
  #findsOutsideFunctions(expectation: string): boolean {
    const { code } = this.#source;
    const elsewhere = this.#findIn(expectation, { start: 0, end: code.length });
    if (typeof elsewhere === "string") return false;
    return elsewhere.some(
      ({ start }) =>
        this.#source.sectionAt(start).name === undefined &&
        !IMPORT.test(code.slice(code.lastIndexOf("\n", start) + 1, start)),
    );
  }

  #findIn(expectation: string, { start, end }: Span): SearchResult {
    const [found = "late"] = searchWithTimeout([expectation], this.#source.code.slice(start, end), this.#deadline);
    if (typeof found === "string") return found;
    return found
      .map((span) => ({ start: span.start + start, end: span.end + start }))
      .filter((span) => this.#source.canBeCheck(span));
  }
}

const IMPORT = /^\s*(?:(?:import|from|use|using|require)\b|(?:const|let|var)\s*\{)/;
