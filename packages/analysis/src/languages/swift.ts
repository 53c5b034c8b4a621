import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules, Token } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { bodyOf, container, declared, fields, modifiersOf, PUBLIC_BY_DEFAULT, whole } from "./class-outline.js";
import {
  arityOf,
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

const isDeclared = oneOf("function_declaration", "init_declaration", "deinit_declaration");
const isAccessor = oneOf("computed_getter", "computed_setter", "computed_modify", "willset_clause", "didset_clause");
const isComputed = oneOf("property_declaration", "subscript_declaration");
const isContainer = oneOf("class_declaration", "protocol_declaration");
const isLoop = oneOf("for_statement", "while_statement", "repeat_while_statement");
const hasConditions = oneOf("if_statement", "guard_statement", "while_statement");
const isBody = oneOf("statements", "{");
const isElse = oneOf("else");
const isText = oneOf("line_string_literal", "multi_line_string_literal", "raw_string_literal");
const isQuote = oneOf('"', '"""');
const isWord = oneOf(
  "else",
  "catch_keyword",
  "where_keyword",
  "default_keyword",
  "throws",
  "bang",
  "custom_operator",
  "?",
);
const isChain = oneOf(
  "comparison_expression",
  "equality_expression",
  "infix_expression",
  "additive_expression",
  "multiplicative_expression",
  "nil_coalescing_expression",
);
const LOGICAL: Readonly<Record<string, string>> = { conjunction_expression: "&&", disjunction_expression: "||" };
const wholeTokens = tokenBy(oneOf("boolean_literal", "self_expression", "super_expression", "regex_literal", "nil"));

/** Swift: closures count for the function around them; local functions, accessors and observers are measured on their own. */
const METRICS: MetricRules = {
  functionKind(node, tree) {
    if (node.type === "lambda_literal") return isDeferred(node, tree) ? undefined : "lambda";
    return isFunction(node) ? "function" : undefined;
  },
  nameOf,
  containerName(node, tree) {
    if (isContainer(node)) return textOf(tree, node.field("name"))?.replace(/<.*$/su, "");
    return isComputed(node) && accessorsIn(node) ? propertyName(node, tree) : undefined;
  },
  parametersOf: (node) => parametersOf(node).length,
  decision(node) {
    if (node.type === "if_statement") return "if";
    if (node.type === "guard_statement") return "guard";
    if (isLoop(node)) return keywordOf(node);
    if (node.type === "switch_entry") return matchesAll(node) ? undefined : "case";
    if (node.type === "catch_block") return "catch";
    if (node.type === "where_keyword") return node.parent?.type === "type_constraints" ? undefined : "where";
    if (node.type === "ternary_expression") return "?:";
    if (node.type === "nil_coalescing_expression") return "??";
    // A list of conditions stops at the first false one, like `&&`.
    if (node.type === ",") return partsConditions(node) ? "," : undefined;
    return logicalOperator(node);
  },
  cognition,
  logicalOperator,
  // The grammar extends the right side of a comparison to the end: `a == b && c` as `a == (b && c)`.
  isTransparent: (node) => node.type === "tuple_expression" || isChain(node),
  calledName,
  token,
};

/** Whether an entry matches everything: `default`, `case _`, `case let each` or `case let (one, other)`. */
function matchesAll({ children }: SyntaxNode): boolean {
  if (children.some(({ type }) => type === "default_keyword")) return true;
  const patterns = children.filter(({ type }) => type === "switch_pattern");
  const open = patterns.flatMap(({ named }) => named).map((pattern) => ({ pattern, isBound: false }));
  if (open.length !== 1) return false;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const isBinding = next.pattern.children[0]?.type === "value_binding_pattern";
    const [first, ...rest] = isBinding ? next.pattern.children.slice(1) : next.pattern.children;
    const isBound = next.isBound || isBinding;
    if (first?.type === "(") for (const pattern of rest.filter(isPattern)) open.push({ pattern, isBound });
    const isTuple = first?.type === "(" && rest.every((part) => isPattern(part) || isOfTuple(part));
    const isName = first?.type === "wildcard_pattern" || (first?.type === "simple_identifier" && isBound);
    if (!isTuple && (!isName || rest.length > 0)) return false;
  }
  return true;
}

