import { ToolError } from "@toolwright/engine";

/** A glob that was read: which paths fit, and which folders can hold some that do. */
export interface Glob {
  readonly fits: (relativePath: string) => boolean;
  /** Whether something in a folder, or below, can fit. */
  readonly canHold: (folder: string) => boolean;
}

/**
 * Reads a glob: `*`, `?`, `[…]`, `{a,b}`, and `**` for any number of folders. One without a slash fits names in every folder; a
 * first `!` turns it round. Names that begin with a dot are names like others.
 */
export function compileGlob(inputPath: string): Glob {
  if (inputPath.startsWith("!")) {
    const { fits } = compileGlob(inputPath.slice(1));
    return { fits: (relativePath) => !fits(relativePath), canHold: () => true };
  }
  const words = inputPath.replace(/^(?:\.\/|\/)+/, "").replace(/\/+$/, "");
  const glob = words.includes("/") ? words : `**/${words}`;
  const pattern = createPattern(inputPath, `^(?:${toPattern(glob)})$`);
  const fixed = fixedFolders(glob);
  return {
    fits: (relativePath) => pattern.test(relativePath),
    canHold: (folder) =>
      folder.split("/").every((name, at) => {
        const wanted = fixed[at];
        return wanted === undefined || wanted === name;
      }),
  };
}

function createPattern(inputPath: string, words: string): RegExp {
  // Many stars against a long name would take for ever otherwise. What V8 then turns to knows no flags, and no looking ahead.
  process.getBuiltinModule("node:v8").setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
  try {
    if (inputPath.length > LONGEST) throw new Error(`it has more than ${LONGEST} characters`);
    return new RegExp(words, "s");
  } catch (error) {
    throw new ToolError(
      `Cannot read the glob ${JSON.stringify(inputPath.slice(0, LONGEST))}: ${(error as Error).message}.`,
      {
        code: "INVALID_ARGUMENT",
        details: { glob: inputPath.slice(0, LONGEST) },
        cause: error,
      },
    );
  }
}

const LONGEST = 1000;

/** The folders in front of the first name that is not said in full. */
function fixedFolders(glob: string): readonly string[] {
  const names = glob.split("/").slice(0, -1);
  const open = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  return open === -1 ? names : names.slice(0, open);
}

/** One character that is no slash, be it two units long. */
const ANY = String.raw`(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|[^/])`;

function toPattern(glob: string): string {
  let pattern = "";
  let depth = 0;
  for (let at = 0; at < glob.length; ) {
    const rest = glob.slice(at);
    const isStart = at === 0 || glob[at - 1] === "/" || (depth > 0 && /[{,]/.test(glob[at - 1] ?? ""));
    if (isStart && rest.startsWith("**/")) {
      pattern += "(?:[^/]+/)*";
      at += 3;
    } else if (isStart && (depth > 0 ? /^\*\*(?=[,}])/.test(rest) : rest === "**")) {
      pattern += ".+";
      at += 2;
    } else {
      const [words, length, inside] = toWords(rest, depth);
      pattern += words;
      at += length;
      depth = inside;
    }
  }
  return pattern;
}

/** What the first character, class or brace of a glob stands for, how long it is, and how many braces are open behind it. */
function toWords(rest: string, depth: number): [pattern: string, length: number, depth: number] {
  const [first = ""] = rest;
  if (first === "*") return ["[^/]*", /^\*+/.exec(rest)?.[0].length ?? 1, depth];
  if (first === "?") return [ANY, 1, depth];
  if (first === "\\" && rest.length > 1) return [escaped(rest[1] ?? ""), 2, depth];
  if (first === "{" && isList(rest)) return ["(?:", 1, depth + 1];
  if (first === "," && depth > 0) return ["|", 1, depth];
  if (first === "}" && depth > 0) return [")", 1, depth - 1];
  const [all, not, members] = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(rest) ?? [];
  if (all === undefined || members === undefined || members === "") return [escaped(first), 1, depth];
  const safe = members.replaceAll(/[\\\]^[]/g, String.raw`\$&`);
  return [not === "" ? `[${safe}]` : `[^/${safe}]`, all.length, depth];
}

/** Whether braces close again and hold a choice: others are part of a name. */
function isList(rest: string): boolean {
  let depth = 0;
  let hasChoice = false;
  for (const character of rest) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (character === "," && depth === 1) hasChoice = true;
    if (depth === 0) return hasChoice;
  }
  return false;
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);
