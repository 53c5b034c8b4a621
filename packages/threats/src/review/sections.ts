import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";

/** A part of a file in which a check should be seen beside what it guards. */
export interface Section {
  readonly start: number;
  readonly end: number;
  /** The name of a function or class, or of what is given to a call such as `app.post("/orders", …)`; undefined = the whole file. */
  readonly name?: string;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  "function_declaration",
  "generator_function_declaration",
  "method_definition",
  "function_definition",
  "method_declaration",
  "constructor_declaration",
  "local_function_statement",
  "method",
  "singleton_method",
  "function_item",
  "init_declaration",
]);
/** Functions that have a name only by what they are given to. */
const LAMBDAS: ReadonlySet<string> = new Set([
  "arrow_function",
  "function_expression",
  "generator_function",
  "func_literal",
  "lambda",
  "lambda_expression",
  "anonymous_method_expression",
  "anonymous_function",
  "closure_expression",
  "lambda_literal",
  "do_block",
  "block",
]);
const CLASSES: ReadonlySet<string> = new Set([
  "class_declaration",
  "class_definition",
  "class",
  "interface_declaration",
  "record_declaration",
  "struct_declaration",
  "trait_declaration",
  "impl_item",
  "object_declaration",
]);
const CALLS: ReadonlySet<string> = new Set([
  "call_expression",
  "call",
  "invocation_expression",
  "method_invocation",
  "function_call_expression",
  "member_call_expression",
  "scoped_call_expression",
]);
const NAMERS: ReadonlySet<string> = new Set([
  "variable_declarator",
  "pair",
  "field_definition",
  "public_field_definition",
]);
const MARKS: ReadonlySet<string> = new Set(["decorator", "attribute_item"]);

/** Every section of a tree but the file itself. */
export function sectionsOf(tree: SyntaxTree): readonly Section[] {
  const found: Section[] = [];
  const ends = new Map<SyntaxNode, number>();
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const name = sectionName(node, tree);
    if (name !== undefined) {
      // Many are looked through for each place, and V8 reads what was spread far more slowly.
      const { start, end } = extentOf(node, ends);
      found.push({ start, end, name });
    }
    for (const child of node.children) open.push(child);
  }
  return found;
}

/** The smallest section around a place. */
export function sectionAt(sections: readonly Section[], place: number): Section | undefined {
  let best: Section | undefined;
  for (const section of sections)
    if (section.start <= place && place < section.end)
      if (best === undefined || section.end - section.start < best.end - best.start) best = section;
  return best;
}

/** What a node is called, if it is a section. */
function sectionName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (!node.isNamed) return undefined;
  if (FUNCTIONS.has(node.type) || CLASSES.has(node.type)) return nameIn(node, tree);
  if (CALLS.has(node.type)) return nameInCall(node, tree);
  const { parent } = node;
  if (!LAMBDAS.has(node.type) || parent === undefined || !NAMERS.has(parent.type)) return undefined;
  const name = parent.field("name") ?? parent.field("key") ?? parent.field("property");
  return name && tree.textOf(name);
}

function nameIn(node: SyntaxNode, tree: SyntaxTree): string {
  let name = node.field("name") ?? node.field("declarator") ?? node.field("type");
  while (name?.field("declarator") !== undefined) name = name.field("declarator");
  return name === undefined ? node.type : tree.textOf(name);
}

/** A call that is given a name and a function, such as a route or a test: the text of its first argument. */
function nameInCall(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const given = (node.field("arguments") ?? node.children.find(({ type }) => /arguments$|argument_list$/.test(type)))
    ?.named;
  const block = node.field("block");
  const parts = [...(given ?? []), ...(block === undefined ? [] : [block])].map(unwrapped);
  const [first] = parts;
  if (first === undefined || !/string/.test(first.type) || !parts.some(({ type }) => LAMBDAS.has(type)))
    return undefined;
  return tree
    .textOf(first)
    .replaceAll(/^[\w@$]*["'`]+|["'`]+$/g, "")
    .slice(0, 80);
}

const unwrapped = (node: SyntaxNode): SyntaxNode => (node.type === "argument" ? (node.named[0] ?? node) : node);

/** A function with its decorators, which may stand beside or around it. `ends` has those of the calls around it. */
function extentOf(node: SyntaxNode, ends: Map<SyntaxNode, number>): { readonly start: number; readonly end: number } {
  const { parent } = node;
  if (parent?.type === "decorated_definition" || parent?.type === "export_statement")
    return { start: parent.start, end: parent.end };
  if (CALLS.has(node.type)) return { start: node.start, end: endOfChain(node, ends) };
  const beside = parent?.children ?? [];
  let at = beside.indexOf(node);
  while (MARKS.has(beside[at - 1]?.type ?? "")) at -= 1;
  return { start: beside[at]?.start ?? node.start, end: node.end };
}

/** What is called on a call belongs to it: `Route::post("/orders", …)->middleware("auth")`. */
function endOfChain(node: SyntaxNode, ends: Map<SyntaxNode, number>): number {
  let { end } = node;
  for (let { parent } = node; parent?.start === node.start && CHAIN.test(parent.type); { parent } = parent) {
    end = ends.get(parent) ?? parent.end;
    if (ends.has(parent)) break;
  }
  ends.set(node, end);
  return end;
}

const CHAIN = /call|member|invocation|navigation|selector|expression_statement/;
