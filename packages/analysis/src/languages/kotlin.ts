import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { bodyOf, container, declared, fields, namespace, PUBLIC_BY_DEFAULT, whole } from "./class-outline.js";
import {
  closesTypes,
  dotted,
  enclosingFunction,
  findAll,
  flat,
  implicitImport,
  oneOf,
  structure,
  textOf,
  tokenBy,
  typeNames,
} from "./helpers.js";
import type { Handlers } from "./outline-writer.js";

const isDeclared = oneOf("function_declaration", "getter", "setter", "secondary_constructor", "anonymous_initializer");
const isBody = oneOf("function_body", "block");
const isLambda = oneOf("lambda_literal", "anonymous_function");
const isContainer = oneOf("class_declaration", "object_declaration", "companion_object");
const isLoop = oneOf("for_statement", "while_statement", "do_while_statement");
const isAccessor = oneOf("getter", "setter");
const LOOPS = new Set(["for", "while", "do"]);
const wholeTokens = tokenBy(
  oneOf("string_literal", "multiline_string_literal", "character_literal", "this_expression", "super_expression"),
);

/** Kotlin: lambdas and anonymous functions count for the function around them; local functions and accessors are measured on their own. */
const METRICS: MetricRules = {
  functionKind(node) {
    if (isLambda(node)) return "lambda";
    return isFunction(node) ? "function" : undefined;
  },
  nameOf,
  containerName(node, tree) {
    if (isContainer(node)) return textOf(tree, node.field("name")) ?? "Companion";
    if (node.type === "enum_entry") return textOf(tree, node.named[0]);
    return node.type === "property_declaration" && node.children.some(isAccessor)
      ? propertyName(node, tree)
      : undefined;
  },
  parametersOf: (node) => parametersOf(node).length,
  decision(node) {
    if (node.type === "if_expression") return "if";
    if (isLoop(node)) return keywordOf(node);
    if (node.type === "when_entry") return node.children[0]?.type === "else" ? undefined : "when arm";
    if (node.type === "catch_block") return "catch";
    if (node.type === "binary_expression" && node.field("operator")?.type === "?:") return "?:";
    return logicalOperator(node);
  },
  cognition,
  logicalOperator,
  calledName,
  token: (node) => (closesTypes(node) ? "nothing" : wholeTokens(node)),
};

const isFunction = (node: SyntaxNode): boolean => isDeclared(node) && node.children.some(isBody);

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "function_declaration") {
    const name = textOf(tree, node.field("name"));
    const receiver = receiverOf(node, tree);
    return receiver === undefined ? name : `${receiver}.${name}`;
  }
  if (node.type === "secondary_constructor") return "constructor";
  if (node.type === "anonymous_initializer") return "init";
  if (isAccessor(node)) return node.type === "getter" ? "get" : "set";
  const holder = node.parent?.type === "annotated_lambda" ? node.parent.parent?.parent : node.parent;
  const property = holder?.type === "property_delegate" ? holder.parent : holder;
  return property?.type === "property_declaration" ? propertyName(property, tree) : undefined;
}

/** The receiver type of an extension function, without type arguments and `?`. */
function receiverOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const dot = node.children.findIndex(({ type }) => type === ".");
  const type = dot === -1 ? undefined : textOf(tree, node.children[dot - 1]);
  return type?.replace(/<.*$|\?+$/su, "").replaceAll(/[()\s]/gu, "");
}

const propertyName = (node: SyntaxNode, tree: SyntaxTree): string | undefined =>
  textOf(tree, node.named.find(({ type }) => type === "variable_declaration")?.named.find(isName));

const isName = oneOf("identifier");

function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === "setter") return node.named.filter((each) => isName(each) || isTaken(each.type));
  const list = node.named.find(({ type }) => type === "function_value_parameters" || type === "lambda_parameters");
  return list?.named.filter(({ type }) => type !== "parameter_modifiers" && isTaken(type)) ?? [];
}

/** In the grammar default values are siblings of their parameters. */
const isTaken = (type: string): boolean => type === "parameter" || type.endsWith("variable_declaration");

function cognition(node: SyntaxNode, tree: SyntaxTree): Cognition | undefined {
  if (node.type === "if_expression") {
    const [then, otherwise] = branchesOf(node);
    const nested = otherwise?.type === "if_expression" ? [then] : [then, otherwise];
    const isElseIf = node.parent?.type === "if_expression" && branchesOf(node.parent)[1] === node;
    return isElseIf ? flat("else if", ...nested) : structure("if", ...nested);
  }
  if (node.type === "else" && node.parent?.type === "if_expression")
    return branchesOf(node.parent)[1]?.type === "if_expression" ? undefined : flat("else");
  if (isLoop(node)) return structure(keywordOf(node), loopBody(node));
  if (node.type === "when_expression")
    return structure("when", ...node.children.filter(({ type }) => type === "when_entry"));
  if (node.type === "catch_block") return structure("catch", node.named.at(-1));
  if (node.type !== "labeled_expression") return undefined;
  // The grammar parses the keyword before `@` as a label.
  const word = textOf(tree, node.children[0]);
  return word === "break@" || word === "continue@" ? flat(`${word.slice(0, -1)} to a label`) : undefined;
}

