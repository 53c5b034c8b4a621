import { ToolError } from "@toolwright/engine";

/** What is looked for, as both engines read it. */
export interface SearchPattern {
  /** Decides. Matches within one line; global, so that it can start anywhere in it. */
  readonly own: RegExp;
  /** Whether it can be tried in few ways only, so that no text can make it take for ever. */
  readonly isQuick: boolean;
  /** For ripgrep, to find the files worth a look: fits at least wherever `own` does. */
  readonly wide: string;
}

/** How a pattern is meant. */
export interface PatternOptions {
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

/**
 * Reads a search pattern: plain text, or a regular expression in the syntax that JavaScript and Rust have in common. `\w`, `\d`,
 * `\s` and `\b` mean what they mean in JavaScript. Throws a `ToolError` that says what is wrong with it.
 */
export function compilePattern({ pattern, literal, ignoreCase }: PatternOptions): SearchPattern {
  if (pattern.length > LONGEST) throw wrongPattern(pattern, `it has more than ${LONGEST} characters`);
  const [flagged, rest = pattern] = literal ? [] : (/^\(\?i\)(.*)$/s.exec(pattern) ?? []);
  if (/[\n\0]/.test(pattern)) throw wrongPattern(pattern, "a match lies within one line, without line breaks");
  const isFolded = ignoreCase || flagged !== undefined;
  const parts = literal ? Array.from(pattern, literally) : readParts(rest, pattern);
  const own = parts.map((part) => part.own).join("");
  const wide = parts.map((part) => part.wide).join("");
  try {
    return {
      own: new RegExp(own, isFolded ? "giu" : "gu"),
      isQuick: literal || isQuick(rest),
      wide: isFolded ? `(?i:${wide})` : wide,
    };
  } catch (error) {
    throw wrongPattern(pattern, (error as Error).message.replace(/^Invalid regular expression: \/.*\/\w*: /s, ""));
  }
}

const LONGEST = 2000;
const MOST_CHOICES = 8;

/** Choices multiply, and repetition has no end. */
const isQuick = (pattern: string): boolean =>
  !/[*+{]/.test(pattern) && (pattern.match(/[?|]/g) ?? []).length <= MOST_CHOICES;

/** One piece of a pattern in both spellings. */
interface Part {
  readonly own: string;
  readonly wide: string;
}

const same = (words: string): Part => ({ own: words, wide: words });

/** A character that stands for itself, in and out of a class. */
function literally(character: string): Part {
  if (/[\w ]/.test(character)) return same(character);
  const code = character.codePointAt(0)?.toString(16) ?? "0";
  return { own: `\\u{${code}}`, wide: `\\x{${code}}` };
}

const TOKEN =
  /\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>|P<\w+>|[a-z-]*[:)]?)|\\(?:p|P)\{[^}]*\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\x\{[0-9a-fA-F]+\}|\\.|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;

function readParts(rest: string, pattern: string): readonly Part[] {
  return (rest.match(TOKEN) ?? []).map((token) => readToken(token, pattern));
}

