import { TimeSlice } from "../time/index.js";
import { linearPattern, toPattern } from "./glob.js";

/** The rules of a `.gitignore`. */
export interface RuleSet {
  /**
   * Whether the last rule that fits an entry ignores it; undefined if none fits. The path is relative to the folder of the file, with
   * forward slashes. The folders above the entry must not be ignored themselves.
   */
  ignores(relativePath: string, isFolder: boolean): boolean | undefined;
}

/** A line of the file. */
interface Rule {
  /** Later rules override earlier ones. */
  readonly index: number;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** The last rule for an exact name or path, and the last one that is not only for folders. */
interface ExactRules {
  readonly forFolders: Rule;
  readonly forFiles: Rule | undefined;
}

/** A rule with a wildcard. */
interface PatternRule extends Rule {
  readonly pattern: RegExp;
  /** Whether it fits whole paths, not names. */
  readonly isPath: boolean;
}

/** Longer patterns are skipped: no path is so long that they could fit it. */
const MAX_PATTERN = 1000;
/** As git does by default on the file systems of these platforms. */
const IS_CASE_SENSITIVE = process.platform !== "win32" && process.platform !== "darwin";

const fold = (text: string): string => (IS_CASE_SENSITIVE ? text : text.toLowerCase());

/**
 * Reads the text of a `.gitignore`. Anyone may have written it, so each line takes linear time, a question no more than the number of
 * lines with wildcards, and others are served meanwhile.
 */
export async function readIgnoreFile(text: string, signal?: AbortSignal): Promise<RuleSet> {
  const names = new Map<string, ExactRules>();
  const paths = new Map<string, ExactRules>();
  const patterns: PatternRule[] = [];
  const slice = new TimeSlice();
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (slice.isOver) await slice.next(signal);
    const read = readLine(line);
    if (read === undefined || read.glob.length > MAX_PATTERN) continue;
    const { glob, isPath, isNegated, isForFolders } = read;
    const rule = { index, isNegated, isForFolders };
    if (/[*?[]/.test(glob)) {
      const pattern = tryPattern(glob);
      if (pattern !== undefined) patterns.push({ ...rule, pattern, isPath });
    } else {
      const exact = isPath ? paths : names;
      const key = glob.replaceAll(/\\(.)/g, "$1");
      exact.set(key, { forFolders: rule, forFiles: isForFolders ? exact.get(key)?.forFiles : rule });
    }
  }
  return {
    ignores(relativePath, isFolder) {
      const path = fold(relativePath);
      const name = path.slice(path.lastIndexOf("/") + 1);
      let last: Rule | undefined;
      for (const exact of [names.get(name), paths.get(path)]) {
        const rule = isFolder ? exact?.forFolders : exact?.forFiles;
        if (rule !== undefined && rule.index > (last?.index ?? -1)) last = rule;
      }
      for (let at = patterns.length - 1; at >= 0; at -= 1) {
        const rule = patterns[at] as PatternRule;
        if (rule.index < (last?.index ?? -1)) break;
        if ((isFolder || !rule.isForFolders) && rule.pattern.test(rule.isPath ? path : name)) {
          last = rule;
          break;
        }
      }
      return last === undefined ? undefined : !last.isNegated;
    },
  };
}

/** Reads one line; undefined if it is empty or a comment. */
function readLine(line: string) {
  const trimmed = withoutTrailingSpaces(line.endsWith("\r") ? line.slice(0, -1) : line);
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const isNegated = trimmed.startsWith("!");
  const isForFolders = trimmed.endsWith("/");
  const words = trimmed.slice(isNegated ? 1 : 0, isForFolders ? -1 : undefined);
  const glob = fold(words.startsWith("/") ? words.slice(1) : words);
  return glob === "" ? undefined : { glob, isNegated, isForFolders, isPath: words.includes("/") };
}

/** Spaces at the end of a line do not count, unless a backslash is in front of them. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  return end < line.length && line[end - 1] === "\\" ? line.slice(0, end + 1) : line.slice(0, end);
}

/** A pattern that is invalid fits nothing, as in git. */
function tryPattern(glob: string): RegExp | undefined {
  try {
    return linearPattern(`^(?:${toPattern(glob, false)})$`);
  } catch {
    return undefined;
  }
}
