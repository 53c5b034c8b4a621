import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules, Token } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import {
  container,
  declared,
  declaredName,
  modifiersOf,
  namespace,
  PUBLIC_BY_DEFAULT,
  whole,
} from "./class-outline.js";
import { findAll, flat, implicitImport, oneOf, stringValue, structure, textOf, tokenBy, typeNames } from "./helpers.js";
import type { Handlers } from "./outline-writer.js";

const isDeclared = oneOf("function_definition", "method_declaration", "property_hook");
const isLambda = oneOf("anonymous_function", "anonymous_function_creation_expression", "arrow_function");
const CONTAINERS = ["class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"] as const;
const isContainer = oneOf(...CONTAINERS);
const isLoop = oneOf("for_statement", "foreach_statement", "while_statement", "do_statement");
const isJump = oneOf("break_statement", "continue_statement");
const isMemberCall = oneOf("member_call_expression", "nullsafe_member_call_expression");
const isParameter = oneOf("simple_parameter", "property_promotion_parameter", "variadic_parameter");
const isText = oneOf("string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression");
const isContent = oneOf("string_content", "escape_sequence");
const isQuote = oneOf('"', "'", "`", "<<<", "heredoc_start", "heredoc_end");
const isPage = oneOf("text", "php_tag", "php_end_tag");
const LOGICAL = new Set(["&&", "||", "and", "or"]);
const wholeTokens = tokenBy(oneOf("variable_name", "primitive_type"));

/** PHP: closures and arrow functions count for the function around them. Text outside of the tags is not code. */
const METRICS: MetricRules = {
  functionKind(node) {
    if (isLambda(node)) return "lambda";
    return isDeclared(node) && node.field("body") !== undefined ? "function" : undefined;
  },
  nameOf,
  containerName(node, tree) {
    if (isContainer(node)) return textOf(tree, node.field("name"));
    const isHooked = node.type === "property_declaration" && node.children.some(isHookList);
    return isHooked ? toName(textOf(tree, node.named.find(isElement))) : undefined;
  },
  // The parameter of a hook is the assigned value.
  parametersOf: (node) =>
    node.type === "property_hook" ? 0 : (node.field("parameters")?.named.filter(isParameter).length ?? 0),
  decision(node) {
    if (node.type === "if_statement") return "if";
    if (node.type === "else_if_clause") return "elseif";
    if (isLoop(node)) return node.children[0]?.type ?? "loop";
    if (node.type === "case_statement") return "case";
    if (node.type === "match_conditional_expression") return "match arm";
    if (node.type === "catch_clause") return "catch";
    if (node.type === "conditional_expression") return "?:";
    if (node.type === "binary_expression" && node.field("operator")?.type === "??") return "??";
    const assigned = node.type === "augmented_assignment_expression" ? node.field("operator")?.type : undefined;
    return assigned === "??=" ? "??=" : logicalOperator(node);
  },
  cognition,
  logicalOperator,
  calledName,
  token,
};

const isHookList = oneOf("property_hook_list");
const isElement = oneOf("property_element");

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "property_hook")
    return textOf(
      tree,
      node.named.find(({ type }) => type === "name"),
    );
  if (!isLambda(node)) return textOf(tree, node.field("name"));
  return node.parent?.type === "assignment_expression" ? toName(textOf(tree, node.parent.field("left"))) : undefined;
}

/** The name of a variable or property without `$` and the initial value. */
const toName = (text: string | undefined): string | undefined => text && /^\$?([^\s=]*)/u.exec(text)?.[1];

function cognition(node: SyntaxNode): Cognition | undefined {
  if (node.type === "if_statement") {
    const then = node.field("body");
    return node.parent?.type === "else_clause" ? flat("else if", then) : structure("if", then);
  }
  if (node.type === "else_if_clause") return flat("elseif", node.field("body"));
  if (node.type === "else_clause") {
    const body = node.field("body");
    return body?.type === "if_statement" ? undefined : flat("else", body);
  }
  // In the short form of `for` and `foreach` the body can be without a field.
  if (isLoop(node)) return structure(node.children[0]?.type ?? "loop", node.field("body") ?? node.named.at(-1));
  if (node.type === "switch_statement") return structure("switch", node.field("body"));
  if (node.type === "match_expression") return structure("match", node.field("body"));
  if (node.type === "catch_clause") return structure("catch", node.field("body"));
  if (node.type === "conditional_expression") return structure("?:", node.field("body"), node.field("alternative"));
  if (node.type === "goto_statement") return flat("goto");
  return isJump(node) && node.named.length > 0 ? flat(`${node.children[0]?.type} over levels`) : undefined;
}

