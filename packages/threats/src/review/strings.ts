import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Span } from "./timed-search.js";

/** The text of a string, up to what is put into it. */
export interface StringPart extends Span {
  /** What the string holds: prose says nothing of what the code does. */
  readonly holds: "query" | "word" | "prose";
}

const CONTENT =
  /^(?:(?:\w+_)?(?:string_fragment|string_content|literal_content|heredoc_content)|escape_sequence|nowdoc_string|verbatim_string_literal)$/;
/** A statement of SQL, or a condition of one with a place for a value. */
const QUERY =
  /^\s*(?:select\s[\s\S]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|with\s+\w+\s+as\b|where\s+\w|set\s+\S+\s*=|set\s+(?:local|session)\b)|\w\s*(?:[=<>]|\b(?:in|like)\b)\s*\(?(?:\?|\$\d|:\w|%s|@\w)/i;

/** The parts of all strings of a tree, in order. */
export function stringsIn(tree: SyntaxTree): readonly StringPart[] {
  const found: StringPart[] = [];
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "verbatim_string_literal") for (const part of partsOf([node], tree)) found.push(part);
    else if (node.children.some(({ type }) => CONTENT.test(type)))
      for (const part of partsOf(node.children, tree)) found.push(part);
    for (const child of node.children) open.push(child);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Texts that only document: in Python a string that stands alone as a statement. */
export const isDocumentation = (node: SyntaxNode, { language }: SyntaxTree): boolean =>
  language === "python" &&
  node.type === "expression_statement" &&
  node.named.length === 1 &&
  node.named[0]?.type === "string";

function partsOf(children: readonly SyntaxNode[], tree: SyntaxTree): readonly StringPart[] {
  const contents = children.filter(({ type }) => CONTENT.test(type));
  const [first, last] = [contents[0], contents.at(-1)];
  if (first === undefined || last === undefined) return [];
  const whole = tree.text.slice(first.start, last.end).replace(/^@"/, "");
  const holds = QUERY.test(whole) ? "query" : /\s/.test(whole.trim()) ? "prose" : "word";
  const parts: { start: number; end: number; readonly holds: StringPart["holds"] }[] = [];
  for (const { start, end } of contents) {
    const before = parts.at(-1);
    if (before?.end === start) before.end = end;
    else parts.push({ start, end, holds });
  }
  return parts;
}

/** The part of a string that a span lies in as a whole. */
export function partAround(parts: readonly StringPart[], { start, end }: Span): StringPart | undefined {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const part = parts[low - 1];
  return part !== undefined && end <= part.end ? part : undefined;
}
