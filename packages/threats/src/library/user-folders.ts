import { isDeepStrictEqual } from "node:util";
import { FolderWatch } from "@toolwright/kit/files";
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

/** A folder of the user's, and what it is called in faults. */
export interface UserFolder {
  readonly directory: string;
  readonly displayName: string;
}

/** Who hears of changes of the folders. */
export interface FolderListener {
  /** Other patterns are there than before, or lists show them otherwise. */
  listChanged(): void;
  /** A pattern is there, has gone or is another than before. */
  patternChanged(id: string): void;
  /** Something is wrong with a file, and was not before; what, as one line. */
  diagnosticFound(line: string): void;
  /** A pattern stands in place of a built-in one, and did not before. */
  replaced(id: string, file: string): void;
}

/** The user's patterns as they are now: read once, and anew whenever something in the folders changes. */
export class UserFolders {
  readonly #folders: readonly UserFolder[];
  readonly #builtInCorpus: () => Promise<ReadonlySet<string>>;
  readonly #listener: FolderListener;
  readonly #watch = new FolderWatch(() => void this.#lookAgain());
  readonly #memory: ParseCache = new Map();
  #current: Promise<UserPatterns>;
  #turn: Promise<void>;
  /** Whether a folder is not watched, because it was deleted: then every read looks for it again. */
  #isLost = false;
  #isClosed = false;

  constructor(
    folders: readonly UserFolder[],
    builtInCorpus: () => Promise<ReadonlySet<string>>,
    listener: FolderListener,
  ) {
    this.#folders = folders;
    this.#builtInCorpus = builtInCorpus;
    this.#listener = listener;
    this.#current = this.#read();
    this.#turn = this.#current.then((now) => this.#tellNews(now, NOTHING));
  }

  /** What is there at the moment. */
  async patterns(): Promise<UserPatterns> {
    if (this.#isLost && !this.#isClosed) await this.#lookAgain();
    return this.#current;
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
  }

  /** What came into a folder before it was watched is seen by the look after that. */
  async #read(): Promise<UserPatterns> {
    for (;;) {
      const read = await Promise.all(
        this.#folders.map(({ directory, displayName }) => readFolder(directory, displayName, this.#memory)),
      );
      this.#forget(new Set(read.flatMap(({ files }) => files)));
      if (this.#watch.cover(read.flatMap(({ folders }) => folders))) continue;
      this.#isLost = this.#folders.some(({ directory }) => !this.#watch.has(directory));
      return together(read, await this.#builtInCorpus());
    }
  }

  /** Lets go of what is known of files that have gone. */
  #forget(there: ReadonlySet<string>): void {
    for (const place of this.#memory.keys()) if (!there.has(place)) this.#memory.delete(place);
  }

  #lookAgain(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#reload());
    return this.#turn;
  }

  async #reload(): Promise<void> {
    const before = await this.#current;
    this.#watch.drop();
    const now = await this.#read();
    if (this.#isClosed || isDeepStrictEqual(before, now)) return;
    this.#current = Promise.resolve(now);
    await this.#tellNews(now, before);
    const changed = changedIds(before, now);
    for (const id of changed) this.#listener.patternChanged(id);
    if (changed.length > 0) this.#listener.listChanged();
  }

  async #tellNews(now: UserPatterns, before: UserPatterns): Promise<void> {
    const known = new Set(before.diagnostics.map(textOf));
    for (const diagnostic of now.diagnostics)
      if (!known.has(textOf(diagnostic))) this.#listener.diagnosticFound(formatDiagnostic(diagnostic));
    const builtInCorpus = await this.#builtInCorpus();
    for (const { file, pattern } of now.patterns)
      if (builtInCorpus.has(pattern.id) && !before.patterns.some((old) => old.pattern.id === pattern.id))
        this.#listener.replaced(pattern.id, file);
  }
}

const NOTHING: UserPatterns = { patterns: [], diagnostics: [], files: 0 };

const textOf = ({ file, path, message }: PatternDiagnostic): string => `${file}\n${path}\n${message}`;

/** Of several folders the first that has an id counts. */
function together(read: readonly ReadFolder[], builtInCorpus: ReadonlySet<string>): UserPatterns {
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
