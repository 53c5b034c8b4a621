import type { SyntaxTree } from "../../../../syntax/parse.js";
import type { SyntaxNode } from "../../../../syntax/syntax-node.js";
import type { Cognition, Rules } from "../rules.js";
import { flat, oneOf, structure, tokenBy } from "./shape.js";

const isFunction = oneOf(
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "arrow_function",
  "method_definition",
);
const isLoop = oneOf("for_statement", "for_in_statement", "while_statement", "do_statement");
const isContainer = oneOf("class_declaration", "abstract_class_declaration", "class", "internal_module", "module");
const isJump = oneOf("break_statement", "continue_statement");
const LOGICAL = new Set(["&&", "||", "??"]);

/** JavaScript, TypeScript and TSX: every function stands on its own, whether it has a name or not. */
export const TYPESCRIPT: Rules = {
  functionKind: (node) => (isFunction(node) && node.field("body") !== undefined ? "function" : undefined),
  nameOf,
  containerName: (node, tree) => (isContainer(node) ? textOf(tree, node.field("name")) : undefined),
  parametersOf(node) {
    if (node.field("parameter") !== undefined) return 1;
    return node.field("parameters")?.named.length ?? 0;
  },
  decision(node) {
    if (node.type === "if_statement") return "if";
    if (isLoop(node)) return node.children[0]?.type ?? "loop";
    if (node.type === "switch_case") return "case";
    if (node.type === "catch_clause") return "catch";
    if (node.type === "ternary_expression") return "?:";
    return logicalOperator(node);
  },
  cognition,
  logicalOperator,
  calledName(node, tree) {
    if (node.type !== "call_expression") return undefined;
    const called = node.field("function");
    if (called?.type === "identifier") return tree.textOf(called);
    const isOwn = called?.type === "member_expression" && called.field("object")?.type === "this";
    return isOwn ? textOf(tree, called?.field("property")) : undefined;
  },
  token: tokenBy(oneOf("string", "template_string", "regex", "predefined_type")),
};

function cognition(node: SyntaxNode): Cognition | undefined {
  if (node.type === "if_statement") {
    const then = node.field("consequence");
    return node.parent?.type === "else_clause" ? flat("else if", then) : structure("if", then);
  }
  if (node.type === "else_clause") {
    const [body] = node.named;
    return body?.type === "if_statement" ? undefined : flat("else", body);
  }
  if (isLoop(node)) return structure(node.children[0]?.type ?? "loop", node.field("body"));
  if (node.type === "switch_statement") return structure("switch", node.field("body"));
  if (node.type === "catch_clause") return structure("catch", node.field("body"));
  if (node.type === "ternary_expression") return structure("?:", node.field("consequence"), node.field("alternative"));
  if (isJump(node) && node.field("label") !== undefined) return flat(`${node.children[0]?.type} to a label`);
  return undefined;
}

function logicalOperator(node: SyntaxNode): string | undefined {
  const operator = node.type === "binary_expression" ? node.field("operator")?.type : undefined;
  return operator !== undefined && LOGICAL.has(operator) ? operator : undefined;
}

/** A function without a name of its own is known by what it is assigned to. */
function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const own = node.field("name");
  if (own !== undefined) return tree.textOf(own);
  const { parent } = node;
  if (
    parent?.type === "variable_declarator" ||
    parent?.type === "public_field_definition" ||
    parent?.type === "field_definition"
  )
    return textOf(tree, parent.field("name") ?? parent.field("property"));
  if (parent?.type === "pair") return textOf(tree, parent.field("key"));
  if (parent?.type === "assignment_expression") return textOf(tree, parent.field("left"));
  return parent?.type === "export_statement" ? "default" : undefined;
}

const textOf = (tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined =>
  node === undefined ? undefined : tree.textOf(node);
