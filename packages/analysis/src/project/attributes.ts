import path from "node:path";
import { type FileAccess, isWithin } from "@toolwright/kit/files";
import type { Ignore } from "ignore";
import type { Origin } from "./project.js";

/** The name of the files in which a repository says what its files are. */
export const ATTRIBUTES = ".gitattributes";

const MOST_BYTES = 256 * 1024;

/** What one file of attributes says of the files below its folder. */
interface Level {
  readonly folder: string;
  readonly generated: Ignore;
  readonly vendored: Ignore;
}

/** What a repository itself says of its files: which are generated, and which are vendored. */
export class Attributes {
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  /** Reads the files of attributes at some places, and those in the folders above one. */
  static async read(reach: FileAccess, root: string, places: readonly string[]): Promise<Attributes> {
    const all = [...new Set([...above(reach, root), ...places])].toSorted((one, other) => one.length - other.length);
    const levels = [];
    for (const place of all) levels.push(await readLevel(reach, place));
    return new Attributes(levels.filter((level) => level !== undefined));
  }

  /** What is said of a file, or else what its path suggests. */
  originOf(place: string, suggested: Origin): Origin {
    const vendored = this.#says("vendored", place);
    if (vendored === true) return "vendored";
    const generated = this.#says("generated", place);
    if (generated === true) return "generated";
    const isDenied =
      (suggested === "vendored" && vendored === false) || (suggested === "generated" && generated === false);
    return isDenied ? "own" : suggested;
  }

  /** Whether a file is said not to be generated, whatever it looks like. */
  isWritten(place: string): boolean {
    return this.#says("generated", place) === false;
  }

  /** The nearest file of attributes that speaks of it has the last word. */
  #says(what: "generated" | "vendored", place: string): boolean | undefined {
    for (const level of this.#levels.toReversed()) {
      if (!isWithin(level.folder, place)) continue;
      const { ignored, unignored } = level[what].test(path.relative(level.folder, place).split(path.sep).join("/"));
      if (ignored || unignored) return ignored;
    }
    return undefined;
  }
}

async function readLevel(reach: FileAccess, place: string): Promise<Level | undefined> {
  const lines = await readLines(reach, place);
  if (!lines.some((line) => line.includes("linguist-"))) return undefined;
  const { default: ignore } = await import("ignore");
  return {
    folder: path.dirname(place),
    generated: ignore().add(rulesOf(lines, "linguist-generated")),
    vendored: ignore().add(rulesOf(lines, "linguist-vendored")),
  };
}

/** The patterns that set an attribute, and turned round those that unset it. */
function rulesOf(lines: readonly string[], attribute: string): readonly string[] {
  return lines.flatMap((line) => {
    const [pattern = "", ...words] = line.trim().split(/\s+/);
    if (pattern.startsWith("#") || pattern.startsWith('"')) return [];
    if (words.includes(attribute) || words.includes(`${attribute}=true`)) return [pattern];
    return words.includes(`-${attribute}`) || words.includes(`${attribute}=false`) ? [`!${pattern}`] : [];
  });
}

async function readLines(reach: FileAccess, place: string): Promise<readonly string[]> {
  try {
    await using file = await reach.openFileAt(place, place);
    const bytes = Buffer.alloc(Math.min(file.stats.size, MOST_BYTES));
    const { bytesRead } = await reach.withTimeout(place, () => file.handle.read(bytes, 0, bytes.length, 0));
    return bytes.toString("utf8", 0, bytesRead).split(/\r?\n/);
  } catch (error) {
    reach.signal?.throwIfAborted();
    if (error instanceof Error) return [];
    throw error;
  }
}

function above(reach: FileAccess, folder: string): readonly string[] {
  const places: string[] = [];
  let each = folder;
  while (reach.roots.some((root) => isWithin(root, each))) {
    places.push(path.join(each, ATTRIBUTES));
    if (path.dirname(each) === each) break;
    each = path.dirname(each);
  }
  return places;
}
