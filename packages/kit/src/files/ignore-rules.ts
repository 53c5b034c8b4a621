import path from "node:path";
import type { FileAccess } from "./file-access.js";
import { type RuleSet, readIgnoreFile } from "./ignore-file.js";
import { isWithin } from "./paths.js";
import { decodeText } from "./text.js";

/** The largest file of rules that is read; what is behind that is no list that somebody wrote. */
const MOST_BYTES = 1024 * 1024;

/** One file of rules, and the folder that they count from. */
interface Level {
  readonly prefix: string;
  readonly rules: RuleSet;
}

/** What git ignores in one folder: the rules of each .gitignore from the repository down to it, the nearest last. */
export class IgnoreRules {
  readonly #access: FileAccess;
  readonly #levels: readonly Level[];

  private constructor(access: FileAccess, levels: readonly Level[]) {
    this.#access = access;
    this.#levels = levels;
  }

  /** The rules for a folder: from its repository on, or from the root where no repository can be reached. */
  static async for(access: FileAccess, folder: string): Promise<IgnoreRules> {
    let rules = new IgnoreRules(access, []);
    for (const each of foldersAbove(access, folder)) rules = await rules.relativePath(each);
    return rules;
  }

  /** Whether git ignores a place, be it for its own name or for a folder above it. */
  static async ignore(access: FileAccess, realPath: string, isFolder: boolean): Promise<boolean> {
    let rules = new IgnoreRules(access, []);
    for (const each of foldersAbove(access, path.dirname(realPath))) {
      if (rules.ignores(each, true)) return true;
      rules = await rules.relativePath(each);
    }
    return rules.ignores(realPath, isFolder);
  }

  /** The rules for the entries of a folder of which these are known for it. `names` are those of its entries, where they are known. */
  async relativePath(folder: string, names?: ReadonlySet<string>): Promise<IgnoreRules> {
    const isRepository = names?.has(".git") ?? (await this.#has(folder, ".git"));
    // The rules of a repository end where another one begins.
    const inherited = isRepository ? [] : this.#levels;
    const own = [
      isRepository ? await this.#read(folder, ".git/info/exclude") : undefined,
      names?.has(".gitignore") === false ? undefined : await this.#read(folder, ".gitignore"),
    ].filter((level) => level !== undefined);
    return own.length === 0 && inherited === this.#levels
      ? this
      : new IgnoreRules(this.#access, [...inherited, ...own]);
  }

  /** Whether the rules leave an entry out. The folders above it must not be left out themselves. */
  ignores(realPath: string, isFolder: boolean): boolean {
    for (let at = this.#levels.length - 1; at >= 0; at -= 1) {
      const { prefix, rules } = this.#levels[at] as Level;
      const isIgnored = rules.ignores(relativeTo(prefix, realPath), isFolder);
      if (isIgnored !== undefined) return isIgnored;
    }
    return false;
  }

  async #has(folder: string, name: string): Promise<boolean> {
    const found = await this.#access.stat(path.join(folder, name)).catch(() => undefined);
    return found !== undefined;
  }

  async #read(folder: string, name: string): Promise<Level | undefined> {
    const realPath = path.join(folder, name);
    try {
      await using file = await this.#access.openFileAt(realPath, realPath);
      const bytes = Buffer.alloc(Math.min(file.stats.size, MOST_BYTES));
      const { bytesRead } = await this.#access.withTimeout(realPath, () => file.handle.read(bytes, 0, bytes.length, 0));
      const text = decodeText(bytes.subarray(0, bytesRead), "utf-8");
      return { prefix: withSeparator(folder), rules: await readIgnoreFile(text, this.#access.signal) };
    } catch (error) {
      this.#access.signal?.throwIfAborted();
      if (error instanceof Error) return undefined;
      throw error;
    }
  }
}

function relativeTo(prefix: string, realPath: string): string {
  const way = realPath.slice(prefix.length);
  return path.sep === "\\" ? way.replaceAll("\\", "/") : way;
}

const withSeparator = (folder: string): string => (folder.endsWith(path.sep) ? folder : folder + path.sep);

/** The folders from the root that a folder lies in down to itself. */
function foldersAbove(access: FileAccess, folder: string): readonly string[] {
  const above: string[] = [];
  let each = folder;
  while (access.roots.some((root) => isWithin(root, each))) {
    above.unshift(each);
    if (path.dirname(each) === each) break;
    each = path.dirname(each);
  }
  return above;
}
