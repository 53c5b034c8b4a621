import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { FolderWatch } from "@toolwright/kit/files";

/** Servers write files too, into which they log or keep their state: only code counts, in whatever language. */
const CODE =
  /\.(?:[cm]?[jt]sx?|wasm|py|rb|go|rs|java|kts?|scala|cs|fs|php|lua|exs?|erl|swift|dart|c|cc|cpp|h|hpp)$|^package\.json$/;
const SKIPPED = new Set(["node_modules", "dist", "build", "coverage", "target", "vendor", "venv", "__pycache__"]);
/** More folders than any project has that one person writes. */
const MOST_FOLDERS = 5000;

/** Watches the code of a project, and tells when some of it has changed; other files may change as they like. */
export class ProjectWatch {
  readonly #roots: readonly string[];
  readonly #changed: () => void;
  readonly #watch: FolderWatch;
  #seen: string;

  constructor(roots: readonly string[], changed: () => void) {
    this.#roots = roots;
    this.#changed = changed;
    this.#watch = new FolderWatch(() => this.#look());
    this.#seen = this.#cover();
  }

  close(): void {
    this.#watch.close();
  }

  #look(): void {
    const now = this.#cover();
    if (now === this.#seen) return;
    this.#seen = now;
    this.#changed();
  }

  /** What all code looks like from outside. Folders that have come are watched first, so that nothing happens unseen. */
  #cover(): string {
    for (;;) {
      const folders: string[] = [];
      const files: string[] = [];
      for (const root of this.#roots) walk(root, folders, files);
      if (!this.#watch.cover(folders)) return files.map(lookOf).join("\n");
    }
  }
}

function walk(folder: string, folders: string[], files: string[]): void {
  if (folders.length >= MOST_FOLDERS) return;
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
    // It has gone since its parent was read.
    return [];
  }
}

function lookOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${file} ${stats?.mtimeMs} ${stats?.size}`;
}

/** The folder of the project that a file belongs to: the nearest above it with a package.json, else its own. */
export function projectOf(file: string): string {
  const own = path.dirname(path.resolve(file));
  for (let folder = own; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "package.json"))) return folder;
    if (folder === path.dirname(folder)) return own;
  }
}
