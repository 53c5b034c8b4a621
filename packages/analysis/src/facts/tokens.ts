import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { TokenRun } from "./facts.js";
import { codeOf, packTokens, type TokenClass } from "./packed-tokens.js";

/** Import lists are similar everywhere, and cannot be shared. */
const SKIPPED = new Set([
  "import_statement",
  "import_from_statement",
  "future_import_statement",
  "import_declaration",
  "import_list",
  "import",
  "use_declaration",
  "extern_crate_declaration",
  "using_directive",
  "namespace_use_declaration",
  "package_declaration",
  "package_clause",
  "package_header",
  "preproc_include",
]);

const STRINGS =
  /^(?:string|template_string|concatenated_string|encapsed_string|heredoc|nowdoc|char|character|rune|regex|.*string_literal|.*char(?:acter)?_literal|regex_literal|rune_literal|system_lib_string|string_array|symbol_array)$/;
/** The parts of a string that is one token. */
const PARTS =
  /^(?:string_(?:start|end|content|fragment)|.*_(?:content|fragment|sequence|text|start|end|delimiter)|escape_sequence|regex_(?:pattern|flags)|heredoc_.*|nowdoc_.*|bare_string|bare_symbol|.*str_text)$/;
const NUMBERS = /^(?:number|integer|float|decimal|.*(?:int|integer|float|number|real|imaginary|hex|bin|oct)_literal)$/;
const NAMES = /(?:identifier|^name|_name|^constant|variable|symbol|property)$/;

/** Reads the tokens of a file in their order, without comments and imports. A string is one token. */
export function readTokens(tree: SyntaxTree): TokenRun {
  const codes: number[] = [];
  const lines: number[] = [];
  const kinds = new Map<string, TokenClass>();
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isComment || node.start === node.end || isSkipped(node)) continue;
    if (node.children.length > 0 && !(node.isNamed && STRINGS.test(node.type) && isPlain(node))) {
      for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
      continue;
    }
    const text = tree.textOf(node).trim();
    if (text === "") continue;
    const kind = node.isNamed ? classOf(node.type) : "word";
    // A member and a variable of the same name can be renamed differently.
    codes.push(codeOf(kind, kind === "name" ? `${node.type} ${text}` : text));
    lines.push(node.line);
  }
  return packTokens(codes, lines);

  function classOf(type: string): TokenClass {
    const known = kinds.get(type);
    if (known !== undefined) return known;
    const kind = STRINGS.test(type) || PARTS.test(type) ? "string" : NUMBERS.test(type) ? "number" : nameOrWord(type);
    kinds.set(type, kind);
    return kind;
  }
}

const nameOrWord = (type: string): TokenClass => (NAMES.test(type) ? "name" : "word");

/** Whether a string contains no code. */
const isPlain = (node: SyntaxNode): boolean => node.children.every((child) => !child.isNamed || PARTS.test(child.type));

function isSkipped(node: SyntaxNode): boolean {
  if (!node.isNamed) return false;
  if (SKIPPED.has(node.type)) return node.children.length > 0;
  if (node.type === "export_statement") return node.children.some(({ type }) => type === "from");
  return node.type === "mod_item" && node.children.at(-1)?.type === ";";
}
