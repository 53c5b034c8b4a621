import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { FolderWatch } from "@toolwright/kit/files";

/** Only source files are watched: servers also write logs and state. */
const CODE =
  /\.(?:[cm]?[jt]sx?|wasm|py|rb|go|rs|java|kts?|scala|cs|fs|php|lua|exs?|erl|swift|dart|c|cc|cpp|h|hpp)$|^package\.json$/;
const SKIPPED = new Set(["node_modules", "dist", "build", "coverage", "target", "vendor", "venv", "__pycache__"]);
/** More folders are not watched. */
const MAX_FOLDERS = 5000;

/** Watches the source files of a project. */
export class ProjectWatch {
  readonly #roots: readonly string[];
  readonly #changed: () => void;
  readonly #watch: FolderWatch;
  #fingerprint: string;

  constructor(roots: readonly string[], changed: () => void) {
    this.#roots = roots;
    this.#changed = changed;
    this.#watch = new FolderWatch(() => this.#check());
    this.#fingerprint = this.#watchAll();
  }

  close(): void {
    this.#watch.close();
  }

  #check(): void {
    const now = this.#watchAll();
    if (now === this.#fingerprint) return;
    this.#fingerprint = now;
    this.#changed();
  }

  /** The fingerprint of all source files. New folders are watched first, so that no change is missed. */
  #watchAll(): string {
    for (;;) {
      const folders: string[] = [];
      const files: string[] = [];
      for (const root of this.#roots) walk(root, folders, files);
      if (!this.#watch.cover(folders)) return files.map(fingerprintOf).join("\n");
    }
  }
}

function walk(folder: string, folders: string[], files: string[]): void {
  if (folders.length >= MAX_FOLDERS) return;
  folders.push(folder);
  for (const entry of entriesOf(folder)) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith(".")) walk(place, folders, files);
    else if (CODE.test(entry.name)) files.push(place);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It was deleted in the meantime.
    return [];
  }
}

function fingerprintOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${file} ${stats?.mtimeMs} ${stats?.size}`;
}

/** The project folder of a file: the nearest with a package.json, otherwise its own folder. */
export function projectOf(file: string): string {
  const own = path.dirname(path.resolve(file));
  for (let folder = own; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "package.json"))) return folder;
    if (folder === path.dirname(folder)) return own;
  }
}
