import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { compileGlobs, type FileAccess, type Glob, type Walked, walk } from "@toolwright/kit/files";
import type { OnProgress } from "@toolwright/kit/progress";
import { isHeader, LANGUAGES, type Language, languageOf } from "@toolwright/kit/syntax";
import { ATTRIBUTES_FILE, Attributes } from "./attributes.js";
import type { Origin, SkippedFile, SourceQuery } from "./project.js";

/** A source file that is to be read. */
export interface Source {
  readonly realPath: string;
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** By its name. The content of a header can tell another one. */
  readonly language: Language;
  readonly isHeader: boolean;
  /** By its path and the attributes of the repository. */
  readonly origin: Origin;
  /** The repository marks it as not generated, whatever its content looks like. */
  readonly isMarkedAsOwn: boolean;
}

/** The selected files of a project, before they are read. */
export interface Sources {
  readonly root: string;
  /** Sorted by path. */
  readonly sources: readonly Source[];
  readonly skipped: readonly SkippedFile[];
  readonly leftOut: { generated: number; vendored: number };
  /** Whether generated and vendored files are included. */
  readonly isAll: boolean;
}

const MAX_FILES = 100_000;
const PROGRESS_ENTRIES = 5000;

/** Finds the source files that a query selects. */
export async function findSources(access: FileAccess, query: SourceQuery, onProgress?: OnProgress): Promise<Sources> {
  const found = await access.stat(query.path);
  return found?.stats.isFile() === true ? singleSource(query, found.realPath) : sourcesIn(access, query, onProgress);
}

/** A file that the caller names is analyzed whatever its origin is. */
function singleSource({ path: inputPath, languages }: SourceQuery, realPath: string): Sources {
  const name = path.basename(realPath);
  const language = languageOf(name);
  if (language === undefined) throw unknownLanguage(inputPath);
  const source = {
    realPath,
    path: name,
    language,
    isHeader: isHeader(name),
    origin: originOf(name),
    isMarkedAsOwn: false,
  };
  return {
    root: path.dirname(realPath),
    sources: mayBeOf(languages, name, language) ? [source] : [],
    skipped: [],
    leftOut: { generated: 0, vendored: 0 },
    isAll: true,
  };
}

async function sourcesIn(access: FileAccess, query: SourceQuery, onProgress?: OnProgress): Promise<Sources> {
  const filter = createFilter(query);
  const skipped: SkippedFile[] = [];
  const walked: (Walked & { readonly language: Language })[] = [];
  const attributeFiles: string[] = [];
  let seen = 0;
  await using folder = await access.openFolder(query.path);
  const entries = walk(access, query.path, {
    enters: filter.entersFolder,
    skipped: (below, reason) => skipped.push({ path: `${below}/`, reason }),
  });
  for await (const entry of entries) {
    seen += 1;
    if (seen % PROGRESS_ENTRIES === 0) onProgress?.({ stage: "Finding files", done: seen, unit: "entries" });
    if (entry.kind !== "file") continue;
    if (entry.name === ATTRIBUTES_FILE) attributeFiles.push(entry.realPath);
    const language = languageOf(entry.name);
    if (language === undefined || !filter.takesFile(entry.relativePath, language)) continue;
    if (walked.length === MAX_FILES) throw tooManyFiles(query.path);
    walked.push({ ...entry, language });
  }
  const attributes = await Attributes.read(access, folder.realPath, attributeFiles);
  const leftOut = { generated: 0, vendored: 0 };
  const sources = walked.flatMap(({ realPath, relativePath: below, language }): readonly Source[] => {
    const origin = attributes.originOf(realPath, originOf(below));
    if (!query.all && (origin === "generated" || origin === "vendored")) {
      leftOut[origin] += 1;
      return [];
    }
    const isMarkedAsOwn = attributes.isMarkedAsOwn(realPath);
    return [{ realPath, path: below, language, isHeader: isHeader(below), origin, isMarkedAsOwn }];
  });
  return { root: folder.realPath, sources, skipped, leftOut, isAll: query.all === true };
}

/** Which folders are entered, and which files are taken. */
function createFilter({ include = [], exclude = [], languages }: SourceQuery): {
  readonly entersFolder: (below: string) => boolean;
  readonly takesFile: (below: string, language: Language) => boolean;
} {
  const included = compileGlobs(include);
  const excluded = compileGlobs(exclude);
  // A glob that matches a folder stands for everything in it.
  const matches = (globs: readonly Glob[], below: string): boolean =>
    below.split("/").some((_name, at, names) => {
      const prefix = names.slice(0, at + 1).join("/");
      return globs.some(({ fits }) => fits(prefix));
    });
  return {
    entersFolder: (below) =>
      !matches(excluded, below) && (included.length === 0 || included.some(({ canHold }) => canHold(below))),
    takesFile: (below, language) =>
      mayBeOf(languages, below, language) &&
      (included.length === 0 || matches(included, below)) &&
      !matches(excluded, below),
  };
}

/** Whether a file can be of a selected language, as far as its name tells. */
const mayBeOf = (languages: readonly Language[] | undefined, name: string, language: Language): boolean =>
  languages === undefined || languages.includes(language) || (isHeader(name) && languages.includes("cpp"));

/** Tells the language of files that a query would select if they existed; undefined = it would not. */
export function createLanguageFilter(query: SourceQuery): (below: string) => Language | undefined {
  const filter = createFilter(query);
  return (below) => {
    const language = languageOf(below);
    const origin = originOf(below);
    const isLeftOut = query.all !== true && (origin === "generated" || origin === "vendored");
    return language !== undefined && !isLeftOut && filter.takesFile(below, language) ? language : undefined;
  };
}

const unknownLanguage = (inputPath: string): ToolError => {
  const extensions = Object.values(LANGUAGES).flatMap((language) => language.ends);
  return new ToolError(
    `Cannot analyze ${JSON.stringify(inputPath)}: its language is not supported. Supported are folders, and files with the extensions ${extensions.join(", ")}.`,
    { code: "INVALID_ARGUMENT", details: { path: inputPath, allowed: extensions } },
  );
};

const tooManyFiles = (inputPath: string): ToolError =>
  new ToolError(`Cannot analyze ${JSON.stringify(inputPath)}: it has more than ${MAX_FILES} source files.`, {
    code: "TOO_LARGE",
    hint: { action: "analyze one of its folders, or select files by globs" },
    details: { path: inputPath, limit: MAX_FILES },
  });

const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|web_modules|vendor|third[_-]?party|Pods|Carthage|site-packages|dist-packages|\.?venv|\.yarn)\//;

const BUILD_OUTPUT = /(?:^|\/)(?:dist|\.next|\.nuxt|\.output|\.svelte-kit|coverage|__generated__|generated)\//;

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

/** The origin of a file by its path relative to the project. */
export function originOf(file: string): Origin {
  if (VENDORED.test(file)) return "vendored";
  if (BUILD_OUTPUT.test(file) || GENERATED_NAMES.some((name) => name.test(file))) return "generated";
  return TEST_FOLDERS.test(file) || TEST_NAMES.some((name) => name.test(file)) ? "test" : "own";
}
