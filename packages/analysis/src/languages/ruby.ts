import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules, Token } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { findAll, flat, oneOf, stringValue, structure, textOf, tokenBy } from "./helpers.js";
import { type Handler, type Handlers, inside, type OutlineWriter, through } from "./outline-writer.js";

/** In the grammar keywords have the same types as the statements that they begin, but are not named nodes. */
const namedOneOf = (...types: readonly string[]): ((node: SyntaxNode) => boolean) => {
  const isOne = oneOf(...types);
  return (node) => node.isNamed && isOne(node);
};

const isMethod = namedOneOf("method", "singleton_method");
const isBlock = namedOneOf("block", "do_block");
const isModule = namedOneOf("class", "module");
const isCondition = namedOneOf("if", "unless", "if_modifier", "unless_modifier");
const isLoop = namedOneOf("while", "until", "for", "while_modifier", "until_modifier");
const isCase = namedOneOf("case", "case_match");
const isClause = namedOneOf("when", "in_clause", "else");
const isGuard = namedOneOf("if_guard", "unless_guard");
const isAlternative = namedOneOf("if", "unless", "elsif");
const isText = namedOneOf("string", "regex", "subshell", "heredoc_body", "delimited_symbol");
const isQuote = oneOf("heredoc_beginning", "heredoc_end", "end", '"', "`", "/");
const LOGICAL = new Set(["&&", "||", "and", "or"]);
const ASSIGNED = new Set(["||=", "&&="]);
const wholeTokens = tokenBy(namedOneOf("string_array", "symbol_array", "nil", "setter"));

/**
 * Ruby: blocks, procs and lambdas count for the method around them. A block that contains methods, such as of `Struct.new` or
 * `class_methods`, is a class body and not a function.
 */
const METRICS: MetricRules = {
  functionKind(node, tree) {
    if (isMethod(node) || isDefiner(node, tree)) return "function";
    if (node.type === "lambda" && node.isNamed) return "lambda";
    if (!isBlock(node) || isClassBody(node)) return undefined;
    const isPart = node.parent?.type === "lambda" || (node.parent !== undefined && isDefiner(node.parent, tree));
    return isPart ? undefined : "lambda";
  },
  nameOf,
  containerName(node, tree) {
    if (isModule(node)) return textOf(tree, node.field("name"))?.replaceAll("::", ".");
    return isBlock(node) && isClassBody(node) ? assignedName(node.parent, tree) : undefined;
  },
  parametersOf(node) {
    const holder = node.type === "call" ? node.field("block") : node;
    const list = holder?.field("parameters");
    // Local variables of the block follow a semicolon.
    const locals = list?.children.findIndex(({ type }) => type === ";") ?? -1;
    const taken = locals === -1 ? list?.children : list?.children.slice(0, locals);
    return taken?.filter(({ isNamed, isComment }) => isNamed && !isComment).length ?? 0;
  },
  decision(node) {
    if (isCondition(node) || isLoop(node)) return wordOf(node);
    if (!node.isNamed) return undefined;
    if (node.type === "elsif" || node.type === "when" || node.type === "rescue") return node.type;
    if (node.type === "in_clause") return node.field("pattern")?.type === "identifier" ? undefined : "in";
    if (isGuard(node)) return "guard";
    if (node.type === "rescue_modifier") return "rescue";
    if (node.type === "conditional") return "?:";
    const assigned = node.type === "operator_assignment" ? node.field("operator")?.type : undefined;
    return assigned !== undefined && ASSIGNED.has(assigned) ? assigned : logicalOperator(node);
  },
  cognition,
  logicalOperator,
  isTransparent: oneOf("parenthesized_statements"),
  calledName(node, tree) {
    if (node.type !== "call" || !node.isNamed) return undefined;
    const receiver = node.field("receiver");
    return receiver === undefined || isOwn(receiver, tree) ? textOf(tree, node.field("method")) : undefined;
  },
  token,
};

/** Whether a method is called on its own object, or a class method on its class. */
function isOwn(receiver: SyntaxNode, tree: SyntaxTree): boolean {
  if (receiver.type !== "constant") return receiver.type === "self";
  const method = receiver.above("method", "singleton_method");
  const isOfClass =
    method?.field("object")?.type === "self" ||
    method?.above("class", "module", "singleton_class")?.type === "singleton_class";
  const home = isOfClass ? method?.above("class", "module") : undefined;
  return tree.textOf(receiver) === textOf(tree, home?.field("name"));
}

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "call") return textOf(tree, definedName(node))?.replace(/^:|^"|"$|^'|'$/gu, "");
  if (isBlock(node)) return assignedName(node.parent, tree) ?? givenTo(node, tree);
  if (node.type === "lambda") return assignedName(node, tree);
  const name = textOf(tree, node.field("name"));
  if (node.type !== "singleton_method") return name;
  const object = node.field("object");
  return object?.type === "self" ? name : `${textOf(tree, object)}.${name}`;
}

/** The variable or constant that a lambda, or a call with a block, is assigned to. */
const assignedName = (value: SyntaxNode | undefined, tree: SyntaxTree): string | undefined =>
  value?.parent?.type === "assignment" ? textOf(tree, value.parent.field("left")) : undefined;

/** The call that a block belongs to, such as `task :build` or `describe "a stack"`, as its name. */
function givenTo(block: SyntaxNode, tree: SyntaxTree): string | undefined {
  const method = block.parent?.field("method");
  const words = method && tree.text.slice(method.start, block.start).trim().replaceAll(/\s+/gu, " ");
  return words?.slice(0, LONGEST_NAME);
}

