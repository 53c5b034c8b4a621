import { isDeepStrictEqual } from "node:util";
import { WatchedFolders } from "@toolwright/kit/files";
import { formatDiagnostic, type PatternDiagnostic } from "../format/diagnostics.js";
import type { UserPatterns } from "./library.js";
import {
  duplicateId,
  type FoundPattern,
  findUnknownRelations,
  type ParseCache,
  type ReadFolder,
  readFolder,
} from "./read-folder.js";

/** A folder of the user, and its name in error messages. */
export interface UserFolder {
  readonly directory: string;
  readonly displayName: string;
}

/** Receives the changes of the folders. */
export interface FolderListener {
  /** Patterns were added, removed or changed. */
  listChanged(): void;
  /** A pattern was added, removed or changed. */
  patternChanged(id: string): void;
  /** A file has a new problem, as one line. */
  diagnosticFound(line: string): void;
  /** A pattern replaces a built-in one, and did not before. */
  replaced(id: string, file: string): void;
}

/** The user's patterns as they are now: read once, and again whenever something in the folders changes. */
export function watchPatterns(
  folders: readonly UserFolder[],
  builtInCorpus: () => Promise<ReadonlySet<string>>,
  listener: FolderListener,
): WatchedFolders<UserPatterns> {
  const cache: ParseCache = new Map();
  return new WatchedFolders({
    roots: folders.map(({ directory }) => directory),
    async read() {
      const read = await Promise.all(
        folders.map(({ directory, displayName }) => readFolder(directory, displayName, cache)),
      );
      const files = new Set(read.flatMap((folder) => folder.files));
      for (const file of cache.keys()) if (!files.has(file)) cache.delete(file);
      const content = mergeFolders(read, await builtInCorpus());
      return { content, folders: read.flatMap((folder) => folder.folders) };
    },
    async onRead(now, before = NOTHING) {
      reportNew(now, before, await builtInCorpus(), listener);
      if (before === NOTHING) return;
      const changed = changedIds(before, now);
      for (const id of changed) listener.patternChanged(id);
      if (changed.length > 0) listener.listChanged();
    },
  });
}

function reportNew(
  now: UserPatterns,
  before: UserPatterns,
  builtInCorpus: ReadonlySet<string>,
  listener: FolderListener,
): void {
  const known = new Set(before.diagnostics.map(textOf));
  for (const diagnostic of now.diagnostics)
    if (!known.has(textOf(diagnostic))) listener.diagnosticFound(formatDiagnostic(diagnostic));
  for (const { file, pattern } of now.patterns)
    if (builtInCorpus.has(pattern.id) && !before.patterns.some((old) => old.pattern.id === pattern.id))
      listener.replaced(pattern.id, file);
}

const NOTHING: UserPatterns = { patterns: [], diagnostics: [], files: 0 };

const textOf = ({ file, path, message }: PatternDiagnostic): string => `${file}\n${path}\n${message}`;

/** If several folders have the same id, the first one counts. */
function mergeFolders(read: readonly ReadFolder[], builtInCorpus: ReadonlySet<string>): UserPatterns {
  const found = new Map<string, FoundPattern>();
  const diagnostics = read.flatMap((folder) => folder.diagnostics);
  for (const one of read.flatMap(({ patterns }) => patterns)) {
    const earlier = found.get(one.pattern.id);
    if (earlier === undefined) found.set(one.pattern.id, one);
    else diagnostics.push(one.locate(duplicateId(one.pattern.id, earlier.file)));
  }
  const patterns = [...found.values()];
  const known = new Set([...builtInCorpus, ...found.keys()]);
  return {
    patterns: patterns.map(({ file, pattern }) => ({ file, pattern })),
    diagnostics: [...diagnostics, ...findUnknownRelations(patterns, known)],
    files: read.reduce((sum, { files }) => sum + files.length, 0),
  };
}

function changedIds(before: UserPatterns, now: UserPatterns): readonly string[] {
  const old = new Map(before.patterns.map(({ pattern }) => [pattern.id, pattern]));
  const fresh = new Map(now.patterns.map(({ pattern }) => [pattern.id, pattern]));
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((id) => !isDeepStrictEqual(old.get(id), fresh.get(id)));
}
