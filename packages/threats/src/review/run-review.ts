import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { LANGUAGES } from "@toolwright/kit/syntax";
import { nearest } from "@toolwright/kit/text";
import { SEVERITIES } from "../format/pattern.js";
import type { Library } from "../library/library.js";
import { findListed } from "../query/query.js";
import { createPathScorer } from "../ranking/ranking.js";
import { type ReviewInput, type ReviewSources, readInput } from "./inputs.js";
import { type Finding, type PatternFindings, type Review, type ReviewOptions, review } from "./review.js";
import { type CodeCheck, checksOf, type Fragment } from "./scan-text.js";
import { FILE_NAME_FOR } from "./source-language.js";

/** A pattern that can apply, with the reason. */
interface SuggestedPattern {
  readonly id: string;
  readonly name: string;
  readonly because: string;
}

const MAX_SUGGESTED = 5;
/** The minimum path score. Paths that match a fifth of all patterns score less. */
const MIN_PATH_SCORE = 2.2;
const MAX_IMPORTS = 40;

/** Suggests patterns by file names and imports, without those with findings. */
async function suggestPatterns(
  library: Library,
  fragments: readonly Fragment[],
  found: ReadonlySet<string>,
  isWanted: (pattern: { readonly category: string; readonly severity: string }) => boolean,
): Promise<readonly SuggestedPattern[]> {
  const entries = await library.list();
  const paths = [...new Set(fragments.map(({ file }) => file))];
  const scores = createPathScorer(entries)(paths);
  const byPath = entries
    .filter(({ id }) => (scores.get(id) ?? 0) >= MIN_PATH_SCORE)
    .sort((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0));
  const imports = importsIn(fragments);
  const byImport = imports === "" ? [] : await findListed(library, { context: imports });
  const because = new Map([
    ...byImport.map(({ id }) => [id, "imports"] as const),
    ...byPath.map(({ id }) => [id, "file names"] as const),
  ]);
  return [...byPath, ...byImport]
    .filter(
      (entry, at, all) => isWanted(entry) && !found.has(entry.id) && all.findIndex(({ id }) => id === entry.id) === at,
    )
    .slice(0, MAX_SUGGESTED)
    .map(({ id, name }) => ({ id, name, because: because.get(id) ?? "" }));
}

const IMPORT = /^[ \t]*(?:import|from|use|using|require(?:_relative)?|const [^=\n]{1,80}= require)\b[^\n]{0,200}/gm;

/** Returns the names in import statements. */
function importsIn(fragments: readonly Fragment[]): string {
  const names = fragments.flatMap(({ text }) =>
    (text.match(IMPORT) ?? []).flatMap((line) => line.match(/[\w-]{3,40}/g) ?? []),
  );
  const words = names.filter((name) => !/^(?:import|from|use|using|require|const|require_relative)$/.test(name));
  return [...new Set(words)].slice(0, MAX_IMPORTS).join(" ");
}

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
