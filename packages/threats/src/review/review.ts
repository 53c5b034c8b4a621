import { setImmediate } from "node:timers/promises";
import { SEVERITIES, type Severity } from "../format/pattern.js";
import type { CodeCheck, ReviewedPattern } from "./checks.js";
import { type Confidence, type Fragment, type Match, scanText } from "./scan-text.js";
import { type SourceLanguage, sourceLanguage } from "./source-language.js";

/** A line whose check is not visible, as callers see it. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly function?: string;
  /** What is wrong there, in words. */
  readonly missing: string;
  readonly confidence: Confidence;
  /** The function goes on outside of what was given, so that the check may be there. */
  readonly context_cut?: true;
}

/** A pattern, and where it was found. */
export interface FoundPattern extends ReviewedPattern {
  /** How many there are; fewer may be shown. */
  readonly count: number;
  readonly findings: readonly Finding[];
}

/** What a review came to. */
export interface Review {
  /** How many files were looked into. */
  readonly files: number;
  readonly findings: number;
  /** The worst first. */
  readonly patterns: readonly FoundPattern[];
  /** Patterns for which there was no room. */
  readonly left_out: readonly { readonly id: string; readonly severity: Severity; readonly count: number }[];
  readonly notes: readonly string[];
}

/** How a review is done. */
export interface ReviewOptions {
  readonly checks: readonly CodeCheck[];
  readonly limit: number;
  /** How many findings of one pattern are shown; 5 if nothing is said. */
  readonly perPattern?: number;
  /** What texts are in whose names say nothing; those in another language are left out. */
  readonly language?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Checks that took too long so far, and whose they are; they are tried no more. */
  readonly slow?: Map<string, string> | undefined;
}

const CONFIDENCES = ["high", "medium", "low"] as const;
const PER_PATTERN = 5;

/** Looks at texts, and says which checks are not visible. */
export async function review(fragments: readonly Fragment[], options: ReviewOptions): Promise<Review> {
  const { matches, files, notes, late } = await scanAll(fragments, options);
  const findings = matches.filter(({ confidence }) => confidence !== undefined);
  const groups = groupsOf(findings);
  const shown: FoundPattern[] = [];
  let room = options.limit;
  for (const { count, ...group } of groups) {
    const some = group.findings.slice(0, Math.min(room, options.perPattern ?? PER_PATTERN));
    if (some.length === 0) break;
    room -= some.length;
    shown.push({ ...group, count, findings: some });
  }
  const cut = findings.filter(({ isCut }) => isCut).length;
  return {
    files,
    findings: groups.reduce((sum, { count }) => sum + count, 0),
    patterns: shown,
    left_out: groups.slice(shown.length).map(({ id, severity, count }) => ({ id, severity, count })),
    notes: [
      ...notes,
      ...lateNotes(late),
      ...(cut === 0
        ? []
        : [
            `${cut} of the findings lie in functions of which the difference shows only a part: the check may be there.`,
          ]),
    ],
  };
}

/** What was seen in texts, guarded or not. */
export interface ScanResult {
  readonly matches: readonly Match[];
  readonly files: number;
  readonly notes: readonly string[];
  /** The files with which the checks took too long together, and how many were not looked for there. */
  readonly late: ReadonlyMap<string, number>;
}

