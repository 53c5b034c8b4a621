import { setImmediate } from "node:timers/promises";
import { SEVERITIES, type Severity } from "../format/pattern.js";
import type { CodeCheck, ReviewedPattern } from "./checks.js";
import type { Confidence } from "./judge.js";
import { type SourceLanguage, sourceLanguage } from "./languages.js";
import { lookAtText, type Piece, type Sighting } from "./look-at-text.js";

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
export interface ReviewWay {
  readonly checks: readonly CodeCheck[];
  readonly limit: number;
  /** How many findings of one pattern are shown; 5 if nothing is said. */
  readonly ofOne?: number;
  /** What texts are in whose names say nothing; those in another language are left out. */
  readonly language?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly hear?: ((done: number, total: number) => void) | undefined;
  /** Checks that took too long so far, and whose they are; they are tried no more. */
  readonly slow?: Map<string, string> | undefined;
}

const CONFIDENCES = ["high", "medium", "low"] as const;
const OF_ONE = 5;

/** Looks at texts, and says which checks are not visible. */
export async function review(pieces: readonly Piece[], way: ReviewWay): Promise<Review> {
  const { sightings, files, notes, late } = await lookAtAll(pieces, way);
  const findings = sightings.filter(({ confidence }) => confidence !== undefined);
  const groups = groupsOf(findings);
  const shown: FoundPattern[] = [];
  let room = way.limit;
  for (const { count, ...group } of groups) {
    const some = group.findings.slice(0, Math.min(room, way.ofOne ?? OF_ONE));
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
export interface Look {
  readonly sightings: readonly Sighting[];
  readonly files: number;
  readonly notes: readonly string[];
  /** The files with which the checks took too long together, and how many were not looked for there. */
  readonly late: ReadonlyMap<string, number>;
}

/** Looks at texts one after the other; other work goes on between two of them. */
export async function lookAtAll(pieces: readonly Piece[], way: Omit<ReviewWay, "limit">): Promise<Look> {
  const slow = way.slow ?? new Map<string, string>();
  const files = new Set<string>();
  const strange = new Set<string>();
  const late = new Map<string, number>();
  const sightings: Sighting[] = [];
  for (const [at, piece] of pieces.entries()) {
    way.signal?.throwIfAborted();
    if (at % 20 === 0) way.hear?.(at, pieces.length);
    const language = languageOf(piece, way.language);
    if (language === undefined) strange.add(piece.file);
    if (language === undefined || language === "another") continue;
    files.add(piece.file);
    const checks = way.checks.filter(({ risk }) => !slow.has(risk));
    const left = new Set<CodeCheck>();
    const unanswered = {
      slow: ({ risk, pattern }: CodeCheck) => void slow.set(risk, pattern.id),
      late: (check: CodeCheck) => void left.add(check),
    };
    sightings.push(...(await lookAtText(piece, language, checks, unanswered)));
    if (left.size > 0) late.set(piece.file, Math.max(left.size, late.get(piece.file) ?? 0));
    await setImmediate();
  }
  return {
    sightings,
    files: files.size,
    late,
    notes: [
      ...[...new Set(slow.values())].map((id) => `A check of ${id} was left out: its expression takes too long.`),
      ...(strange.size === 0 ? [] : [`Not looked into, by their names: ${namesOf([...strange])}.`]),
    ],
  };
}

/** What is to be said of files with which checks took too long together. */
export const lateNotes = (late: Look["late"]): readonly string[] =>
  late.size === 0
    ? []
    : [
        `Not looked into with all checks, for it takes too long: ${namesOf([...late].map(([file, checks]) => `${file} (${checks} left out)`))}.`,
      ];

function languageOf({ file }: Piece, wanted: string | undefined): SourceLanguage | "another" | undefined {
  const language = sourceLanguage(file);
  if (wanted === undefined) return language;
  if (language === undefined) return file.includes(".") ? undefined : sourceLanguage(NAMED[wanted] ?? "");
  return language.names.includes(wanted) ? language : "another";
}

/** A name for each language, for texts that have none of their own. */
export const NAMED: Readonly<Record<string, string>> = {
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
export const namesOf = (names: readonly string[], most = 5): string =>
  `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;

function groupsOf(findings: readonly Sighting[]): readonly FoundPattern[] {
  const groups = new Map<string, Sighting[]>();
  for (const one of findings) {
    const group = groups.get(one.check.pattern.id);
    if (group === undefined) groups.set(one.check.pattern.id, [one]);
    else group.push(one);
  }
  return [...groups.values()]
    .map((group) => {
      const sorted = onePerLine(group).sort((a, b) => sureness(a) - sureness(b));
      const { pattern } = (group[0] as Sighting).check;
      return {
        best: sorted[0] as Sighting,
        found: { ...pattern, count: sorted.length, findings: sorted.map(toFinding) },
      };
    })
    .sort(
      (a, b) =>
        SEVERITIES.indexOf(a.found.severity) - SEVERITIES.indexOf(b.found.severity) ||
        sureness(a.best) - sureness(b.best) ||
        b.found.count - a.found.count ||
        (a.found.id < b.found.id ? -1 : 1),
    )
    .map(({ found }) => found);
}

/** Two checks of a pattern may see the same line. */
function onePerLine(group: readonly Sighting[]): Sighting[] {
  const found = new Map<string, Sighting>();
  for (const one of group) {
    const place = `${one.file}\n${one.line}`;
    const before = found.get(place);
    if (before === undefined || sureness(one) < sureness(before)) found.set(place, one);
  }
  return [...found.values()];
}

const sureness = ({ confidence = "low" }: Sighting): number => CONFIDENCES.indexOf(confidence);

const toFinding = ({ check, file, line, text, section, confidence = "low", isCut }: Sighting): Finding => ({
  file,
  line,
  text,
  ...(section !== undefined && { function: section }),
  missing: check.description,
  confidence,
  ...(isCut && { context_cut: isCut }),
});
