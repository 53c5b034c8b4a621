import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Note } from "./facts.js";

/** Words that mark a note anywhere in a comment, in capitals. */
const STRONG = "TODO|FIXME|HACK|XXX|KLUDGE";

/** Words with other uses: they must begin a line, or be followed by a colon or an owner. */
const WEAK =
  "BUG|BROKEN|DEFECT|WORKAROUND|TEMP|TEMPORARY|REFACTOR|CLEANUP|DEPRECATE|OPTIMIZE|OPTIMISE|PERF|PERFORMANCE|SLOW|SECURITY|VULNERABILITY|UNSAFE|UNTESTED|TESTME|NOCOMMIT|UNDONE|WTF";

/** Phrases that mark a note. */
const PHRASES =
  "for now|quick and dirty|temporary (?:fix|hack|solution|workaround)|(?:dirty|ugly) (?:fix|hack)|hacky|not (?:yet implemented|implemented yet)|does(?: not|n't) work yet|should be (?:refactored|rewritten|optimi[sz]ed)|get rid of this|remove this (?:hack|once|when|after)|(?:probably|likely) a bug";

/** Not a part of a longer word, a path or a quotation, and not in a list of such words. */
const BEFORE = `(?<![\\p{L}\\p{N}_$.\\-/"'\`«“])(?<!\\b(?:${STRONG})s?(?:,|/|\\||\\sand|\\sor)\\s{0,3})`;
/** Not a file name, a variable, or the subject of a sentence. */
const AFTER =
  "(?![\\p{L}\\p{N}_\\-/|,\"'`»”)]|\\.\\p{L}|\\s*=|\\s+(?:comments?|markers?|lists?|items?|words?|notes?|tags?)\\b|\\s+#?\\d+\\s+(?:is|was|has been|got)\\s+(?:fixed|solved|resolved|closed)\\b)";

/** A colon, possibly after an owner. */
const COLON = "(?=\\s*(?:\\([^()\\n]{1,60}\\)\\s*|\\[[^[\\]\\n]{1,60}\\]\\s*)?:)";

/** At the start of a line several words may share a colon, one may be in brackets, or begin a sentence. */
const SEVERAL = `(?:${STRONG})(?:\\s?[,/|]\\s?(?:${STRONG}))+${COLON}`;
const ADDRESS = `(?:${STRONG})(?=,\\s+(?!(?:${STRONG}|and|or)\\b)\\p{L})`;

const MARK = new RegExp(`${BEFORE}(?:@todo|${STRONG}|(?:${WEAK})${COLON})${AFTER}`, "gu");
const FIRST = new RegExp(
  `^(?:(?:${WEAK})${AFTER}|(?:${STRONG})${COLON}|${SEVERAL}|\\((?:${STRONG})\\)|${ADDRESS})`,
  "u",
);
const FIRST_SMALL = new RegExp(`^(?:${STRONG})${COLON}`, "iu");
const PHRASE = new RegExp(`${BEFORE}(?:${PHRASES})(?![\\p{L}\\p{N}_])`, "iu");

/** A quick check: most comments match nothing. */
const ANY = new RegExp(`@todo|${STRONG}|${WEAK}|${PHRASES}`, "iu");

/** Comment syntax at the start of a line. */
const OPENING =
  /^\s*(?:\/\/+!?|\/\*+!?|\*+(?!\/)|#+!?|=begin\b|=end\b|<!--|-->|[rRuU]?(?:"""|'''))?\s*(?:<(?:summary|remarks|returns|value|example|para|p|li)>\s*)*/u;

/** Closing tags in documentation comments. */
const CLOSING_TAG = /^<\/(?:summary|remarks|returns|value|example|para|param|exception|item|description|p|li|ul)>$/;

/** The length of a note; the rest is cut off. */
const MAX_CHARACTERS = 200;

/** How much of a line is searched. Only generated lines are longer. */
const MAX_LINE_LENGTH = 2000;

/** Reads the to-do comments of a file. */
export function readNotes(tree: SyntaxTree): readonly Note[] {
  const notes: Note[] = [];
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isComment || isDocumentation(node, tree)) notes.push(...notesOf(tree.textOf(node), node.line));
    else for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
  return notes;
}

/** Whether a statement is a docstring of Python. */
function isDocumentation({ type, children }: SyntaxNode, tree: SyntaxTree): boolean {
  const [only, ...others] = children;
  return (
    type === "expression_statement" &&
    only?.type === "string" &&
    others.length === 0 &&
    /^[rRuU]?(?:"""|''')/.test(tree.textOf(only))
  );
}

function notesOf(comment: string, line: number): readonly Note[] {
  if (!ANY.test(comment)) return [];
  return comment.split("\n").flatMap((text, index) => notesInLine(text, line + index));
}

function notesInLine(whole: string, line: number): readonly Note[] {
  const written = whole.slice(0, MAX_LINE_LENGTH);
  if (!ANY.test(written)) return [];
  const text = withoutEnd(written.replace(OPENING, ""));
  const marks = marksIn(text);
  if (marks.length === 0) {
    const phrase = PHRASE.exec(text);
    return phrase === null ? [] : [{ word: phrase[0].toUpperCase(), text: shorten(text), line }];
  }
  return marks.map(({ word, end }, index) => {
    const [, round, square, said = ""] = /^(?:\s*\(([^()]{1,60})\)|\[([^[\]]{1,60})\])?[\s:;.,–—-]*(.*)$/u.exec(
      text.slice(end, marks[index + 1]?.start),
    ) ?? [""];
    const owner = round ?? square;
    // A nested comment ends here.
    const [own = ""] = said.split("*/", 1);
    return { word, text: shorten(own.trim()), line, ...(owner !== undefined && { owner: owner.trim() }) };
  });
}

/** Removes the end of a comment. A regular expression would backtrack on long runs of spaces. */
function withoutEnd(text: string): string {
  for (let end = text.trimEnd(); ; end = end.trimEnd()) {
    const closing = closingOf(end);
    if (closing === 0) return end;
    end = end.slice(0, -closing);
    if (closing === 2) while (end.endsWith("*")) end = end.slice(0, -1);
  }
}

/** The length of the token that closes a comment at the end of a text. */
function closingOf(text: string): number {
  if (text.endsWith("*/")) return 2;
  if (text.endsWith("-->") || text.endsWith('"""') || text.endsWith("'''")) return 3;
  const tag = text.endsWith(">") ? text.slice(Math.max(0, text.lastIndexOf("</"))) : "";
  return CLOSING_TAG.test(tag) ? tag.length : 0;
}

/** The positions of the words in a line. The first one may be in lower case if a colon follows it. */
function marksIn(text: string): readonly { word: string; start: number; end: number }[] {
  const first = FIRST.exec(text) ?? FIRST_SMALL.exec(text);
  const found = [...text.matchAll(MARK)].filter(({ index }) => first === null || index > 0);
  return (first === null ? found : [first, ...found]).map((match) => ({
    word: (/\p{L}+/u.exec(match[0])?.[0] ?? "").toUpperCase(),
    start: match.index ?? 0,
    end: (match.index ?? 0) + match[0].length,
  }));
}

const shorten = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text;