const isPattern = oneOf("pattern");
const isOfTuple = oneOf(",", ")");

/** Whether a comma separates conditions, and is not inside a pattern. */
function partsConditions(comma: SyntaxNode): boolean {
  if (comma.parent === undefined || !hasConditions(comma.parent)) return false;
  let depth = 0;
  for (const each of comma.parent.children) {
    if (each === comma) return depth === 0;
    if (each.type === "(") depth += 1;
    else if (each.type === ")") depth -= 1;
  }
  return false;
}

/** The grammar parses `defer { … }` as a call with a closure. */
function isDeferred(node: SyntaxNode, tree: SyntaxTree): boolean {
  const call = node.parent?.type === "call_suffix" ? node.parent.parent : undefined;
  return textOf(tree, call?.children[0]) === "defer";
}

const isFunction = (node: SyntaxNode): boolean => {
  if (isDeclared(node)) return node.field("body") !== undefined;
  if (isAccessor(node)) return node.children.some(({ type }) => type === "{");
  return isComputed(node) && node.children.some(({ type }) => type === "computed_property") && !accessorsIn(node);
};

/** Whether a property has accessors or observers, which are functions. */
const accessorsIn = ({ children }: SyntaxNode): boolean =>
  children.some(
    ({ type, children: parts }) =>
      (type === "computed_property" || type === "willset_didset_block") && parts.some(isAccessor),
  );

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (isComputed(node)) return propertyName(node, tree);
  if (isAccessor(node)) return /^\w+/u.exec(tree.textOf(node))?.[0];
  if (node.type === "deinit_declaration") return "deinit";
  if (node.type !== "lambda_literal") return textOf(tree, node.field("name"));
  // A property can be initialized by calling a closure: `= { … }()`.
  const holder = node.parent?.type === "call_expression" ? node.parent.parent : node.parent;
  return holder?.type === "property_declaration" ? propertyName(holder, tree) : undefined;
}

const propertyName = (node: SyntaxNode, tree: SyntaxTree): string | undefined =>
  node.type === "subscript_declaration" ? "subscript" : textOf(tree, node.field("name"));

/** The accessors of a subscript have its parameters. */
function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === "lambda_literal") {
    const list = node.field("type")?.named.find(({ type }) => type === "lambda_function_type_parameters");
    return list?.named ?? [];
  }
  const from = isAccessor(node) ? node.above("subscript_declaration", "property_declaration") : node;
  return from?.children.filter(({ type }) => type === "parameter") ?? [];
}

function cognition(node: SyntaxNode): Cognition | undefined {
  if (node.type === "if_statement") {
    const bodies = node.children.filter(isBody);
    return isElseIf(node) ? flat("else if", ...bodies) : structure("if", ...bodies);
  }
  if (isElse(node) && node.parent?.type === "if_statement")
    return node.parent.children.some((child) => child.type === "if_statement" && isElseIf(child))
      ? undefined
      : flat("else");
  if (node.type === "guard_statement") return structure("guard", ...node.children.filter(isBody));
  if (isLoop(node)) return structure(keywordOf(node), ...node.children.filter(isBody));
  if (node.type === "switch_statement")
    return structure("switch", ...node.children.filter(({ type }) => type === "switch_entry"));
  if (node.type === "catch_block") return structure("catch", ...node.children.filter(isBody));
  if (node.type === "ternary_expression") return structure("?:", node.field("if_true"), node.field("if_false"));
  if (node.type !== "control_transfer_statement") return undefined;
  const word = node.children[0]?.type;
  return (word === "break" || word === "continue") && node.named.length > 0 ? flat(`${word} to a label`) : undefined;
}

function isElseIf(node: SyntaxNode): boolean {
  const around = node.parent?.type === "if_statement" ? node.parent.children : [];
  return around.slice(0, around.indexOf(node)).some(isElse);
}

const keywordOf = ({ children }: SyntaxNode): string => children.find(({ isNamed }) => !isNamed)?.type ?? "loop";

function logicalOperator({ type }: SyntaxNode): string | undefined {
  return Object.hasOwn(LOGICAL, type) ? LOGICAL[type] : undefined;
}

