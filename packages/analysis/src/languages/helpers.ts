import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Cognition, Token } from "../metrics/rules.js";

/** Whether a type is one of some; made once for each table. */
export const oneOf = (...types: readonly string[]): ((node: SyntaxNode) => boolean) => {
  const all = new Set(types);
  return ({ type }) => all.has(type);
};

/** A control structure: one, and one for each level that it lies in. */
export const structure = (reason: string, ...nests: readonly (SyntaxNode | undefined)[]): Cognition => ({
  reason,
  adds: "structure",
  nests: nests.filter((node) => node !== undefined),
});

/** Something that adds one wherever it lies. */
export const flat = (reason: string, ...nests: readonly (SyntaxNode | undefined)[]): Cognition => ({
  reason,
  adds: "flat",
  nests: nests.filter((node) => node !== undefined),
});

/** The second of two brackets belongs to the first. */
const PARTNERS = new Set([")", "]", "}"]);

/**
 * What most grammars need for Halstead: keywords and punctuation are operators, names and literals are operands. `wholes` are types
 * that are one operand with all below them, such as strings.
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

/** Whether an `if` is what another one does otherwise. */
export const isElseIf = (node: SyntaxNode): boolean =>
  node.parent?.type === "if_statement" && node.parent.field("alternative") === node;

const isCondition = oneOf("preproc_if", "preproc_elif");

/**
 * Whether an expression is what `#if` asks, where `isExpression` tells what expressions are made of. Looks only so far up that a long
 * chain of operators is not gone up again from each of them.
 */
export function isOfPreprocessor(node: SyntaxNode, isExpression: (node: SyntaxNode) => boolean): boolean {
  let { parent } = node;
  for (let steps = 0; steps < 64 && parent !== undefined && isExpression(parent); steps++) ({ parent } = parent);
  return parent !== undefined && isCondition(parent);
}

/** Whether a node is the second of two angle brackets around types. */
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

/** How many arguments a function can be called with. */
interface Taken {
  readonly least: number;
  readonly most: number;
}

/** A call by a bare name, or on the object that the function belongs to. */
interface OwnCall {
  readonly name: string;
  readonly given: number;
}

/** What tells functions of one name apart. */
interface Overloads {
  isFunction(node: SyntaxNode): boolean;
  nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  taken(node: SyntaxNode, tree: SyntaxTree): Taken;
}

/**
 * The name of the function around a call that the call can reach. A function of the same name that takes another number of arguments
 * is another function: passing on to it is no recursion.
 */
export function calledAround(
  tree: SyntaxTree,
  call: SyntaxNode,
  { name, given }: OwnCall,
  overloads: Overloads,
): string | undefined {
  for (let node = call.parent; node !== undefined; node = node.parent) {
    if (!overloads.isFunction(node)) continue;
    const whole = overloads.nameOf(node, tree);
    if (whole?.slice(whole.lastIndexOf(".") + 1) !== name) continue;
    const { least, most } = overloads.taken(node, tree);
    return given >= least && given <= most ? whole : undefined;
  }
  return undefined;
}

/** How many arguments some parameters take, where some may be left out and one may take any number. */
export function takenBy(
  parameters: readonly SyntaxNode[],
  mayBeLeftOut: (parameter: SyntaxNode) => boolean,
  takesMany: (parameter: SyntaxNode) => boolean,
): Taken {
  return {
    least: parameters.filter((each) => !mayBeLeftOut(each) && !takesMany(each)).length,
    most: parameters.some(takesMany) ? Number.POSITIVE_INFINITY : parameters.length,
  };
}
