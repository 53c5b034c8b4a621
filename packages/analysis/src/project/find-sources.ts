import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { compileGlob, type FileAccess, type Glob, type Walked, walk } from "@toolwright/kit/files";
import { isHeader, LANGUAGES, type Language, languageOf } from "@toolwright/kit/syntax";
import type { Fact } from "../facts/facts.js";
import { ATTRIBUTES, Attributes } from "./attributes.js";
import type { Origin, ProjectWish, SkippedFile } from "./project.js";

/** A file that is to be read. */
export interface Source {
  readonly place: string;
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** By its name; the text of a header may tell another. */
  readonly language: Language;
  readonly isHeader: boolean;
  /** What its path and the repository say of it. */
  readonly origin: Origin;
  /** The repository says that no program has made it, whatever it looks like. */
  readonly isWritten: boolean;
}

/** The files of a project that are wanted, before they are read. */
export interface Sources {
  readonly root: string;
  /** In the order of their paths. */
  readonly sources: readonly Source[];
  readonly skipped: readonly SkippedFile[];
  readonly leftOut: { generated: number; vendored: number };
  /** Whether files that were made by programs or others are wanted too. */
  readonly isAll: boolean;
}

const MOST_FILES = 100_000;

/** Which files are wanted. */
export type SourceWish = Omit<ProjectWish<Fact>, "wanted" | "trim">;

/** Finds the files of a project. `hear` is told now and then how many entries were seen. */
export async function findSources(reach: FileAccess, wish: SourceWish, hear: (seen: number) => void): Promise<Sources> {
  const found = await reach.stat(wish.path);
  return found?.stats.isFile() === true ? oneSource(wish, found.realPath) : sourcesIn(reach, wish, hear);
}

/** Whoever names a file wants it, whatever it is. */
function oneSource({ path: given, languages }: SourceWish, place: string): Sources {
  const name = path.basename(place);
  const language = languageOf(name);
  if (language === undefined) throw unknownLanguage(given);
  const isWanted = mayBeOf(languages, name, language);
  return {
    root: path.dirname(place),
    sources: isWanted
      ? [{ place, path: name, language, isHeader: isHeader(name), origin: originOf(name), isWritten: false }]
      : [],
    skipped: [],
    leftOut: { generated: 0, vendored: 0 },
    isAll: true,
  };
}

async function sourcesIn(reach: FileAccess, wish: SourceWish, hear: (seen: number) => void): Promise<Sources> {
  const wants = readWish(wish);
  const skipped: SkippedFile[] = [];
  const walked: (Walked & { readonly language: Language })[] = [];
  const attributes: string[] = [];
  let seen = 0;
  await using folder = await reach.openFolder(wish.path);
  const steps = walk(reach, wish.path, {
    enters: wants.enters,
    skipped: (below, reason) => skipped.push({ path: `${below}/`, reason }),
  });
  for await (const entry of steps) {
    seen += 1;
    if (seen % 5000 === 0) hear(seen);
    if (entry.kind !== "file") continue;
    if (entry.name === ATTRIBUTES) attributes.push(entry.realPath);
    const language = languageOf(entry.name);
    if (language === undefined || !wants.file(entry.relativePath, language)) continue;
    if (walked.length === MOST_FILES) throw tooMany(wish.path);
    walked.push({ ...entry, language });
  }
  const said = await Attributes.read(reach, folder.realPath, attributes);
  const leftOut = { generated: 0, vendored: 0 };
  const sources = walked.flatMap(({ realPath: place, relativePath: below, language }): readonly Source[] => {
    const origin = said.originOf(place, originOf(below));
    if (!wish.all && (origin === "generated" || origin === "vendored")) {
      leftOut[origin] += 1;
      return [];
    }
    return [{ place, path: below, language, isHeader: isHeader(below), origin, isWritten: said.isWritten(place) }];
  });
  return { root: folder.realPath, sources, skipped, leftOut, isAll: wish.all === true };
}

/** Which folders are gone into, and which files are taken. */
function readWish({ include = [], exclude = [], languages }: SourceWish): {
  readonly enters: (below: string) => boolean;
  readonly file: (below: string, language: Language) => boolean;
} {
  const wanted = include.map(compileGlob);
  const unwanted = exclude.map(compileGlob);
  // A glob that fits a folder stands for all that is in it.
  const some = (globs: readonly Glob[], below: string): boolean =>
    below.split("/").some((_name, at, names) => {
      const way = names.slice(0, at + 1).join("/");
      return globs.some(({ fits }) => fits(way));
    });
  return {
    enters: (below) => !some(unwanted, below) && (wanted.length === 0 || wanted.some(({ canHold }) => canHold(below))),
    file: (below, language) =>
      mayBeOf(languages, below, language) && (wanted.length === 0 || some(wanted, below)) && !some(unwanted, below),
  };
}

/** Whether a file may be of a language that is wanted, as far as its name tells. */
const mayBeOf = (languages: readonly Language[] | undefined, name: string, language: Language): boolean =>
  languages === undefined || languages.includes(language) || (isHeader(name) && languages.includes("cpp"));

/** The language of a file that a wish would take if it were there; undefined = it would not. */
export function wantedLanguage(wish: SourceWish): (below: string) => Language | undefined {
  const wants = readWish(wish);
  return (below) => {
    const language = languageOf(below);
    const origin = originOf(below);
    const isOther = wish.all !== true && (origin === "generated" || origin === "vendored");
    return language !== undefined && !isOther && wants.file(below, language) ? language : undefined;
  };
}

const unknownLanguage = (given: string): ToolError => {
  const ends = Object.values(LANGUAGES).flatMap((language) => language.ends);
  return new ToolError(
    `Cannot analyse ${JSON.stringify(given)}: its name does not end as sources do that can be read. Give a folder, or a file that ends with ${ends.join(", ")}.`,
    { code: "INVALID_ARGUMENT", details: { path: given, allowed: ends } },
  );
};

const tooMany = (given: string): ToolError =>
  new ToolError(
    `Cannot analyse ${JSON.stringify(given)} at once: it has more than ${MOST_FILES} sources. Give a folder in it, or include.`,
    { code: "TOO_LARGE", details: { path: given, most: MOST_FILES } },
  );

const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|web_modules|vendor|third[_-]?party|Pods|Carthage|site-packages|dist-packages|\.?venv|\.yarn)\//;

const OUTPUTS = /(?:^|\/)(?:dist|\.next|\.nuxt|\.output|\.svelte-kit|coverage|__generated__|generated)\//;

const GENERATED_NAMES = [
  /[.-]min\.[cm]?js$/,
  /\.bundle\.js$/,
  /\.pb(?:\.gw)?\.(?:go|cc|h|swift)$/,
  /_pb2(?:_grpc)?\.pyi?$/,
  /\.(?:g|g\.i|designer|generated)\.cs$/i,
  /[._](?:generated|gen)\.[a-z]+$/,
];

const TEST_FOLDERS = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|testdata|Tests)\//;

const TEST_NAMES = [
  /[._-](?:test|tests|spec)\.[a-z]+$/,
  /(?:^|\/)(?:test_[^/]*|conftest)\.py$/,
  /(?:Test|Tests|TestCase|Spec)\.(?:java|kt|cs|swift|php)$/,
];

/** What a file is, by its path relative to the project. */
export function originOf(file: string): Origin {
  if (VENDORED.test(file)) return "vendored";
  if (OUTPUTS.test(file) || GENERATED_NAMES.some((name) => name.test(file))) return "generated";
  return TEST_FOLDERS.test(file) || TEST_NAMES.some((name) => name.test(file)) ? "test" : "own";
}
