import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { container, declared, fields, namespace, PRIVATE_BY_DEFAULT, whole } from "./class-outline.js";
import {
  arityOf,
  closesTypes,
  enclosingFunction,
  findAll,
  flat,
  implicitImport,
  isElseIf,
  isOfPreprocessor,
  oneOf,
  structure,
  textOf,
  tokenBy,
  typeNames,
} from "./helpers.js";
import { type Handlers, through } from "./outline-writer.js";

const isDeclared = oneOf(
  "method_declaration",
  "constructor_declaration",
  "destructor_declaration",
  "operator_declaration",
  "conversion_operator_declaration",
  "local_function_statement",
  "accessor_declaration",
);
const isProperty = oneOf("property_declaration", "indexer_declaration", "event_declaration");
const isLambda = oneOf("lambda_expression", "anonymous_method_expression");
const CONTAINERS = [
  "class_declaration",
  "struct_declaration",
  "interface_declaration",
  "record_declaration",
  "enum_declaration",
] as const;
const isContainer = oneOf(...CONTAINERS);
const isLoop = oneOf("for_statement", "foreach_statement", "while_statement", "do_statement");
const isPattern = oneOf("and_pattern", "or_pattern");
const isFilter = oneOf("when_clause", "catch_filter_clause");
const isExpression = oneOf("binary_expression", "parenthesized_expression", "prefix_unary_expression");
const wholeTokens = tokenBy(
  oneOf(
    "string_literal",
    "raw_string_literal",
    "interpolated_string_expression",
    "character_literal",
    "boolean_literal",
    "implicit_type",
  ),
);

/** C#: lambdas count for the method around them; local functions and property accessors are measured on their own. */
const METRICS: MetricRules = {
  functionKind(node) {
    if (isLambda(node)) return "lambda";
    return isFunction(node) ? "function" : undefined;
  },
  nameOf,
  containerName(node, tree) {
    if (isContainer(node)) return textOf(tree, node.field("name"));
    return isProperty(node) ? propertyName(node, tree) : undefined;
  },
  parametersOf: (node) => parametersOf(node).length,
  decision,
  cognition,
  logicalOperator,
  // The grammar extends a pattern to the end of a condition: `a is 1 && b` as `a is (1 && b)`.
  isTransparent: oneOf(
    "parenthesized_expression",
    "is_pattern_expression",
    "constant_pattern",
    "relational_pattern",
    "negated_pattern",
    "parenthesized_pattern",
  ),
  calledName,
  token: (node) => (closesTypes(node) ? "nothing" : wholeTokens(node)),
};

const isFunction = (node: SyntaxNode): boolean =>
  isDeclared(node)
    ? node.field("body") !== undefined
    : isProperty(node) && node.field("value")?.type === "arrow_expression_clause";

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (isProperty(node)) return propertyName(node, tree);
  if (node.type === "operator_declaration") return `operator${textOf(tree, node.field("operator"))}`;
  if (node.type === "conversion_operator_declaration") return `operator ${textOf(tree, node.field("type"))}`;
  if (isLambda(node))
    return node.parent?.type === "variable_declarator" ? textOf(tree, node.parent.field("name")) : undefined;
  const name = textOf(tree, node.field("name"));
  if (node.type === "destructor_declaration") return `~${name}`;
  const explicit = node.children.find(({ type }) => type === "explicit_interface_specifier");
  return explicit === undefined ? name : `${tree.textOf(explicit)}${name}`;
}

const propertyName = (node: SyntaxNode, tree: SyntaxTree): string | undefined =>
  node.type === "indexer_declaration" ? "this[]" : textOf(tree, node.field("name"));

/** The accessors of an indexer have its parameters. */
function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
  const from = node.type === "accessor_declaration" ? node.above("indexer_declaration", "declaration_list") : node;
  const list = from?.field("parameters");
  if (list === undefined) return [];
  if (list.type === "implicit_parameter") return [list];
  // The parameter after `params` has no named node.
  return list.children.filter(({ type }) => type === "parameter" || type === "params");
}

function decision(node: SyntaxNode): string | undefined {
  if (node.type === "if_statement") return "if";
  if (isLoop(node)) return node.children[0]?.type ?? "loop";
  if (node.type === "switch_section")
    return node.children[0]?.type === "case" && !matchesAll(node) ? "case" : undefined;
  if (node.type === "switch_expression_arm") return matchesAll(node) ? undefined : "switch arm";
  if (isFilter(node)) return "when";
  if (node.type === "catch_clause") return "catch";
  if (node.type === "conditional_expression") return "?:";
  if (node.type === "binary_expression" && node.field("operator")?.type === "??") return "??";
  if (node.type === "assignment_expression" && node.field("operator")?.type === "??=") return "??=";
  return logicalOperator(node);
}

