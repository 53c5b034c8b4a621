import type { FileAccess } from "@toolwright/kit/files";
import type { OnProgress } from "@toolwright/kit/progress";
import { CATEGORIES, type Severity } from "../format/pattern.js";
import type { Library } from "../library/library.js";
import { type FoundFile, findFiles, readFoundFile } from "./inputs.js";
import { BATCH, lateNotes, listNames, scanAll } from "./review.js";
import { counted } from "./run-review.js";
import type { Fragment, Match } from "./scan-text.js";
import { type CodeCheck, checksOf } from "./scan-text.js";

/** A pattern that applies to code. */
interface TouchedPattern {
  readonly id: string;
  readonly name: string;
  readonly severity: Severity;
  /** The number of matching lines, and of those without a visible check. */
  readonly lines: number;
  readonly unchecked: number;
  /** The first few lines, unchecked ones first. */
  readonly places: readonly string[];
}

/** A family with patterns that apply to code. */
interface TouchedFamily {
  readonly family: string;
  readonly files: number;
  readonly lines: number;
  readonly unchecked: number;
  readonly patterns: readonly TouchedPattern[];
}

/** The families of threats that apply to the code of a project. */
export interface Coverage {
  readonly files: number;
  /** By number of lines, most first. */
  readonly families: readonly TouchedFamily[];
  readonly untouched: readonly string[];
  readonly notes: readonly string[];
}

/** The options of `readCoverage`. */
export interface CoverageOptions {
  readonly path: string;
  /** The maximum number of files. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

const MAX_TEXT = 64 * 1024 * 1024;
const MAX_PLACES = 3;

/** Scans a project. Files are read a few at a time, so that memory use does not depend on their number. */
export async function readCoverage(library: Library, access: FileAccess, options: CoverageOptions): Promise<Coverage> {
  const checks = await checksOf(library);
  const { limit, signal, onProgress } = options;
  const { files, hasMore } = await findFiles(access, [options.path], { limit, onProgress });
  const matches: Match[] = [];
  const notes = new Set<string>();
  const skipped: string[] = [];
  const slow = new Map<string, string>();
  const late = new Map<string, number>();
  let [scanned, size] = [0, 0];
  let batch: Fragment[] = [];
  let batchSize = 0;
  const scanBatch = async (): Promise<void> => {
    const result = await scanAll(batch, { checks, signal, slow });
    matches.push(...result.matches);
    for (const note of result.notes) notes.add(note);
    for (const [name, count] of result.late) late.set(name, count);
    scanned += batch.length;
    batch = [];
    batchSize = 0;
  };
  for (const [at, file] of files.entries()) {
    if (at % 20 === 0) onProgress?.({ stage: "Scanning files", done: at, total: files.length, unit: "files" });
    const fragment = await readFragment(access, file, skipped);
    size += fragment?.text.length ?? 0;
    if (size > MAX_TEXT) {
      notes.add(`The files are too large together: scanning stopped after ${files[at - 1]?.path}.`);
      break;
    }
    if (fragment === undefined) continue;
    batch.push(fragment);
    batchSize += fragment.text.length;
    if (batch.length === BATCH.fragments || batchSize >= BATCH.characters) await scanBatch();
  }
  await scanBatch();
  if (hasMore) notes.add(`Only the first ${limit} files were scanned.`);
  for (const note of lateNotes(late)) notes.add(note);
  if (skipped.length > 0) notes.add(`Skipped: ${listNames(skipped)}.`);
  const families = familiesOf(matches, checks);
  const known = [...new Set([...CATEGORIES, ...checks.map(({ pattern }) => pattern.category)])];
  return {
    files: scanned,
    families,
    untouched: known.filter((family) => !families.some((touched) => touched.family === family)),
    notes: [...notes],
  };
}

async function readFragment(access: FileAccess, file: FoundFile, skipped: string[]): Promise<Fragment | undefined> {
  const { text, reason } = await readFoundFile(access, file);
  if (text !== undefined) return { file: file.path, text: text.replaceAll("\r\n", "\n"), firstLine: 1, isCut: false };
  skipped.push(`${file.path} (${reason})`);
  return undefined;
}

function familiesOf(matches: readonly Match[], checks: readonly CodeCheck[]): readonly TouchedFamily[] {
  const families = [...new Set(checks.map(({ pattern }) => pattern.category))];
  return families
    .flatMap((family) => {
      const own = matches.filter(({ check }) => check.pattern.category === family);
      if (own.length === 0) return [];
      const ids = [...new Set(own.map(({ check }) => check.pattern.id))].sort();
      const patterns = ids.map((id) => toPattern(own.filter(({ check }) => check.pattern.id === id)));
      return [
        {
          family,
          files: new Set(own.map(({ file }) => file)).size,
          lines: patterns.reduce((sum, { lines }) => sum + lines, 0),
          unchecked: patterns.reduce((sum, { unchecked }) => sum + unchecked, 0),
          patterns,
        },
      ];
    })
    .sort((a, b) => b.lines - a.lines || (a.family < b.family ? -1 : 1));
}

function toPattern(matches: readonly Match[]): TouchedPattern {
  const { id, name, severity } = (matches[0] as Match).check.pattern;
  const placeOf = ({ file, line }: Match): string => `${file}:${line}`;
  const unchecked = [...new Set(matches.filter(({ confidence }) => confidence !== undefined).map(placeOf))];
  const all = [...new Set([...unchecked, ...matches.map(placeOf)])];
  return { id, name, severity, lines: all.length, unchecked: unchecked.length, places: all.slice(0, MAX_PLACES) };
}

/** Formats a coverage as text. */
export function writeCoverage({ files, families, untouched, notes }: Coverage): string {
  return [
    `${counted(files, "file")} scanned.`,
    ...families.flatMap(({ family, files: touched, lines, unchecked, patterns }) => [
      `\n${family}: ${counted(lines, "line")} in ${counted(touched, "file")}, ${unchecked} without a visible check`,
      ...patterns.map(
        (each) =>
          `- ${each.id} ${each.name} (${each.severity}): ${counted(each.lines, "line")}, ${each.unchecked} unchecked: ${each.places.join(", ")}`,
      ),
    ]),
    ...(untouched.length === 0 ? [] : [`\nNot touched: ${untouched.join(", ")}.`]),
    ...notes.map((note) => `\nNote: ${note}`),
  ].join("\n");
}