/** The branches of an `if`: for a true and for a false condition. */
function branchesOf({ children }: SyntaxNode): readonly [SyntaxNode | undefined, SyntaxNode | undefined] {
  const close = children.findIndex(({ type }) => type === ")");
  const other = children.findIndex(({ type }) => type === "else");
  const isCode = ({ isNamed, isComment }: SyntaxNode): boolean => isNamed && !isComment;
  if (other === -1) return [children.slice(close + 1).find(isCode), undefined];
  return [children.slice(close + 1, other).find(isCode), children.slice(other + 1).find(isCode)];
}

/** The body of a loop: before the condition of `do`, after the parentheses of the others. */
function loopBody(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === "do_while_statement") return node.named.find(({ type }) => type !== "label");
  const close = node.children.findLastIndex(({ type }) => type === ")");
  return node.children.slice(close + 1).find(({ isNamed, isComment }) => isNamed && !isComment);
}

/** A loop can begin with a label. */
const keywordOf = ({ children }: SyntaxNode): string => children.find(({ type }) => LOOPS.has(type))?.type ?? "loop";

/** The Elvis operator is shorthand that is easy to read, so only operators that join conditions count. */
function logicalOperator(node: SyntaxNode): string | undefined {
  const operator = node.type === "binary_expression" ? node.field("operator")?.type : undefined;
  return operator === "&&" || operator === "||" ? operator : undefined;
}

function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type !== "call_expression") return undefined;
  let [called] = node.named;
  if (called?.type === "navigation_expression" && isOwn(called.named[0], tree)) called = called.named[1];
  if (called?.type !== "identifier") return undefined;
  return enclosingFunction(
    tree,
    node,
    { name: tree.textOf(called), count: argumentCount(node) },
    { isFunction, nameOf, arityOf: ownArity },
  );
}

/** Whether a function is called on its own object; a function of a companion is called on the class. */
function isOwn(target: SyntaxNode | undefined, tree: SyntaxTree): boolean {
  if (target?.type !== "identifier") return target?.type === "this_expression";
  const home = target.above("class_declaration", "object_declaration", "companion_object");
  const named = home?.type === "companion_object" ? home.above("class_declaration") : home;
  return home?.type !== "class_declaration" && tree.textOf(target) === textOf(tree, named?.field("name"));
}

/** A trailing lambda is an argument, too. */
function argumentCount(call: SyntaxNode): number {
  const behind = call.parent?.type === "call_expression" && call.parent.named[0] === call ? call.parent.named : [];
  const lambdas = [...call.named, ...behind].filter(({ type }) => type === "annotated_lambda").length;
  return lambdas + (call.named.find(({ type }) => type === "value_arguments")?.named.length ?? 0);
}

function ownArity(node: SyntaxNode) {
  const list = node.named.find(({ type }) => type === "function_value_parameters");
  const count = parametersOf(node).length;
  const optional = list?.children.filter(({ type }) => type === "=").length ?? 0;
  const takesMany = list?.named.some(({ type }) => type === "parameter_modifiers") ?? false;
  return takesMany ? { min: 0, max: Number.POSITIVE_INFINITY } : { min: count - optional, max: count };
}

/** The declarations of Kotlin. */
const OUTLINE: Handlers = {
  package_header: namespace,
  class_declaration: container(PUBLIC_BY_DEFAULT),
  object_declaration: container(PUBLIC_BY_DEFAULT),
  companion_object: (node, writer, scope) => writer.enter(bodyOf(node), scope),
  function_declaration: declared(PUBLIC_BY_DEFAULT, "function"),
  property_declaration: fields(PUBLIC_BY_DEFAULT, /\bconst\b/),
  type_alias: whole(PUBLIC_BY_DEFAULT, "type"),
};

/** The imports of Kotlin. */
const readKotlinImports = (tree: SyntaxTree): readonly Import[] => [
  ...findAll(tree.root, "import")
    .filter(({ children }) => children.length > 0)
    .map((node) => dotted(tree, node, ["qualified_identifier", "identifier"])),
  ...implicitImport(typeNames(tree, "identifier")),
];

/** Analyzes Kotlin. */
export const KOTLIN: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readKotlinImports,
  calls: { call_expression: undefined },
};
