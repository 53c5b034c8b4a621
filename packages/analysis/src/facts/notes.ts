import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Note } from "./facts.js";

/** Words that say it anywhere in a comment, in capitals. */
const STRONG = "TODO|FIXME|HACK|XXX|KLUDGE";

/** Words that are also used of other things: they must begin a line of a comment, or a colon or an owner must follow them. */
const WEAK =
  "BUG|BROKEN|DEFECT|WORKAROUND|TEMP|TEMPORARY|REFACTOR|CLEANUP|DEPRECATE|OPTIMIZE|OPTIMISE|PERF|PERFORMANCE|SLOW|SECURITY|VULNERABILITY|UNSAFE|UNTESTED|TESTME|NOCOMMIT|UNDONE|WTF";

/** What people write in place of a word. */
const PHRASES =
  "for now|quick and dirty|temporary (?:fix|hack|solution|workaround)|(?:dirty|ugly) (?:fix|hack)|hacky|not (?:yet implemented|implemented yet)|does(?: not|n't) work yet|should be (?:refactored|rewritten|optimi[sz]ed)|get rid of this|remove this (?:hack|once|when|after)|(?:probably|likely) a bug";

/** Neither a part of a longer word, a path or a quotation, nor one of a list of such words. */
const BEFORE = `(?<![\\p{L}\\p{N}_$.\\-/"'\`«“])(?<!\\b(?:${STRONG})s?(?:,|/|\\||\\sand|\\sor)\\s{0,3})`;
/** Nor the name of a file, of a variable, or of what is spoken about. */
const AFTER =
  "(?![\\p{L}\\p{N}_\\-/|,\"'`»”)]|\\.\\p{L}|\\s*=|\\s+(?:comments?|markers?|lists?|items?|words?|notes?|tags?)\\b|\\s+#?\\d+\\s+(?:is|was|has been|got)\\s+(?:fixed|solved|resolved|closed)\\b)";

/** An owner may stand before the colon. */
const COLON = "(?=\\s*(?:\\([^()\\n]{1,60}\\)\\s*|\\[[^[\\]\\n]{1,60}\\]\\s*)?:)";

/** At the beginning of a line several words may share a colon, one may stand in brackets, or be the first of a sentence. */
const SEVERAL = `(?:${STRONG})(?:\\s?[,/|]\\s?(?:${STRONG}))+${COLON}`;
const ADDRESS = `(?:${STRONG})(?=,\\s+(?!(?:${STRONG}|and|or)\\b)\\p{L})`;

const MARK = new RegExp(`${BEFORE}(?:@todo|${STRONG}|(?:${WEAK})${COLON})${AFTER}`, "gu");
const FIRST = new RegExp(
  `^(?:(?:${WEAK})${AFTER}|(?:${STRONG})${COLON}|${SEVERAL}|\\((?:${STRONG})\\)|${ADDRESS})`,
  "u",
);
const FIRST_SMALL = new RegExp(`^(?:${STRONG})${COLON}`, "iu");
const PHRASE = new RegExp(`${BEFORE}(?:${PHRASES})(?![\\p{L}\\p{N}_])`, "iu");

/** Most comments say none of it; then nothing else is looked at. */
const ANY = new RegExp(`@todo|${STRONG}|${WEAK}|${PHRASES}`, "iu");

/** What belongs to the comment and not to its words, at the beginning of a line. */
const OPENING =
  /^\s*(?:\/\/+!?|\/\*+!?|\*+(?!\/)|#+!?|=begin\b|=end\b|<!--|-->|[rRuU]?(?:"""|'''))?\s*(?:<(?:summary|remarks|returns|value|example|para|p|li)>\s*)*/u;

/** What closes a part of a documentation comment. */
const CLOSING_TAG = /^<\/(?:summary|remarks|returns|value|example|para|param|exception|item|description|p|li|ul)>$/;

/** How much of a note is kept. */
const MOST_CHARACTERS = 200;

/** Nobody reads a line to its end that is longer; what is generated may be. */
const MOST_OF_LINE = 2000;

/** The comments of a file that say that something is left to do. */
export function readNotes(tree: SyntaxTree): readonly Note[] {
  const notes: Note[] = [];
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isComment || isDocumentation(node, tree)) notes.push(...notesOf(tree.textOf(node), node.line));
    else for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
  return notes;
}

/** Whether a statement is nothing but a text in three quotes, as Python has its documentation. */
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
  const written = whole.slice(0, MOST_OF_LINE);
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
    // A comment inside another ends before it.
    const [own = ""] = said.split("*/", 1);
    return { word, text: shorten(own.trim()), line, ...(owner !== undefined && { owner: owner.trim() }) };
  });
}

/** Without what closes a comment. A pattern for it would go through each run of spaces once for every space. */
function withoutEnd(text: string): string {
  for (let end = text.trimEnd(); ; end = end.trimEnd()) {
    const closing = closingOf(end);
    if (closing === 0) return end;
    end = end.slice(0, -closing);
    if (closing === 2) while (end.endsWith("*")) end = end.slice(0, -1);
  }
}

/** How long the sign is that closes a comment, or a part of it, at the end of a text. */
function closingOf(text: string): number {
  if (text.endsWith("*/")) return 2;
  if (text.endsWith("-->") || text.endsWith('"""') || text.endsWith("'''")) return 3;
  const tag = text.endsWith(">") ? text.slice(Math.max(0, text.lastIndexOf("</"))) : "";
  return CLOSING_TAG.test(tag) ? tag.length : 0;
}

/** Where the words stand in a line; the first may be in small letters if it is written like one. */
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
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
