import { lstat, open, readdir } from "node:fs/promises";
import path from "node:path";
import { errorAt, fileError, type PatternDiagnostic, warningAt } from "../format/diagnostics.js";
import type { ThreatPattern } from "../format/pattern.js";
import { MAX_BYTES, type ReadPattern, readPattern } from "../format/read-pattern.js";

const MAX_DEPTH = 4;
const MAX_FILES = 2000;

/** A pattern and the file that it is from. */
export interface FoundPattern {
  readonly file: string;
  readonly pattern: ThreatPattern;
  readonly locate: ReadPattern["locate"];
}

/** What a look at a folder gave. */
export interface ReadFolder {
  readonly patterns: readonly FoundPattern[];
  readonly diagnostics: readonly PatternDiagnostic[];
  /** The folders that can be watched. */
  readonly folders: readonly string[];
  /** The files that were looked at. */
  readonly files: readonly string[];
}

/** Reads every .yaml and .yml file of a folder and of those in it; `displayName` is what the folder is called in faults. */
export async function readFolder(
  directory: string,
  displayName: string,
  memory: ParseCache = new Map(),
): Promise<ReadFolder> {
  const { files, folders, diagnostics } = await findFiles(directory, displayName);
  const found = new Map<string, FoundPattern>();
  for (const name of files) {
    const file = `${displayName}/${name}`;
    const { pattern, locate, diagnostics: wrong } = await readFile(path.join(directory, name), file, memory);
    diagnostics.push(...wrong);
    if (pattern === undefined) continue;
    const earlier = found.get(pattern.id);
    if (earlier === undefined) found.set(pattern.id, { file, pattern, locate });
    else diagnostics.push(locate(duplicateId(pattern.id, earlier.file)));
  }
  return {
    patterns: [...found.values()],
    diagnostics,
    folders,
    files: files.map((name) => path.join(directory, name)),
  };
}

/** A folder that cannot be read takes nothing down but what is in it. */
async function findFiles(directory: string, displayName: string) {
  const folders: string[] = [];
  const files: string[] = [];
  const diagnostics: PatternDiagnostic[] = [];
  const isFull = (): boolean => files.length + folders.length >= MAX_FILES;
  const visit = async (names: readonly string[]): Promise<void> => {
    const folder = path.join(directory, ...names);
    folders.push(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      const message = `Cannot read the folder (${error.code ?? error.name}).`;
      diagnostics.push(
        fileError([displayName, ...names].join("/"), message, "ScanResult whether it is there, and yours to read."),
      );
      return [];
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = [...names, entry.name];
      if (entry.name.startsWith(".") || isFull()) continue;
      if (entry.isDirectory() && below.length <= MAX_DEPTH) await visit(below);
      else if (/\.ya?ml$/i.test(entry.name)) files.push(below.join("/"));
    }
  };
  await visit([]);
  const message = `The folder contains more than ${MAX_FILES} files and folders.`;
  if (isFull()) diagnostics.push(fileError(displayName, message, "Use a folder that contains only patterns."));
  return { folders, files, diagnostics };
}

/** What related patterns name that is not there. */
export function findUnknownRelations(
  patterns: readonly FoundPattern[],
  known: ReadonlySet<string>,
): readonly PatternDiagnostic[] {
  return patterns.flatMap(({ pattern: { related_patterns: related = [] }, locate }) =>
    related.flatMap(({ id }, at) => {
      if (known.has(id)) return [];
      const part = ["threat_pattern", "related_patterns", at, "id"];
      return [locate(warningAt(part, `the pattern ${id} does not exist.`, "Correct the id, or remove the entry."))];
    }),
  );
}

/** Two files have the same id. */
export const duplicateId = (id: string, file: string) =>
  errorAt(["threat_pattern", "id"], `${id} is also the id of ${file}.`, "Change the number of one of them.");

/** What files said when they were last read: YAML takes milliseconds to read, and of many files mostly one has changed. */
export type ParseCache = Map<string, { readonly bytes: Buffer; readonly read: ReadPattern }>;

/** Reads the file of a pattern. A link is none: it would let a folder that is shared bring in any file of this machine. */
async function readFile(place: string, displayName: string, memory: ParseCache): Promise<ReadPattern> {
  const failed = (message: string, suggestion: string): ReadPattern => ({
    diagnostics: [fileError(displayName, message, suggestion)],
    locate: (diagnostic) => ({
      ...fileError(displayName, diagnostic.message, diagnostic.suggestion),
      severity: diagnostic.severity,
    }),
  });
  try {
    if (!(await lstat(place)).isFile()) return failed("It is not a regular file.", "Replace it by a copy of the file.");
    const bytes = await readBytes(place);
    const known = memory.get(place);
    if (known?.bytes.equals(bytes)) return known.read;
    const read = await readPattern(bytes, displayName);
    memory.set(place, { bytes, read });
    return read;
  } catch (error) {
    // Messages of the system contain the whole path, which clients must not see.
    const { code, message } = error as NodeJS.ErrnoException;
    return failed(`Cannot read the file (${code ?? message}).`, "ScanResult whether it is there, and yours to read.");
  }
}

/** The bytes of a file, but not many more than a pattern may have. */
async function readBytes(place: string): Promise<Buffer> {
  const handle = await open(place, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    return Buffer.from(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
