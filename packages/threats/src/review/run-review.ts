import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { LANGUAGES } from "@toolwright/kit/syntax";
import { nearest } from "@toolwright/kit/text";
import { SEVERITIES } from "../format/pattern.js";
import type { Library } from "../library/library.js";
import { type CodeCheck, checksOf } from "./checks.js";
import { type ReviewInput, type ReviewSources, readInput } from "./inputs.js";
import {
  FILE_NAME_FOR,
  type Finding,
  type PatternFindings,
  type Review,
  type ReviewOptions,
  review,
} from "./review.js";
import { type SuggestedPattern, suggestPatterns } from "./suggest-patterns.js";

/** Restricts a review to some patterns. */
interface Scope {
  readonly language?: string | undefined;
  readonly category?: string | undefined;
  /** The minimum severity. */
  readonly severity?: string | undefined;
}

/** Reviews a diff, files or texts with the patterns of a library. Throws a `ToolError`. */
export async function runReview(
  library: Library,
  input: ReviewInput & Scope,
  options: Pick<ReviewOptions, "limit" | "perPattern" | "signal" | "onProgress">,
  openAccess: () => Promise<FileAccess>,
): Promise<FullReview & Pick<ReviewSources, "fragments">> {
  const isWanted = await patternFilter(library, input);
  const checks = (await checksOf(library)).filter(({ pattern }) => isWanted(pattern));
  const { fragments, notes } = await readInput(input, openAccess);
  const found = await review(fragments, { ...options, checks, language: input.language });
  const ids = new Set([...found.patterns, ...found.left_out].map(({ id }) => id));
  return {
    ...found,
    notes: [...notes, ...found.notes],
    consider: await suggestPatterns(library, fragments, ids, isWanted),
    fragments,
  };
}

/** Creates the filter for patterns. Throws a `ToolError` for an unknown family, severity or language. */
async function patternFilter(
  library: Library,
  { language, category, severity }: Scope,
): Promise<(pattern: Pick<CodeCheck["pattern"], "category"> & { readonly severity: string }) => boolean> {
  const families = new Set((await library.list()).map((entry) => entry.category));
  assertKnown("category", category, families);
  assertKnown("severity", severity, SEVERITIES);
  assertKnown("language", language, Object.keys({ ...FILE_NAME_FOR, ...LANGUAGES }));
  const worst: readonly string[] = SEVERITIES;
  return (pattern) =>
    (category === undefined || pattern.category === category) &&
    (severity === undefined || worst.indexOf(pattern.severity) <= worst.indexOf(severity));
}

function assertKnown(what: string, value: string | undefined, known: Iterable<string>): void {
  const names = [...known];
  if (value === undefined || names.includes(value)) return;
  const meant = nearest(value, names);
  const hint = meant === undefined ? `Known: ${names.join(", ")}.` : `Did you mean ${meant}?`;
  throw new ToolError(`Unknown ${what} ${JSON.stringify(value)}. ${hint}`, { code: "INVALID_ARGUMENTS" });
}

/** A review, with other patterns that may apply. */
export interface FullReview extends Review {
  readonly consider: readonly SuggestedPattern[];
}

/** Formats a review as text: each pattern once, and a line for each finding. */
export function writeReview({ files, findings, patterns, left_out: leftOut, consider, notes }: FullReview): string {
  return [
    findings === 0
      ? `No findings in ${counted(files, "file")}. A visible check can still be wrong.`
      : `${counted(findings, "finding")} in ${counted(files, "file")}.`,
    ...patterns.flatMap(writePattern),
    ...(leftOut.length === 0
      ? []
      : [`\nNot shown: ${leftOut.map(({ id, severity, count }) => `${id} (${severity}, ${count})`).join(", ")}.`]),
    ...(consider.length === 0
      ? []
      : [`\nMay also apply: ${consider.map(({ id, name, because }) => `${id} ${name} (${because})`).join("; ")}.`]),
    ...notes.map((note) => `\nNote: ${note}`),
  ].join("\n");
}

function writePattern({ id, name, severity, check, fix, cwe, count, findings }: PatternFindings): readonly string[] {
  const more = count - findings.length;
  return [
    `\n${severity} ${id} ${name}${cwe.length === 0 ? "" : ` (${cwe.join(", ")})`}`,
    `check: ${check}`,
    `fix: ${fix}`,
    ...findings.map(writeFinding),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

const writeFinding = ({ file, line, text, function: name, missing, confidence, context_cut: isCut }: Finding): string =>
  `- ${file}:${line}${name === undefined ? "" : ` in ${name}`} [${confidence}${isCut ? ", context cut" : ""}] ${missing}: ${text}`;

/** A number with its noun, in the plural if needed. */
export const counted = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? "" : "s"}`;
