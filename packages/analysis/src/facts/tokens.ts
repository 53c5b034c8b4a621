import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { TokenRun } from "./facts.js";

/** The class of a token: keywords must be equal in copies, the others can be renamed. */
type TokenClass = "word" | "name" | "number" | "string";

const CLASSES: readonly TokenClass[] = ["word", "name", "number", "string"];

/** The lowest bits of a code are the class, the others a hash of the text. */
const CLASS_BITS = 2;
const CLASS_MASK = (1 << CLASS_BITS) - 1;

/** The code of a token: equal for equal texts of one class. */
function codeOf(kind: TokenClass, text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The class replaces the low bits, so their information is mixed into the others.
  hash ^= hash >>> 15;
  return ((hash << CLASS_BITS) | CLASSES.indexOf(kind)) >>> 0;
}

/** The class of a code; 0 = a keyword, which is never renamed. */
export const classOf = (code: number): number => code & CLASS_MASK;

/** Whether a code is of an identifier. */
export const isName = (code: number): boolean => classOf(code) === CLASSES.indexOf("name");

/** Packs tokens into two short strings. */
function packTokens(codes: readonly number[], lines: readonly number[]): TokenRun {
  const steps: number[] = [];
  let last = 0;
  for (const line of lines) {
    for (let step = line - last; ; step >>>= 7) {
      steps.push(step > 127 ? (step & 127) | 128 : step);
      if (step <= 127) break;
    }
    last = line;
  }
  const bytes = Buffer.alloc(codes.length * 4);
  for (const [index, code] of codes.entries()) bytes.writeUInt32LE(code, index * 4);
  return { count: codes.length, codes: bytes.toString("base64"), lines: Buffer.from(steps).toString("base64") };
}

/** The codes and lines of the tokens of many files. */
export interface TokenTable {
  readonly codes: Uint32Array;
  readonly lines: Uint32Array;
}

/** Unpacks the tokens of a file into a table, from a position on. */
export function unpackTokens(run: TokenRun, { codes, lines }: TokenTable, at: number): void {
  const bytes = Buffer.from(run.codes, "base64");
  for (let index = 0; index < run.count; index++) codes[at + index] = bytes.readUInt32LE(index * 4);
  const steps = Buffer.from(run.lines, "base64");
  let [line, from] = [0, 0];
  for (let index = 0; index < run.count; index++) {
    for (let shift = 0; ; shift += 7) {
      const step = steps[from++] ?? 0;
      line += (step & 127) << shift;
      if (step < 128) break;
    }
    lines[at + index] = line;
  }
}

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
    const kind = node.isNamed ? tokenClassOf(node.type) : "word";
    // A member and a variable of the same name can be renamed differently.
    codes.push(codeOf(kind, kind === "name" ? `${node.type} ${text}` : text));
    lines.push(node.line);
  }
  return packTokens(codes, lines);

  function tokenClassOf(type: string): TokenClass {
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