/** Functions of one name differ in the labels of their parameters. */
function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const called = node.type === "call_expression" ? calledIn(node, tree) : undefined;
  if (called?.type !== "simple_identifier") return undefined;
  const suffix = node.children.find(({ type }) => type === "call_suffix")?.named ?? [];
  const given = suffix.flatMap((part) => (part.type === "value_arguments" ? part.named : [part]));
  const labels = given.map((each) => (isClosure(each) ? undefined : (textOf(tree, each.field("name")) ?? "_")));
  const own = { name: tree.textOf(called), count: given.length };
  return enclosingFunction(tree, node, own, {
    isFunction,
    nameOf,
    arityOf(home) {
      const parameters = parametersOf(home);
      const known = new Set(parameters.map((each) => textOf(tree, each.field("external_name") ?? each.field("name"))));
      const fits = labels.every((label) => label === undefined || known.has(label));
      if (!fits) return { min: Number.POSITIVE_INFINITY, max: 0 };
      return arityOf(parameters, hasDefault(home), (each) => hasDots(home, each));
    },
  });
}

const isClosure = oneOf("lambda_literal");

/** What a call calls. The grammar begins a call too early: `1 + f(x)` as `(1 + f)(x)`. */
function calledIn(call: SyntaxNode, tree: SyntaxTree): SyntaxNode | undefined {
  let [called] = call.named;
  while (called !== undefined && (isChain(called) || called.type === "prefix_expression")) called = called.named.at(-1);
  const target = called?.type === "navigation_expression" ? called.field("target") : undefined;
  return target !== undefined && isOwn(target, tree) ? called?.field("suffix")?.field("suffix") : called;
}

/** In the grammar default values are siblings of their parameters. */
const hasDefault =
  ({ children }: SyntaxNode) =>
  (parameter: SyntaxNode): boolean =>
    children[children.indexOf(parameter) + 1]?.type === "=";

const hasDots = ({ children }: SyntaxNode, parameter: SyntaxNode): boolean =>
  parameter.children.at(-1)?.type === "..." || children[children.indexOf(parameter) + 1]?.type === "...";

function token(node: SyntaxNode): Token {
  if (isText(node)) return node.named.some(({ type }) => type === "interpolated_expression") ? "inside" : "operand";
  if (isWord(node)) return "operator";
  return isQuote(node) || closesTypes(node) || node.type === "directive" ? "nothing" : wholeTokens(node);
}

/** Whether a function is called on its own object, or a static one on its type. */
function isOwn(target: SyntaxNode, tree: SyntaxTree): boolean {
  if (target.type !== "simple_identifier") return target.type === "self_expression";
  const modifiers = target.above("function_declaration")?.children.find(({ type }) => type === "modifiers");
  if (modifiers === undefined || !/\b(?:static|class)\b/u.test(tree.textOf(modifiers))) return false;
  const name = tree.textOf(target);
  return name === "Self" || name === textOf(tree, target.above("class_declaration")?.field("name"));
}

/** The declarations of Swift. */
const OUTLINE: Handlers = {
  class_declaration: container(PUBLIC_BY_DEFAULT),
  protocol_declaration: whole(PUBLIC_BY_DEFAULT, "interface"),
  function_declaration: declared(PUBLIC_BY_DEFAULT, "function"),
  init_declaration: (node, writer, scope) =>
    writer.add(node, scope, {
      kind: "function",
      name: "init",
      isExported: PUBLIC_BY_DEFAULT.isPublic(modifiersOf(node, writer, PUBLIC_BY_DEFAULT)),
      until: bodyOf(node),
    }),
  property_declaration: fields(PUBLIC_BY_DEFAULT, /\bstatic\s+let\b|^(?:public\s+)?let\b/),
  typealias_declaration: whole(PUBLIC_BY_DEFAULT, "type"),
};

/** The imported modules of Swift. */
const readSwiftImports = (tree: SyntaxTree): readonly Import[] => [
  ...findAll(tree.root, "import_declaration").map((node) => dotted(tree, node, ["identifier"])),
  ...implicitImport(typeNames(tree, "type_identifier", "simple_identifier")),
];

/** Analyzes Swift. */
export const SWIFT: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readSwiftImports,
  calls: { call_expression: undefined, constructor_expression: "constructed_type" },
};
