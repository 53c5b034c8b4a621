import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { LANGUAGES } from "@toolwright/kit/syntax";
import { nearest } from "@toolwright/kit/text";
import { SEVERITIES } from "../format/pattern.js";
import type { Library } from "../library/library.js";
import { type CodeCheck, checksOf } from "./checks.js";
import { type ReviewInput, type ReviewSources, readInput } from "./inputs.js";
import { FILE_NAME_FOR, type Finding, type FoundPattern, type Review, type ReviewOptions, review } from "./review.js";
import { type SuggestedPattern, suggestPatterns } from "./suggest-patterns.js";

/** Which patterns a review is about; what is not given fits all. */
interface Scope {
  readonly language?: string | undefined;
  readonly category?: string | undefined;
  /** This and worse. */
  readonly severity?: string | undefined;
}

/** Reviews a difference, files or texts with the patterns of a library. Throws a `ToolError`. */
export async function runReview(
  library: Library,
  given: ReviewInput & Scope,
  options: Pick<ReviewOptions, "limit" | "perPattern" | "signal" | "onProgress">,
  openReach: () => Promise<FileAccess>,
): Promise<FullReview & Pick<ReviewSources, "fragments">> {
  const isWanted = await wantedIn(library, given);
  const checks = (await checksOf(library)).filter(({ pattern }) => isWanted(pattern));
  const { fragments, notes } = await readInput(given, openReach);
  const found = await review(fragments, { ...options, checks, language: given.language });
  const ids = new Set([...found.patterns, ...found.left_out].map(({ id }) => id));
  return {
    ...found,
    notes: [...notes, ...found.notes],
    consider: await suggestPatterns(library, fragments, ids, isWanted),
    fragments,
  };
}

/** Tells which patterns are wanted. Throws a `ToolError` for a family, severity or language that there is not. */
async function wantedIn(
  library: Library,
  { language, category, severity }: Scope,
): Promise<(pattern: Pick<CodeCheck["pattern"], "category"> & { readonly severity: string }) => boolean> {
  const families = new Set((await library.list()).map((entry) => entry.category));
  refuse("category", category, families);
  refuse("severity", severity, SEVERITIES);
  refuse("language", language, Object.keys({ ...FILE_NAME_FOR, ...LANGUAGES }));
  const worst: readonly string[] = SEVERITIES;
  return (pattern) =>
    (category === undefined || pattern.category === category) &&
    (severity === undefined || worst.indexOf(pattern.severity) <= worst.indexOf(severity));
}

function refuse(what: string, given: string | undefined, known: Iterable<string>): void {
  const names = [...known];
  if (given === undefined || names.includes(given)) return;
  const meant = nearest(given, names);
  const hint = meant === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${meant}?`;
  throw new ToolError(`There is no ${what} ${JSON.stringify(given)}. ${hint}`, { code: "INVALID_ARGUMENTS" });
}

/** A review, and what else may apply. */
export interface FullReview extends Review {
  readonly consider: readonly SuggestedPattern[];
}

/** Tells a review in few words: each pattern once, and a line for each place. */
export function writeReview({ files, findings, patterns, left_out: leftOut, consider, notes }: FullReview): string {
  return [
    findings === 0
      ? `Nothing found in ${counted(files, "file")}. That a check is visible does not say that it is right.`
      : `${counted(findings, "finding")} in ${counted(files, "file")}.`,
    ...patterns.flatMap(writePattern),
    ...(leftOut.length === 0
      ? []
      : [`\nNot shown: ${leftOut.map(({ id, severity, count }) => `${id} (${severity}, ${count})`).join(", ")}.`]),
    ...(consider.length === 0
      ? []
      : [`\nMay apply too: ${consider.map(({ id, name, because }) => `${id} ${name} (${because})`).join("; ")}.`]),
    ...notes.map((note) => `\nNote: ${note}`),
  ].join("\n");
}

function writePattern({ id, name, severity, check, fix, cwe, count, findings }: FoundPattern): readonly string[] {
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

/** A number with its noun. */
export const counted = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? "" : "s"}`;
