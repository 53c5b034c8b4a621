import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, Token } from "../metrics/rules.js";

/** Creates a check for node types. */
export const oneOf = (...types: readonly string[]): ((node: SyntaxNode) => boolean) => {
  const all = new Set(types);
  return ({ type }) => all.has(type);
};

/** A control structure: adds one, and one for each nesting level. */
export const structure = (reason: string, ...nests: readonly (SyntaxNode | undefined)[]): Cognition => ({
  reason,
  adds: "structure",
  nests: nests.filter((node) => node !== undefined),
});

/** Adds one at any nesting level. */
export const flat = (reason: string, ...nests: readonly (SyntaxNode | undefined)[]): Cognition => ({
  reason,
  adds: "flat",
  nests: nests.filter((node) => node !== undefined),
});

/** A closing bracket belongs to the opening one. */
const PARTNERS = new Set([")", "]", "}"]);

/**
 * The Halstead rules of most grammars: keywords and punctuation are operators, names and literals are operands. `wholes` are nodes that
 * are one operand with everything below them, such as strings.
 */
export function tokenBy(wholes: (node: SyntaxNode) => boolean): (node: SyntaxNode) => Token {
  return (node) => {
    if (node.isComment || node.start === node.end) return "nothing";
    if (wholes(node)) return "operand";
    if (node.children.length > 0) return "inside";
    if (node.isNamed) return "operand";
    return PARTNERS.has(node.type) ? "nothing" : "operator";
  };
}

/** The text of a node, if there is one. */
export const textOf = (tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined =>
  node === undefined ? undefined : tree.textOf(node);

/** Whether an `if` is the alternative of another one. */
export const isElseIf = (node: SyntaxNode): boolean =>
  node.parent?.type === "if_statement" && node.parent.field("alternative") === node;

const isCondition = oneOf("preproc_if", "preproc_elif");

/**
 * Whether an expression is in the condition of `#if`. `isExpression` tells which nodes are parts of expressions. The distance is limited, so
 * that a long chain of operators is not climbed again from each of them.
 */
export function isOfPreprocessor(node: SyntaxNode, isExpression: (node: SyntaxNode) => boolean): boolean {
  let { parent } = node;
  for (let steps = 0; steps < 64 && parent !== undefined && isExpression(parent); steps++) ({ parent } = parent);
  return parent !== undefined && isCondition(parent);
}

/** Whether a node is the closing angle bracket of type arguments. */
export const closesTypes = ({ type, parent }: SyntaxNode): boolean =>
  type === ">" && parent !== undefined && ANGLED.has(parent.type);

const ANGLED = new Set([
  "template_argument_list",
  "template_parameter_list",
  "type_argument_list",
  "type_arguments",
  "type_parameter_list",
  "type_parameters",
]);

/** The number of arguments that a function accepts. */
interface Arity {
  readonly min: number;
  readonly max: number;
}

/** A call by a plain name, or on the object of the caller. */
interface OwnCall {
  readonly name: string;
  /** The number of arguments. */
  readonly count: number;
}

/** Tells functions of one name apart. */
interface Overloads {
  isFunction(node: SyntaxNode): boolean;
  nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  arityOf(node: SyntaxNode, tree: SyntaxTree): Arity;
}

/**
 * The name of the enclosing function that a call may reach. A function of the same name that accepts another number of arguments is an
 * overload: calling it is not recursion.
 */
export function enclosingFunction(
  tree: SyntaxTree,
  call: SyntaxNode,
  { name, count }: OwnCall,
  overloads: Overloads,
): string | undefined {
  for (let node = call.parent; node !== undefined; node = node.parent) {
    if (!overloads.isFunction(node)) continue;
    const whole = overloads.nameOf(node, tree);
    if (whole?.slice(whole.lastIndexOf(".") + 1) !== name) continue;
    const { min, max } = overloads.arityOf(node, tree);
    return count >= min && count <= max ? whole : undefined;
  }
  return undefined;
}

/** The number of arguments for parameters, some of which can be optional or variadic. */
export function arityOf(
  parameters: readonly SyntaxNode[],
  isOptional: (parameter: SyntaxNode) => boolean,
  isVariadic: (parameter: SyntaxNode) => boolean,
): Arity {
  return {
    min: parameters.filter((each) => !isOptional(each) && !isVariadic(each)).length,
    max: parameters.some(isVariadic) ? Number.POSITIVE_INFINITY : parameters.length,
  };
}

/** Visits a tree in the order of the text. Nodes for which `enter` returns false are not entered. */
export function visit(root: SyntaxNode, enter: (node: SyntaxNode) => boolean): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!enter(node)) continue;
    for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index] as SyntaxNode);
  }
}

/** Finds the nodes of some types, in the order of the text, also inside each other. */
export function findAll(root: SyntaxNode, ...types: readonly string[]): SyntaxNode[] {
  const [found, wanted] = [[] as SyntaxNode[], new Set(types)];
  visit(root, (node) => {
    if (wanted.has(node.type) && node.isNamed) found.push(node);
    return true;
  });
  return found;
}

const QUOTES = new Set(['"', "'", "`"]);

/** The value of a plain string literal; undefined for other nodes. */
export function stringValue(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  if (node === undefined || !/string/.test(node.type)) return undefined;
  const text = tree.textOf(node);
  const [first = "", last = ""] = [text[0], text.at(-1)];
  const isPlain = QUOTES.has(first) && first === last && text.length > 2 && !/\$\{|#\{|\\|\n/.test(text);
  return isPlain ? text.slice(1, -1) : undefined;
}

/** The names in a tree that look like types, each once. */
export function typeNames(tree: SyntaxTree, ...types: readonly string[]): string[] {
  const names = new Set<string>();
  for (const node of findAll(tree.root, ...types)) {
    const name = tree.textOf(node);
    if (/^\p{Lu}/u.test(name)) names.add(name);
  }
  return [...names];
}

/** The types that a file mentions, as an import of what needs none. */
export const implicitImport = (names: readonly string[]): Import[] =>
  names.length === 0 ? [] : [{ from: "*", line: 1, names }];

/** An import of a dotted name, ending with `.*` for a whole package. */
export function dotted(tree: SyntaxTree, node: SyntaxNode, types: readonly string[]): Import {
  const name = node.named.find(({ type }) => types.includes(type));
  const text = name === undefined ? "" : tree.textOf(name).replaceAll(/\s/g, "");
  const isAll = /\*\s*;?\s*$/.test(tree.textOf(node));
  return { from: isAll ? `${text}.*` : text, line: node.line };
}