const LONGEST_NAME = 60;

/** `define_method(:name) { … }`. */
const isDefiner = (node: SyntaxNode, tree: SyntaxTree): boolean =>
  node.type === "call" &&
  node.isNamed &&
  /^define_(?:singleton_)?method$/u.test(textOf(tree, node.field("method")) ?? "") &&
  node.field("block") !== undefined &&
  definedName(node) !== undefined;

const definedName = (node: SyntaxNode): SyntaxNode | undefined => node.field("arguments")?.named[0];

const isClassBody = (block: SyntaxNode): boolean => block.field("body")?.named.some(isMethod) === true;

/** The keyword of a statement or a modifier: `if` for both `if a` and `b if a`. */
const wordOf = ({ type }: SyntaxNode): string => type.replace("_modifier", "");

function cognition(node: SyntaxNode): Cognition | undefined {
  if (!node.isNamed) return undefined;
  if (isCondition(node)) return structure(wordOf(node), node.field("consequence") ?? node.field("body"));
  if (isLoop(node)) return structure(wordOf(node), node.field("body"));
  if (node.type === "elsif") return flat("elsif", node.field("consequence"));
  if (node.type === "else")
    return node.parent !== undefined && isAlternative(node.parent) ? { ...flat("else"), nests: node.named } : undefined;
  if (isCase(node)) return structure("case", ...node.children.filter(isClause));
  if (node.type === "rescue") return structure("rescue", node.field("body"));
  if (node.type === "rescue_modifier") return structure("rescue", node.field("handler"));
  return node.type === "conditional"
    ? structure("?:", node.field("consequence"), node.field("alternative"))
    : undefined;
}

function logicalOperator(node: SyntaxNode): string | undefined {
  const operator = node.type === "binary" ? node.field("operator")?.type : undefined;
  return operator !== undefined && LOGICAL.has(operator) ? operator : undefined;
}

/** `end` belongs to the keyword that it ends; an interpolation is code. */
function token(node: SyntaxNode): Token {
  if (isText(node)) return node.named.some(isInterpolation) ? "inside" : "operand";
  if (isQuote(node) && (!node.isNamed || node.type.startsWith("heredoc")))
    return isDivision(node) ? "operator" : "nothing";
  const isPartner = node.type === "|" && node.parent?.type === "block_parameters" && node.parent.children[0] !== node;
  return isPartner ? "nothing" : wholeTokens(node);
}

const isInterpolation = oneOf("interpolation");
const isDivision = ({ type, parent }: SyntaxNode): boolean => type === "/" && parent?.type !== "regex";

const CLOSED = new Set(["private", "protected", "private_class_method"]);

/** Whether no keyword such as `private` applies to a method. */
function isPublic(node: SyntaxNode, writer: OutlineWriter): boolean {
  const { parent } = node;
  if (parent === undefined) return true;
  if (parent.type === "argument_list") return !CLOSED.has(writer.text(parent.parent?.field("method")) ?? "");
  const before = parent.children.slice(0, parent.children.indexOf(node));
  const word = before.findLast(
    (each) => each.type === "identifier" && /^(?:public|private|protected)$/.test(writer.tree.textOf(each)),
  );
  return !CLOSED.has(writer.text(word) ?? "");
}

const outlineMethod: Handler = (node, writer, scope) => {
  const until = node.field("body") ?? node.children.find(({ type }) => type === "end");
  const name = writer.text(node.field("name"));
  const isOpen = node.type === "singleton_method" || isPublic(node, writer);
  writer.add(node, scope, { kind: "function", name, isExported: isOpen, until });
};

const outlineContainer =
  (kind: "class" | "module"): Handler =>
  (node, writer, scope) => {
    const name = writer.text(node.field("name"))?.replaceAll("::", ".");
    const body = node.children.find(({ type }) => type === "body_statement");
    const until = body ?? node.children.find(({ type }) => type === "end");
    writer.add(node, scope, { kind, name, isExported: true, until });
    writer.enter(body, inside(scope, name));
  };

const outlineConstant: Handler = (node, writer, scope) => {
  const left = node.field("left");
  if (left?.type !== "constant") return;
  writer.add(node, scope, {
    kind: "constant",
    name: writer.text(left),
    isExported: true,
    until: node.field("right"),
  });
};

/** The declarations of Ruby. */
const OUTLINE: Handlers = {
  module: outlineContainer("module"),
  class: outlineContainer("class"),
  singleton_class: (node, writer, scope) =>
    writer.enter(
      node.children.find(({ type }) => type === "body_statement"),
      scope,
    ),
  method: outlineMethod,
  singleton_method: outlineMethod,
  assignment: outlineConstant,
  call: through,
  argument_list: through,
};

const REQUIRES = new Set(["require", "require_relative", "load", "autoload"]);

/** The requires of Ruby with a string literal; relative paths begin with a dot. */
const readRubyImports = (tree: SyntaxTree): readonly Import[] =>
  findAll(tree.root, "call").flatMap((node): Import[] => {
    const method = node.field("method");
    const word = method === undefined || node.field("receiver") !== undefined ? "" : tree.textOf(method);
    if (!REQUIRES.has(word)) return [];
    const from = stringValue(tree, node.field("arguments")?.named.at(-1));
    if (from === undefined) return [];
    const isBare = word === "require_relative" && !from.startsWith(".");
    return [{ from: isBare ? `./${from}` : from, line: node.line }];
  });

/** Analyzes Ruby. */
export const RUBY: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readRubyImports,
  calls: { call: "method" },
};
