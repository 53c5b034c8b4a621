import { readdir } from "node:fs/promises";
import path from "node:path";
import { errorAt, ofWhole, type PatternFault, warningAt } from "../format/fault.js";
import type { ThreatPattern } from "../format/pattern.js";
import type { ReadPattern } from "../format/read-pattern.js";
import { type Memory, readFile } from "./read-file.js";

const MOST_DEPTH = 4;
const MOST_FILES = 2000;

/** A pattern and the file that it is from. */
export interface FoundPattern {
  readonly file: string;
  readonly pattern: ThreatPattern;
  readonly locate: ReadPattern["locate"];
}

/** What a look at a folder gave. */
export interface ReadFolder {
  readonly patterns: readonly FoundPattern[];
  readonly faults: readonly PatternFault[];
  /** The folders that can be watched. */
  readonly folders: readonly string[];
  /** The files that were looked at. */
  readonly files: readonly string[];
}

/** Reads every .yaml and .yml file of a folder and of those in it; `shown` is what the folder is called in faults. */
export async function readFolder(directory: string, shown: string, memory: Memory = new Map()): Promise<ReadFolder> {
  const { files, folders, faults } = await findFiles(directory, shown);
  const found = new Map<string, FoundPattern>();
  for (const name of files) {
    const file = `${shown}/${name}`;
    const { pattern, locate, faults: wrong } = await readFile(path.join(directory, name), file, memory);
    faults.push(...wrong);
    if (pattern === undefined) continue;
    const earlier = found.get(pattern.id);
    if (earlier === undefined) found.set(pattern.id, { file, pattern, locate });
    else faults.push(locate(twice(pattern.id, earlier.file)));
  }
  return { patterns: [...found.values()], faults, folders, files: files.map((name) => path.join(directory, name)) };
}

/** A folder that cannot be read takes nothing down but what is in it. */
async function findFiles(directory: string, shown: string) {
  const folders: string[] = [];
  const files: string[] = [];
  const faults: PatternFault[] = [];
  const isFull = (): boolean => files.length + folders.length >= MOST_FILES;
  const visit = async (names: readonly string[]): Promise<void> => {
    const folder = path.join(directory, ...names);
    folders.push(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      const message = `The folder cannot be read (${error.code ?? error.name}).`;
      faults.push(ofWhole([shown, ...names].join("/"), message, "Look whether it is there, and yours to read."));
      return [];
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = [...names, entry.name];
      if (entry.name.startsWith(".") || isFull()) continue;
      if (entry.isDirectory() && below.length <= MOST_DEPTH) await visit(below);
      else if (/\.ya?ml$/i.test(entry.name)) files.push(below.join("/"));
    }
  };
  await visit([]);
  const message = `There are more than ${MOST_FILES} files and folders.`;
  if (isFull()) faults.push(ofWhole(shown, message, "Name a folder with patterns alone."));
  return { folders, files, faults };
}

/** What related patterns name that is not there. */
export function findStrangers(patterns: readonly FoundPattern[], known: ReadonlySet<string>): readonly PatternFault[] {
  return patterns.flatMap(({ pattern: { related_patterns: related = [] }, locate }) =>
    related.flatMap(({ id }, at) => {
      if (known.has(id)) return [];
      const part = ["threat_pattern", "related_patterns", at, "id"];
      return [locate(warningAt(part, `there is no pattern ${id}.`, "Correct the id, or take the entry out."))];
    }),
  );
}

/** Two files have the same id. */
export const twice = (id: string, file: string) =>
  errorAt(["threat_pattern", "id"], `${id} is the id of ${file} already.`, "Give one of them another number.");