/** Null-coalescing is shorthand that is easy to read, and `xor` always evaluates both sides. */
function logicalOperator(node: SyntaxNode): string | undefined {
  const operator = node.type === "binary_expression" ? node.field("operator")?.type : undefined;
  return operator !== undefined && LOGICAL.has(operator.toLowerCase()) ? operator : undefined;
}

/** A method calls itself through `$this`, `self`, `static` or its class, a function by its name. */
function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const isOfFunction = node.type === "function_call_expression";
  const home =
    isOfFunction || isMemberCall(node) || node.type === "scoped_call_expression" ? node.above(...HOMES) : undefined;
  if (home === undefined || isOfFunction !== (home.type === "function_definition")) return undefined;
  if (isOfFunction) {
    const called = node.field("function");
    return called?.type === "name" ? tree.textOf(called) : undefined;
  }
  const on = node.field("object") ?? node.field("scope");
  const name = textOf(tree, on);
  const isOwn =
    name !== undefined && (OWN.has(name) || name === textOf(tree, home.above(...CONTAINERS)?.field("name")));
  return isOwn ? textOf(tree, node.field("name")) : undefined;
}

const OWN = new Set(["$this", "self", "static"]);
const HOMES = ["function_definition", "method_declaration"];

function token(node: SyntaxNode): Token {
  if (isPage(node) || isQuote(node)) return "nothing";
  if (!isText(node)) return wholeTokens(node);
  const contents = node.field("value") ?? node;
  return contents.named.some((part) => !isContent(part) && part.type !== "nowdoc_string") ? "inside" : "operand";
}

/** The declarations of PHP. */
const OUTLINE: Handlers = {
  namespace_definition: namespace,
  class_declaration: container(PUBLIC_BY_DEFAULT),
  trait_declaration: container(PUBLIC_BY_DEFAULT),
  interface_declaration: whole(PUBLIC_BY_DEFAULT, "interface"),
  enum_declaration: whole(PUBLIC_BY_DEFAULT, "type"),
  function_definition: declared(PUBLIC_BY_DEFAULT, "function"),
  method_declaration: declared(PUBLIC_BY_DEFAULT, "function"),
  const_declaration: (node, writer, scope) => {
    for (const each of node.named.filter(({ type }) => type === "const_element"))
      writer.add(each, scope, {
        kind: "constant",
        name: declaredName(each, writer),
        isExported: PUBLIC_BY_DEFAULT.isPublic(modifiersOf(node, writer, PUBLIC_BY_DEFAULT)),
        until: each.named.at(-1),
        before: "const ",
      });
  },
};

/** The imported names of PHP, and required files. */
function readPhpImports(tree: SyntaxTree): readonly Import[] {
  const uses = findAll(tree.root, "namespace_use_clause").map((node): Import => {
    const group = node.above("namespace_use_declaration")?.named.find(({ type }) => type === "namespace_name");
    const prefix = group !== undefined && node.parent?.type === "namespace_use_group" ? `${tree.textOf(group)}\\` : "";
    const name = node.named.find(({ type }) => type === "qualified_name" || type === "name");
    return { from: `${prefix}${name === undefined ? "" : tree.textOf(name)}`, line: node.line };
  });
  const files = findAll(
    tree.root,
    "require_expression",
    "require_once_expression",
    "include_expression",
    "include_once_expression",
  ).flatMap((node): Import[] => {
    const [said] = findAll(node, "string", "encapsed_string");
    const from = stringValue(tree, said);
    return from === undefined ? [] : [{ from: `./${from.replace(/^\.?\//, "")}`, line: node.line }];
  });
  return [...uses, ...files, ...implicitImport(typeNames(tree, "name"))];
}

/** Analyzes PHP. */
export const PHP: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readPhpImports,
  calls: {
    function_call_expression: "function",
    member_call_expression: "name",
    nullsafe_member_call_expression: "name",
    scoped_call_expression: "name",
    object_creation_expression: undefined,
  },
};
