import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";

/** How long a signature may be; of a longer one the end is cut off. */
const MOST_CHARACTERS = 180;

/** What is said of a declaration but is no part of how it is used, and what can hold values. */
const LEFT_OUT = new Set([
  "decorator",
  "attribute_list",
  "attribute_item",
  "attribute",
  "annotation",
  "marker_annotation",
  "access_specifier",
]);

/** What functions do is left out, also of those inside a type. */
const BODIES = new Set([
  "statement_block",
  "block",
  "compound_statement",
  "function_body",
  "constructor_body",
  "body_statement",
  "arrow_expression_clause",
]);

const STRINGS = /(?:^|_)(?:string|string_literal|heredoc|nowdoc|regex|char_literal|character_literal)$/;

/** What stands at the end of a text from which the rest was cut. */
const LOOSE_END = /(?:\s|=>|=|\{|:=|:|->|;|\bthen\b)+$/;

/** A declaration on one line, up to its body: no comments, and no text of strings, because they may be secrets. */
export function signatureOf(tree: SyntaxTree, node: SyntaxNode, until: number = node.end): string {
  let [said, last] = ["", node.start];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.start >= until) continue;
    if (next.isComment || LEFT_OUT.has(next.type) || (next !== node && BODIES.has(next.type))) {
      last = next.end;
      continue;
    }
    const isText = next.isNamed && STRINGS.test(next.type) && next.parent?.type !== "literal_type";
    if (next.children.length > 0 && !isText) {
      for (let index = next.children.length - 1; index >= 0; index--) open.push(next.children[index] as SyntaxNode);
      continue;
    }
    const gap = next.start > last && said !== "" ? " " : "";
    said += `${gap}${isText ? '"…"' : tree.textOf(next).trim()}`;
    last = next.end;
    if (said.length > MOST_CHARACTERS) return `${said.slice(0, MOST_CHARACTERS - 1)}…`;
  }
  return said.replaceAll(/\s+/g, " ").replace(LOOSE_END, "").trim();
}
