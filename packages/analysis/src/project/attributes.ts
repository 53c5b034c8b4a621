import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { compileGlob, type FileAccess, type Glob, isWithin } from "@toolwright/kit/files";
import type { Origin } from "./project.js";

/** The files in which a repository marks its files as generated or vendored. */
export const ATTRIBUTES_FILE = ".gitattributes";

const MAX_BYTES = 256 * 1024;

type Attribute = "generated" | "vendored";

/** A line that sets or unsets an attribute. */
interface Rule {
  readonly attribute: Attribute;
  readonly glob: Glob;
  readonly value: boolean;
}

/** The attributes that one file sets for the files below its folder. */
interface Level {
  readonly folder: string;
  /** The last rule that matches applies. */
  readonly rules: readonly Rule[];
}

/** The `linguist-generated` and `linguist-vendored` attributes of a repository. */
export class Attributes {
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  /** Reads the given attribute files, and those in the project folder and above it. */
  static async read(access: FileAccess, root: string, files: readonly string[]): Promise<Attributes> {
    const all = [...new Set([...filesAbove(access, root), ...files])].toSorted((a, b) => a.length - b.length);
    const levels = [];
    for (const file of all) levels.push(await readLevel(access, file));
    return new Attributes(levels.filter((level) => level !== undefined));
  }

  /** The origin of a file by its attributes, or else the one that its path suggests. */
  originOf(file: string, suggested: Origin): Origin {
    const vendored = this.#attribute("vendored", file);
    if (vendored === true) return "vendored";
    const generated = this.#attribute("generated", file);
    if (generated === true) return "generated";
    const isDenied =
      (suggested === "vendored" && vendored === false) || (suggested === "generated" && generated === false);
    return isDenied ? "own" : suggested;
  }

  /** Whether a file is marked as not generated, whatever its content looks like. */
  isMarkedAsOwn(file: string): boolean {
    return this.#attribute("generated", file) === false;
  }

  /** The last rule of the nearest attribute file that matches the file or a folder around it. */
  #attribute(attribute: Attribute, file: string): boolean | undefined {
    for (const { folder, rules } of this.#levels.toReversed()) {
      if (!isWithin(folder, file)) continue;
      const names = path.relative(folder, file).split(path.sep);
      const paths = names.map((_name, at) => names.slice(0, at + 1).join("/"));
      const rule = rules.findLast(
        (each) => each.attribute === attribute && paths.some((below) => each.glob.fits(below)),
      );
      if (rule !== undefined) return rule.value;
    }
    return undefined;
  }
}

async function readLevel(access: FileAccess, file: string): Promise<Level | undefined> {
  const rules = (await readLines(access, file)).filter((line) => line.includes("linguist-")).flatMap(parseLine);
  return rules.length === 0 ? undefined : { folder: path.dirname(file), rules };
}

function parseLine(line: string): readonly Rule[] {
  const [pattern = "", ...words] = line.trim().split(/\s+/);
  if (pattern.startsWith("#") || pattern.startsWith('"')) return [];
  return (["generated", "vendored"] as const).flatMap((attribute) => {
    const name = `linguist-${attribute}`;
    const isSet = words.includes(name) || words.includes(`${name}=true`);
    if (!isSet && !words.includes(`-${name}`) && !words.includes(`${name}=false`)) return [];
    const glob = tryGlob(pattern);
    return glob === undefined ? [] : [{ attribute, glob, value: isSet }];
  });
}

/** A pattern that is invalid is ignored, as git does. */
function tryGlob(pattern: string): Glob | undefined {
  try {
    return compileGlob(pattern);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

async function readLines(access: FileAccess, realPath: string): Promise<readonly string[]> {
  try {
    await using file = await access.openFileAt(realPath, realPath);
    const bytes = Buffer.alloc(Math.min(file.stats.size, MAX_BYTES));
    const { bytesRead } = await access.withTimeout(realPath, () => file.handle.read(bytes, 0, bytes.length, 0));
    return bytes.toString("utf8", 0, bytesRead).split(/\r?\n/);
  } catch (error) {
    access.signal?.throwIfAborted();
    if (error instanceof Error) return [];
    throw error;
  }
}

function filesAbove(access: FileAccess, folder: string): readonly string[] {
  const files: string[] = [];
  let each = folder;
  while (access.roots.some((root) => isWithin(root, each))) {
    files.push(path.join(each, ATTRIBUTES_FILE));
    if (path.dirname(each) === each) break;
    each = path.dirname(each);
  }
  return files;
}
