import { ToolError } from "@toolwright/engine";

/** A glob that was read: which paths fit, and which folders can hold some that do. */
export interface Glob {
  readonly fits: (relativePath: string) => boolean;
  /** Whether something in a folder, or below, can fit. */
  readonly canHold: (folder: string) => boolean;
}

/** The maximum length of a glob. No path that it could fit is longer. */
const MAX_LENGTH = 1000;
/** How much of a glob an error shows. */
const MAX_SHOWN = 100;

/**
 * Reads a glob: `*`, `?`, `[…]`, `{a,b}`, and `**` for any number of folders. One without a slash fits names in every folder; a
 * first `!` turns it round. Names that begin with a dot are names like others. Takes linear time.
 */
export function compileGlob(inputGlob: string): Glob {
  if (inputGlob.length > MAX_LENGTH) throw invalidGlob(inputGlob, `it has more than ${MAX_LENGTH} characters`);
  const isNegated = inputGlob.startsWith("!");
  const words = inputGlob
    .slice(isNegated ? 1 : 0)
    .replace(/^(?:\.\/|\/)+/, "")
    .replace(/\/+$/, "");
  const glob = words.includes("/") ? words : `**/${words}`;
  const pattern = createPattern(inputGlob, `^(?:${toPattern(glob)})$`);
  if (isNegated) return { fits: (relativePath) => !pattern.test(relativePath), canHold: () => true };
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

/** The maximum length of all globs of one call together: each path is tried with each of them. */
const MAX_TOTAL_LENGTH = 10_000;

/** Reads the globs of one call. Throws a `ToolError` if they are too long together. */
export function compileGlobs(inputGlobs: readonly string[]): Glob[] {
  const length = inputGlobs.reduce((sum, glob) => sum + glob.length, 0);
  if (length <= MAX_TOTAL_LENGTH) return inputGlobs.map(compileGlob);
  throw new ToolError(`Cannot use ${inputGlobs.length} globs: they have more than ${MAX_TOTAL_LENGTH} characters.`, {
    code: "INVALID_ARGUMENT",
    hint: { action: "use fewer and shorter globs, such as vendor/**" },
  });
}

/** Compiles a source without assertions, so that V8 can run it in linear time: many stars against a long name would take for ever otherwise. */
export function linearPattern(source: string): RegExp {
  process.getBuiltinModule("node:v8").setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
  return new RegExp(source, "s");
}

function createPattern(inputGlob: string, words: string): RegExp {
  try {
    return linearPattern(words);
  } catch (error) {
    throw invalidGlob(inputGlob, (error as Error).message.slice(-MAX_SHOWN), error);
  }
}

function invalidGlob(inputGlob: string, reason: string, cause?: unknown): ToolError {
  const glob = inputGlob.length > MAX_SHOWN ? `${inputGlob.slice(0, MAX_SHOWN)}…` : inputGlob;
  return new ToolError(`Cannot read the glob ${JSON.stringify(glob)}: ${reason}.`, {
    code: "INVALID_ARGUMENT",
    details: { glob },
    cause,
  });
}

/** The folders in front of the first name that is not said in full. */
function fixedFolders(glob: string): readonly string[] {
  const names = glob.split("/").slice(0, -1);
  const open = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  return open === -1 ? names : names.slice(0, open);
}

/** One character that is no slash, be it two units long. */
const ANY = String.raw`(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|[^/])`;

/** A glob as the source of a regular expression without assertions, which V8 can run in linear time. `hasChoices`: it knows `{a,b}`. */
export function toPattern(glob: string, hasChoices = true): string {
  let pattern = "";
  let depth = 0;
  const choices = hasChoices ? choicesIn(glob) : undefined;
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
      const [words, length, inside] = toWords(rest, depth, choices?.has(at) === true);
      pattern += words;
      at += length;
      depth = inside;
    }
  }
  return pattern;
}

/** What the first character, class or brace of a glob stands for, how long it is, and how many braces are open behind it. */
function toWords(rest: string, depth: number, isChoice: boolean): [pattern: string, length: number, depth: number] {
  const [first = ""] = rest;
  if (first === "*") return ["[^/]*", /^\*+/.exec(rest)?.[0].length ?? 1, depth];
  if (first === "?") return [ANY, 1, depth];
  if (first === "\\" && rest.length > 1) return [escaped(rest[1] ?? ""), 2, depth];
  if (isChoice) return ["(?:", 1, depth + 1];
  if (first === "," && depth > 0) return ["|", 1, depth];
  if (first === "}" && depth > 0) return [")", 1, depth - 1];
  const [all, not, members] = /^\[([!^]?)(\]?(?:\[:[a-z]+:\]|[^\]/])*)\]/.exec(rest) ?? [];
  if (all === undefined || members === undefined || members === "") return [escaped(first), 1, depth];
  const safe = members.replaceAll(/\[:([a-z]+):\]|[\\\]^[]/g, (found, name) => CLASSES[name as string] ?? `\\${found}`);
  return [not === "" ? `[${safe}]` : `[^/${safe}]`, all.length, depth];
}

/** The named classes of POSIX, such as `[[:alpha:]]`. */
const CLASSES: Readonly<Record<string, string>> = {
  alnum: "A-Za-z0-9",
  alpha: "A-Za-z",
  blank: " \\t",
  digit: "0-9",
  lower: "a-z",
  punct: "!-.:-@\\[-`{-~",
  space: String.raw`\s`,
  upper: "A-Z",
  word: String.raw`\w`,
  xdigit: "A-Fa-f0-9",
};

/** The positions of the braces that close again and hold a choice: others are part of a name. */
function choicesIn(glob: string): ReadonlySet<number> {
  const choices = new Set<number>();
  const open: { readonly at: number; hasChoice: boolean }[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    const last = open.at(-1);
    if (glob[at] === "{") open.push({ at, hasChoice: false });
    else if (glob[at] === "," && last !== undefined) last.hasChoice = true;
    else if (glob[at] === "}" && open.pop()?.hasChoice) choices.add((last as { at: number }).at);
  }
  return choices;
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);