/** Whether an arm or a case matches everything: `_` or `var x`. */
function matchesAll({ named: [pattern] }: SyntaxNode): boolean {
  return (
    pattern?.type === "discard" ||
    pattern?.type === "var_pattern" ||
    (pattern?.type === "declaration_pattern" && pattern.field("type")?.type === "implicit_type")
  );
}

function cognition(node: SyntaxNode): Cognition | undefined {
  if (node.type === "if_statement") {
    const [then, otherwise] = [node.field("consequence"), node.field("alternative")];
    const nested = otherwise?.type === "if_statement" ? [then] : [then, otherwise];
    return isElseIf(node) ? flat("else if", ...nested) : structure("if", ...nested);
  }
  if (node.type === "else")
    return node.parent?.field("alternative")?.type === "if_statement" ? undefined : flat("else");
  if (isLoop(node)) return structure(node.children[0]?.type ?? "loop", node.field("body"));
  if (node.type === "switch_statement") return structure("switch", node.field("body"));
  if (node.type === "switch_expression")
    return structure("switch", ...node.children.filter(({ type }) => type === "switch_expression_arm"));
  if (node.type === "catch_clause") return structure("catch", node.field("body"));
  if (node.type === "conditional_expression")
    return structure("?:", node.field("consequence"), node.field("alternative"));
  return node.type === "goto_statement" ? flat("goto") : undefined;
}

/** Null-coalescing is shorthand that is easy to read, so only operators that join conditions count, in patterns, too. */
function logicalOperator(node: SyntaxNode): string | undefined {
  if (isPattern(node)) return node.field("operator")?.type;
  const operator = node.type === "binary_expression" ? node.field("operator")?.type : undefined;
  return (operator === "&&" || operator === "||") && !isOfPreprocessor(node, isExpression) ? operator : undefined;
}

function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type !== "invocation_expression") return undefined;
  let called = node.field("function");
  if (called?.type === "member_access_expression" && isOwn(called.field("expression"), tree))
    called = called.field("name");
  if (called?.type === "generic_name") [called] = called.named;
  if (called?.type !== "identifier") return undefined;
  const own = { name: tree.textOf(called), count: node.field("arguments")?.named.length ?? 0 };
  return enclosingFunction(tree, node, own, { isFunction, nameOf, arityOf: ownArity });
}

/** Whether a method is called on its own object or class. */
function isOwn(object: SyntaxNode | undefined, tree: SyntaxTree): boolean {
  if (object?.type === "this") return true;
  const name = object?.type === "generic_name" ? object.named[0] : object;
  if (name?.type !== "identifier") return false;
  return tree.textOf(name) === textOf(tree, name.above(...CONTAINERS)?.field("name"));
}

const ownArity = (node: SyntaxNode) =>
  arityOf(parametersOf(node), (parameter) => parameter.children.some(({ type }) => type === "="), oneOf("params"));

/** The declarations of C#. */
const OUTLINE: Handlers = {
  namespace_declaration: namespace,
  file_scoped_namespace_declaration: namespace,
  declaration_list: through,
  class_declaration: container(PRIVATE_BY_DEFAULT),
  struct_declaration: container(PRIVATE_BY_DEFAULT),
  record_declaration: container(PRIVATE_BY_DEFAULT),
  interface_declaration: whole(PRIVATE_BY_DEFAULT, "interface"),
  enum_declaration: whole(PRIVATE_BY_DEFAULT, "type"),
  delegate_declaration: declared(PRIVATE_BY_DEFAULT, "type"),
  method_declaration: declared(PRIVATE_BY_DEFAULT, "function"),
  constructor_declaration: declared(PRIVATE_BY_DEFAULT, "function"),
  property_declaration: declared(PRIVATE_BY_DEFAULT, "constant"),
  field_declaration: fields(PRIVATE_BY_DEFAULT, /\bconst\b|\bstatic\b.*\breadonly\b/),
};

/** The imported namespaces of C#. */
const readCsharpImports = (tree: SyntaxTree): readonly Import[] => [
  ...findAll(tree.root, "using_directive").map((node): Import => {
    const name = node.named.at(-1);
    return { from: name === undefined ? "" : tree.textOf(name), line: node.line };
  }),
  ...implicitImport(typeNames(tree, "identifier")),
];

/** Analyzes C#. */
export const CSHARP: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readCsharpImports,
  calls: { invocation_expression: "function", object_creation_expression: "type" },
};