function readToken(token: string, pattern: string): Part {
  const [first = ""] = token;
  if (token.length > 1 && first === "[") return readClass(token, pattern);
  if (token.length > 1 && first === "(") return readGroup(token, pattern);
  if (token.length > 1 && first === "\\") return readEscape(token, pattern);
  // What both engines take for operators; a brace or bracket that is none of a pair stands for itself.
  if (/^(?:[.^$|()*+?]|[*+?]\?|\{\d.*)$/.test(token)) return same(token);
  return literally(token);
}

function readGroup(token: string, pattern: string): Part {
  if (token === "(?:") return same(token);
  if (/^\(\?P?<\w+>$/.test(token)) return same("(?:");
  throw wrongPattern(pattern, `${token} is not supported: no looking ahead or behind, and no flags but a first (?i)`);
}

/** Members of the classes that JavaScript has names for, as they are written in a class of Rust. */
const NAMED: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`,
};

/** Where a class can hold anything, Rust is given anything. */
const ANYTHING = String.raw`[^\n]`;

function readEscape(token: string, pattern: string): Part {
  const letter = token[1] ?? "";
  if (/^\\[pP]\{/.test(token)) return { own: token, wide: ANYTHING };
  if (/^\\[ux]/.test(token) && token.length > 2) return { own: own(codeOf(token)), wide: wide(codeOf(token)) };
  if (/[dws]/.test(letter)) return { own: token, wide: `[${NAMED[letter]}]` };
  if (/[DWS]/.test(letter)) return { own: token, wide: `[^${NAMED[letter.toLowerCase()]}\\n]` };
  // Where a word ends differs in rare characters; ripgrep need not know.
  if (/[bB]/.test(letter)) return { own: token, wide: "(?:)" };
  if (/[tfvr]/.test(letter)) return same(token);
  if (letter === "n") throw wrongPattern(pattern, "a match lies within one line, so \\n never fits");
  if (/[1-9k]/.test(letter)) throw wrongPattern(pattern, `${token} refers back to a group, which is not supported`);
  if (/[0-9A-Za-z]/.test(letter)) throw wrongPattern(pattern, `${token} is not known here`);
  return literally(token.slice(1));
}

const codeOf = (token: string): number => Number.parseInt(token.replaceAll(/[^0-9a-fA-F]/g, ""), 16);
const own = (code: number): string => `\\u{${code.toString(16)}}`;
const wide = (code: number): string => `\\x{${code.toString(16)}}`;

const MEMBER =
  /\\[pP]\{[^}]*\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x\{[0-9a-fA-F]+\}|\\x[0-9a-fA-F]{2}|\\.|[\s\S]/gu;

function readClass(token: string, pattern: string): Part {
  if (token.includes("[:")) throw wrongPattern(pattern, `${token} is not supported; write [A-Za-z] and the like`);
  const not = token.startsWith("[^") ? "^" : "";
  const members = (token.slice(1 + not.length, -1).match(MEMBER) ?? []).map((member) => readMember(member, pattern));
  const isOpen = members.some((member) => member.wide === ANYTHING);
  const inside = members.map((member) => member.wide).join("");
  const ownClass = `[${not}${members.map((member) => member.own).join("")}]`;
  if (isOpen || inside === "") return { own: ownClass, wide: ANYTHING };
  // A class turned round would fit a line break, which ripgrep refuses to look for.
  return { own: ownClass, wide: not === "" ? `[${inside}]` : `[^${inside}\\n]` };
}

function readMember(member: string, pattern: string): Part {
  if (member === "-") return same("-");
  if (member.length === 1) return literally(member);
  const letter = member[1] ?? "";
  if (/^\\[dws]$/.test(member)) return { own: member, wide: NAMED[letter] ?? "" };
  if (/^\\[DWS]$/.test(member)) return { own: member, wide: ANYTHING };
  if (letter === "b") return { own: member, wide: wide(8) };
  if (letter === "B") throw wrongPattern(pattern, "\\B has no meaning in a class");
  return readEscape(member, pattern);
}

const wrongPattern = (pattern: string, reason: string): ToolError =>
  new ToolError(`Cannot search for ${JSON.stringify(pattern.slice(0, 200))}: ${reason}.`, {
    code: "INVALID_ARGUMENT",
    details: { pattern: pattern.slice(0, 200) },
  });

/** How long a pattern may take for one piece of text; it takes a few milliseconds if it is not made to hang. */
const MOST_MS = 150;

/** Does work that a pattern from outside could make endless; it is ended after a while. Nothing else runs meanwhile. */
export type Guard = <Value>(work: () => Value) => Value;

/** Makes a guard for a pattern. Throws a `ToolError` from the work that takes too long. */
export async function createGuard(pattern: string): Promise<Guard> {
  const { createContext, Script } = await import("node:vm");
  const script = new Script("work()");
  let turn: () => void = () => undefined;
  const context = createContext({ work: () => turn() });
  return <Value>(work: () => Value): Value => {
    let value: { readonly made: Value } | undefined;
    turn = () => {
      value = { made: work() };
    };
    try {
      script.runInContext(context, { timeout: MOST_MS });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? tooSlow(pattern) : error;
    }
    if (value === undefined) throw tooSlow(pattern);
    return value.made;
  };
}

const tooSlow = (pattern: string): ToolError =>
  new ToolError(
    `Cannot search for ${JSON.stringify(pattern.slice(0, 200))}: it tries too many ways to match. Repeat less inside of what repeats, as in (a+)+.`,
    { code: "INVALID_ARGUMENT", details: { pattern: pattern.slice(0, 200) } },
  );
