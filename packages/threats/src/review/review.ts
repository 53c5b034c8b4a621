import { setImmediate } from "node:timers/promises";
import type { OnProgress } from "@toolwright/kit/progress";
import { SEVERITIES, type Severity } from "../format/pattern.js";
import type { CodeCheck, ReviewedPattern } from "./scan-text.js";
import { type Confidence, type Fragment, type Match, scanText } from "./scan-text.js";
import { type SourceLanguage, sourceLanguage } from "./source-language.js";

/** A line without a visible check. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly function?: string;
  /** The check that is missing. */
  readonly missing: string;
  readonly confidence: Confidence;
  /** The function continues outside of the reviewed text, and may contain the check there. */
  readonly context_cut?: true;
}

/** A pattern with its findings. */
export interface PatternFindings extends ReviewedPattern {
  /** The number of all findings; `findings` may contain fewer. */
  readonly count: number;
  readonly findings: readonly Finding[];
}

/** The result of a review. */
export interface Review {
  /** The number of scanned files. */
  readonly files: number;
  readonly findings: number;
  /** Most severe first. */
  readonly patterns: readonly PatternFindings[];
  /** Patterns beyond the limit. */
  readonly left_out: readonly { readonly id: string; readonly severity: Severity; readonly count: number }[];
  readonly notes: readonly string[];
}

/** The options of a review. */
export interface ReviewOptions {
  readonly checks: readonly CodeCheck[];
  readonly limit: number;
  /** The maximum number of findings of one pattern. Default: 5. */
  readonly perPattern?: number;
  /** The language of texts whose name does not tell it. Texts in other languages are skipped. */
  readonly language?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Checks that took too long, with their patterns. They are not run again. */
  readonly slow?: Map<string, string> | undefined;
}

const CONFIDENCES = ["high", "medium", "low"] as const;
const PER_PATTERN = 5;

/** Scans texts for lines without a visible check. */
export async function review(fragments: readonly Fragment[], options: ReviewOptions): Promise<Review> {
  const { matches, files, notes, late } = await scanAll(fragments, options);
  const findings = matches.filter(({ confidence }) => confidence !== undefined);
  const groups = groupsOf(findings);
  const shown: PatternFindings[] = [];
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
        : [`${cut} of the findings are in functions that the diff shows only in part: the check may be in the rest.`]),
    ],
  };
}

/** The matches in texts, with and without a check. */
export interface ScanResult {
  readonly matches: readonly Match[];
  readonly files: number;
  readonly notes: readonly string[];
  /** The files for which all checks together took too long, with the number of skipped checks. */
  readonly late: ReadonlyMap<string, number>;
}

/** Scans texts one at a time, and yields to other work in between. */
export async function scanAll(
  fragments: readonly Fragment[],
  options: Omit<ReviewOptions, "limit">,
): Promise<ScanResult> {
  const slow = options.slow ?? new Map<string, string>();
  const files = new Set<string>();
  const unknown = new Set<string>();
  const late = new Map<string, number>();
  const matches: Match[] = [];
  for (const [at, fragment] of fragments.entries()) {
    options.signal?.throwIfAborted();
    if (at % 20 === 0)
      options.onProgress?.({ stage: "Scanning files", done: at, total: fragments.length, unit: "files" });
    const language = languageOf(fragment, options.language);
    if (language === undefined) unknown.add(fragment.file);
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
      ...[...new Set(slow.values())].map(
        (id) => `A check of ${id} was skipped: its regular expression takes too long.`,
      ),
      ...(unknown.size === 0 ? [] : [`Skipped, because their type is unknown: ${listNames([...unknown])}.`]),
    ],
  };
}

/** Notes about files for which the checks took too long. */
export const lateNotes = (late: ScanResult["late"]): readonly string[] =>
  late.size === 0
    ? []
    : [
        `Not all checks were run, because they take too long: ${listNames([...late].map(([file, checks]) => `${file} (${checks} skipped)`))}.`,
      ];

function languageOf({ file }: Fragment, wanted: string | undefined): SourceLanguage | "another" | undefined {
  const language = sourceLanguage(file);
  if (wanted === undefined) return language;
  if (language === undefined) return file.includes(".") ? undefined : sourceLanguage(FILE_NAME_FOR[wanted] ?? "");
  return language.names.includes(wanted) ? language : "another";
}

/** A file name in each language, for texts without one. */
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

/** Lists a few names, and how many more there are. */
export const listNames = (names: readonly string[], limit = 5): string =>
  `${names.slice(0, limit).join(", ")}${names.length > limit ? ` and ${names.length - limit} more` : ""}`;

function groupsOf(findings: readonly Match[]): readonly PatternFindings[] {
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

/** Two checks of a pattern can match the same line. */
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
