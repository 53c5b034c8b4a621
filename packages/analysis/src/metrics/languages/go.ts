import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Cognition, Rules } from "../rules.js";
import { flat, oneOf, structure, textOf, tokenBy } from "./shape.js";

const isDeclaration = oneOf("function_declaration", "method_declaration");
const isCase = oneOf("expression_case", "type_case", "communication_case");
const isSwitch = oneOf("expression_switch_statement", "type_switch_statement", "select_statement");
const isClause = oneOf("expression_case", "type_case", "communication_case", "default_case");
const isLogical = oneOf("&&", "||");
const isJump = oneOf("break_statement", "continue_statement", "goto_statement");

/** Go: function literals count to the function around them; methods are named by the type of their receiver. */
export const GO: Rules = {
  functionKind(node) {
    if (node.type === "func_literal") return "lambda";
    // Without a body it is written in assembly.
    return isDeclaration(node) && node.children.at(-1)?.type === "block" ? "function" : undefined;
  },
  nameOf,
  containerName: () => undefined,
  parametersOf(node) {
    const parameters = node.field("parameters")?.named ?? [];
    return parameters.reduce((all, { named }) => all + Math.max(1, named.filter(isName).length), 0);
  },
  decision(node) {
    if (node.type === "if_statement") return "if";
    if (node.type === "for_statement") return "for";
    return isCase(node) ? "case" : logicalOperator(node);
  },
  cognition,
  logicalOperator,
  calledName,
  ownCall,
  token: tokenBy(oneOf("interpreted_string_literal", "raw_string_literal")),
};

const isName = oneOf("identifier");

function cognition(node: SyntaxNode): Cognition | undefined {
  if (node.type === "if_statement") {
    const [then, otherwise] = [node.field("consequence"), node.field("alternative")];
    const nested = otherwise?.type === "if_statement" ? [then] : [then, otherwise];
    return node.parent?.type === "if_statement" ? flat("else if", ...nested) : structure("if", ...nested);
  }
  if (node.type === "else") return node.parent?.children.at(-1)?.type === "if_statement" ? undefined : flat("else");
  if (node.type === "for_statement") return structure("for", node.field("body"));
  if (isSwitch(node)) return structure(node.children[0]?.type ?? "switch", ...node.children.filter(isClause));
  if (isJump(node)) {
    const jump = node.children[0]?.type ?? "jump";
    if (jump === "goto") return flat("goto");
    return node.named.length > 0 ? flat(`${jump} to a label`) : undefined;
  }
  return undefined;
}

function logicalOperator(node: SyntaxNode): string | undefined {
  return node.type === "binary_expression" ? node.children.find(isLogical)?.type : undefined;
}

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "func_literal") return assignedName(node, tree);
  const [name, type] = [textOf(tree, node.field("name")), textOf(tree, receiverType(node))];
  return name === undefined || type === undefined ? name : `${type}.${name}`;
}

/** A literal is known by the one variable that it is assigned to, or by its key. */
function assignedName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const { parent } = node;
  const owner = parent?.parent;
  if (parent?.type === "literal_element" && owner?.type === "keyed_element")
    return textOf(tree, owner.field("key"))?.replaceAll(/^["`]|["`]$/g, "");
  if (parent?.type !== "expression_list" || parent.named.length !== 1) return undefined;
  const target = owner?.field("name") ?? owner?.field("left");
  return target === parent ? undefined : textOf(tree, target);
}

const receiverOf = (node: SyntaxNode): SyntaxNode | undefined =>
  node.type === "method_declaration" ? node.field("receiver")?.named[0] : undefined;

/** The type that a method is declared on, without its pointer and its parameters. */
function receiverType(node: SyntaxNode): SyntaxNode | undefined {
  let type = receiverOf(node)?.field("type");
  while (type !== undefined && type.type !== "type_identifier") [type] = type.named;
  return type;
}

/** A method calls itself through its receiver, a function by its name. */
function ownCall(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type !== "method_declaration") return nameOf(node, tree);
  const [receiver, name] = [receiverOf(node)?.field("name"), node.field("name")];
  return receiver === undefined || name === undefined ? undefined : `${tree.textOf(receiver)}.${tree.textOf(name)}`;
}

function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  // The grammar takes `f[int](1)` for a conversion and `f[int](1, 2)` for an index.
  if (node.type === "type_conversion_expression") {
    const type = node.field("type");
    return type?.type === "generic_type" ? textOf(tree, type.field("type")) : undefined;
  }
  if (node.type !== "call_expression") return undefined;
  let called = node.field("function");
  if (called?.type === "index_expression") called = called.field("operand");
  const isPlain = called?.type === "identifier" || called?.field("operand")?.type === "identifier";
  return isPlain ? textOf(tree, called) : undefined;
}
