import type { FileAccess } from "@toolwright/kit/files";
import { CATEGORIES, type Severity } from "../format/pattern.js";
import type { Library } from "../library/library.js";
import { type CodeCheck, checksOf } from "./checks.js";
import { type FoundFile, findFiles, readFound } from "./inputs.js";
import { lateNotes, listNames, scanAll } from "./review.js";
import { counted } from "./run-review.js";
import type { Fragment, Match } from "./scan-text.js";

/** A pattern that code touches. */
interface TouchedPattern {
  readonly id: string;
  readonly name: string;
  readonly severity: Severity;
  /** How many lines do what it is about, and in how many of them the check is not visible. */
  readonly lines: number;
  readonly unchecked: number;
  /** The first few of them, the unchecked ones first. */
  readonly places: readonly string[];
}

/** A family that code touches. */
interface TouchedFamily {
  readonly family: string;
  readonly files: number;
  readonly lines: number;
  readonly unchecked: number;
  readonly patterns: readonly TouchedPattern[];
}

/** Which families the code of a project touches. */
export interface Coverage {
  readonly files: number;
  /** Those with most lines first. */
  readonly families: readonly TouchedFamily[];
  readonly untouched: readonly string[];
  readonly notes: readonly string[];
}

/** How a project is looked through. */
export interface CoverageOptions {
  readonly path: string;
  readonly most: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined) => void) | undefined;
}

const MAX_TEXT = 64 * 1024 * 1024;
const MAX_PLACES = 3;

/** Looks through a project. Files are read one after the other, so that it takes little memory however many there are. */
export async function readCoverage(library: Library, reach: FileAccess, ask: CoverageOptions): Promise<Coverage> {
  const checks = await checksOf(library);
  const { files, isMore } = await findFiles(reach, [ask.path], ask.most, (seen) => ask.onProgress?.(seen, undefined));
  const matches: Match[] = [];
  const notes = new Set<string>();
  const skipped: string[] = [];
  const slow = new Map<string, string>();
  const late = new Map<string, number>();
  let [looked, size] = [0, 0];
  for (const [at, file] of files.entries()) {
    if (at % 20 === 0) ask.onProgress?.(at, files.length);
    const fragment = await readPiece(reach, file, skipped);
    size += fragment?.text.length ?? 0;
    if (size > MAX_TEXT) {
      notes.add(`The files are too long together; the last that was looked into is ${files[at - 1]?.path}.`);
      break;
    }
    if (fragment === undefined) continue;
    const look = await scanAll([fragment], { checks, signal: ask.signal, slow });
    matches.push(...look.matches);
    for (const note of look.notes) notes.add(note);
    for (const [name, count] of look.late) late.set(name, count);
    looked += 1;
  }
  if (isMore) notes.add(`There are more than ${ask.most} files; only the first were looked into.`);
  for (const note of lateNotes(late)) notes.add(note);
  if (skipped.length > 0) notes.add(`Not looked into: ${listNames(skipped)}.`);
  const families = familiesOf(matches, checks);
  const known = [...new Set([...CATEGORIES, ...checks.map(({ pattern }) => pattern.category)])];
  return {
    files: looked,
    families,
    untouched: known.filter((family) => !families.some((touched) => touched.family === family)),
    notes: [...notes],
  };
}

async function readPiece(reach: FileAccess, file: FoundFile, skipped: string[]): Promise<Fragment | undefined> {
  const { text, reason } = await readFound(reach, file);
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

/** Tells a coverage in few words. */
export function writeCoverage({ files, families, untouched, notes }: Coverage): string {
  return [
    `${counted(files, "file")} looked into.`,
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
