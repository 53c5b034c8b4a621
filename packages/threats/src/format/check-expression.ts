/** Why a regular expression of a check cannot be used, and what to do; undefined for one that can. */
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

/** What is known of a group while it is read. */
interface Group {
  /** Whether something in it can be of many lengths. */
  repeats: boolean;
  /** Whether it has alternatives. */
  hasBranches: boolean;
  /** The beginnings of its alternatives, as far as they are plain. */
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

/** Keeps the first sign of each alternative. */
function note(group: Group, sign: string): void {
  if (group.beginnings.at(-1) === "") group.beginnings[group.beginnings.length - 1] = sign;
}

/** Two alternatives that begin with the same sign, or with any. */
function overlap({ hasBranches, beginnings }: Group): boolean {
  return hasBranches && (new Set(beginnings).size < beginnings.length || beginnings.includes("."));
}

/** How long the sign at a place is: an escape, a class in brackets, or one character. */
function lengthAt(source: string, at: number): number {
  const rest = source.slice(at);
  return (/^(?:\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\])/.exec(rest)?.[0] ?? rest[0] ?? "").length;
}