/** Looks at texts one after the other; other work goes on between two of them. */
export async function scanAll(
  fragments: readonly Fragment[],
  options: Omit<ReviewOptions, "limit">,
): Promise<ScanResult> {
  const slow = options.slow ?? new Map<string, string>();
  const files = new Set<string>();
  const strange = new Set<string>();
  const late = new Map<string, number>();
  const matches: Match[] = [];
  for (const [at, fragment] of fragments.entries()) {
    options.signal?.throwIfAborted();
    if (at % 20 === 0) options.onProgress?.(at, fragments.length);
    const language = languageOf(fragment, options.language);
    if (language === undefined) strange.add(fragment.file);
    if (language === undefined || language === "another") continue;
    files.add(fragment.file);
    const checks = options.checks.filter(({ risk }) => !slow.has(risk));
    const left = new Set<CodeCheck>();
    const unanswered = {
      slow: ({ risk, pattern }: CodeCheck) => void slow.set(risk, pattern.id),
      late: (check: CodeCheck) => void left.add(check),
    };
    matches.push(...(await scanText(fragment, language, checks, unanswered)));
    if (left.size > 0) late.set(fragment.file, Math.max(left.size, late.get(fragment.file) ?? 0));
    await setImmediate();
  }
  return {
    matches,
    files: files.size,
    late,
    notes: [
      ...[...new Set(slow.values())].map((id) => `A check of ${id} was left out: its expression takes too long.`),
      ...(strange.size === 0 ? [] : [`Not looked into, by their names: ${listNames([...strange])}.`]),
    ],
  };
}

/** What is to be said of files with which checks took too long together. */
export const lateNotes = (late: ScanResult["late"]): readonly string[] =>
  late.size === 0
    ? []
    : [
        `Not looked into with all checks, for it takes too long: ${listNames([...late].map(([file, checks]) => `${file} (${checks} left out)`))}.`,
      ];

function languageOf({ file }: Fragment, wanted: string | undefined): SourceLanguage | "another" | undefined {
  const language = sourceLanguage(file);
  if (wanted === undefined) return language;
  if (language === undefined) return file.includes(".") ? undefined : sourceLanguage(FILE_NAME_FOR[wanted] ?? "");
  return language.names.includes(wanted) ? language : "another";
}

/** A name for each language, for texts that have none of their own. */
export const FILE_NAME_FOR: Readonly<Record<string, string>> = {
  python: "a.py",
  typescript: "a.ts",
  javascript: "a.js",
  go: "a.go",
  java: "a.java",
  kotlin: "a.kt",
  csharp: "a.cs",
  ruby: "a.rb",
  php: "a.php",
  rust: "a.rs",
  dockerfile: "Dockerfile",
  terraform: "a.tf",
  "github-actions": ".github/workflows/a.yml",
};

/** A few names, and how many more there are. */
export const listNames = (names: readonly string[], most = 5): string =>
  `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;

function groupsOf(findings: readonly Match[]): readonly FoundPattern[] {
  const groups = new Map<string, Match[]>();
  for (const one of findings) {
    const group = groups.get(one.check.pattern.id);
    if (group === undefined) groups.set(one.check.pattern.id, [one]);
    else group.push(one);
  }
  return [...groups.values()]
    .map((group) => {
      const sorted = onePerLine(group).sort((a, b) => confidenceRank(a) - confidenceRank(b));
      const { pattern } = (group[0] as Match).check;
      return {
        best: sorted[0] as Match,
        found: { ...pattern, count: sorted.length, findings: sorted.map(toFinding) },
      };
    })
    .sort(
      (a, b) =>
        SEVERITIES.indexOf(a.found.severity) - SEVERITIES.indexOf(b.found.severity) ||
        confidenceRank(a.best) - confidenceRank(b.best) ||
        b.found.count - a.found.count ||
        (a.found.id < b.found.id ? -1 : 1),
    )
    .map(({ found }) => found);
}

/** Two checks of a pattern may see the same line. */
function onePerLine(group: readonly Match[]): Match[] {
  const found = new Map<string, Match>();
  for (const one of group) {
    const place = `${one.file}\n${one.line}`;
    const before = found.get(place);
    if (before === undefined || confidenceRank(one) < confidenceRank(before)) found.set(place, one);
  }
  return [...found.values()];
}

const confidenceRank = ({ confidence = "low" }: Match): number => CONFIDENCES.indexOf(confidence);

const toFinding = ({ check, file, line, text, section, confidence = "low", isCut }: Match): Finding => ({
  file,
  line,
  text,
  ...(section !== undefined && { function: section }),
  missing: check.description,
  confidence,
  ...(isCut && { context_cut: isCut }),
});
