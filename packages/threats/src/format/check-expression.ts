/** Returns why a regular expression cannot be used, with a suggestion; undefined if it is safe. */
export function checkExpression(source: string): { readonly message: string; readonly suggestion: string } | undefined {
  if (FLAGS.test(source))
    return {
      message: "sets flags inside a group, which not every version of Node.js supports.",
      suggestion: "Write [Aa] to match both cases.",
    };
  try {
    if (repeatsRepetition(new RegExp(source, "m").source))
      return {
        message:
          "may take exponential time: a repeated group contains a repetition, or alternatives with the same beginning.",
        suggestion: "Repeat a character class instead of a group.",
      };
  } catch (error) {
    return {
      message: `is not a valid regular expression: ${(error as Error).message.replace(/^.*\/m?: /, "")}.`,
      suggestion: "Write a JavaScript expression, and escape special characters with a backslash.",
    };
  }
  return undefined;
}

const FLAGS = /(?<!\\)\(\?[a-z-]+[:)]/;
const REPEATER = /^(?:[*+]|\{\d+,\d*\})/;

/** The state of a group while the expression is parsed. */
interface Group {
  /** Whether it contains a repetition. */
  repeats: boolean;
  /** Whether it has alternatives. */
  hasBranches: boolean;
  /** The first character or class of each alternative. */
  beginnings: string[];
}

/**
 * Whether a group that can be of many lengths, or whose alternatives begin alike, is repeated without bound: the two ways to
 * exponential time. It looks at the text alone, and rather refuses too much.
 */
function repeatsRepetition(source: string): boolean {
  const open: Group[] = [newGroup()];
  for (let at = 0; at < source.length; ) {
    const group = open.at(-1) as Group;
    const sign = source[at] as string;
    const end = at + lengthAt(source, at);
    if (sign === "(") {
      open.push(newGroup());
      at += /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))?.[0].length ?? 1;
      continue;
    }
    if (sign === "|") {
      group.hasBranches = true;
      group.beginnings.push("");
      at = end;
      continue;
    }
    const closed = sign === ")" && open.length > 1 ? open.pop() : undefined;
    const around = open.at(-1) as Group;
    const repeater = REPEATER.exec(source.slice(end))?.[0];
    if (closed !== undefined) {
      if (repeater !== undefined && (closed.repeats || overlap(closed))) return true;
      around.repeats ||= closed.repeats;
    }
    if (repeater !== undefined) around.repeats = true;
    note(around, closed === undefined ? source.slice(at, end) : "");
    at = end + (repeater?.length ?? 0);
  }
  return false;
}

const newGroup = (): Group => ({ repeats: false, hasBranches: false, beginnings: [""] });

/** Records the first character of each alternative. */
function note(group: Group, sign: string): void {
  if (group.beginnings.at(-1) === "") group.beginnings[group.beginnings.length - 1] = sign;
}

/** Whether two alternatives begin with the same character, or one with any. */
function overlap({ hasBranches, beginnings }: Group): boolean {
  return hasBranches && (new Set(beginnings).size < beginnings.length || beginnings.includes("."));
}

/** The length of the escape, character class or character at a position. */
function lengthAt(source: string, at: number): number {
  const rest = source.slice(at);
  return (/^(?:\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\])/.exec(rest)?.[0] ?? rest[0] ?? "").length;
}
