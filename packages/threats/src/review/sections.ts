import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";

/** A part of a file in which a check must be visible near the risk. */
export interface Section {
  readonly start: number;
  readonly end: number;
  /** The name of a function or class, or the first argument of a call such as `app.post("/orders", …)`. If undefined, it is the whole file. */
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
/** Anonymous functions, which get their name from an assignment or a call. */
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
/** Parents that name an anonymous function. */
const NAMING_PARENTS: ReadonlySet<string> = new Set([
  "variable_declarator",
  "pair",
  "field_definition",
  "public_field_definition",
]);
const DECORATORS: ReadonlySet<string> = new Set(["decorator", "attribute_item"]);

/** Returns all sections of a tree, without the file itself. */
export function sectionsOf(tree: SyntaxTree): readonly Section[] {
  const found: Section[] = [];
  const ends = new Map<SyntaxNode, number>();
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const name = sectionName(node, tree);
    if (name !== undefined) {
      // No spread: sectionAt iterates over these objects often, and V8 optimizes literals better.
      const { start, end } = extentOf(node, ends);
      found.push({ start, end, name });
    }
    for (const child of node.children) open.push(child);
  }
  return found;
}

/** Returns the smallest section that contains an offset. */
export function sectionAt(sections: readonly Section[], offset: number): Section | undefined {
  let best: Section | undefined;
  for (const section of sections)
    if (section.start <= offset && offset < section.end)
      if (best === undefined || section.end - section.start < best.end - best.start) best = section;
  return best;
}

/** Returns the name of a node, or undefined if it is not a section. */
function sectionName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (!node.isNamed) return undefined;
  if (FUNCTIONS.has(node.type) || CLASSES.has(node.type)) return nameOf(node, tree);
  if (CALLS.has(node.type)) return nameOfCall(node, tree);
  const { parent } = node;
  if (!LAMBDAS.has(node.type) || parent === undefined || !NAMING_PARENTS.has(parent.type)) return undefined;
  const name = parent.field("name") ?? parent.field("key") ?? parent.field("property");
  return name && tree.textOf(name);
}

function nameOf(node: SyntaxNode, tree: SyntaxTree): string {
  let name = node.field("name") ?? node.field("declarator") ?? node.field("type");
  while (name?.field("declarator") !== undefined) name = name.field("declarator");
  return name === undefined ? node.type : tree.textOf(name);
}

/** Returns the first argument of a call with a string and a function, such as a route or a test. */
function nameOfCall(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const args = (node.field("arguments") ?? node.children.find(({ type }) => /arguments$|argument_list$/.test(type)))
    ?.named;
  const block = node.field("block");
  const parts = [...(args ?? []), ...(block === undefined ? [] : [block])].map(unwrapArgument);
  const [first] = parts;
  if (first === undefined || !/string/.test(first.type) || !parts.some(({ type }) => LAMBDAS.has(type)))
    return undefined;
  return tree
    .textOf(first)
    .replaceAll(/^[\w@$]*["'`]+|["'`]+$/g, "")
    .slice(0, 80);
}

const unwrapArgument = (node: SyntaxNode): SyntaxNode => (node.type === "argument" ? (node.named[0] ?? node) : node);

/** Returns the extent of a section with its decorators. `ends` caches the ends of call chains. */
function extentOf(node: SyntaxNode, ends: Map<SyntaxNode, number>): { readonly start: number; readonly end: number } {
  const { parent } = node;
  if (parent?.type === "decorated_definition" || parent?.type === "export_statement")
    return { start: parent.start, end: parent.end };
  if (CALLS.has(node.type)) return { start: node.start, end: endOfChain(node, ends) };
  const siblings = parent?.children ?? [];
  let at = siblings.indexOf(node);
  while (DECORATORS.has(siblings[at - 1]?.type ?? "")) at -= 1;
  return { start: siblings[at]?.start ?? node.start, end: node.end };
}

/** Returns the end of a chain of calls, such as `Route::post("/orders", …)->middleware("auth")`. */
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
