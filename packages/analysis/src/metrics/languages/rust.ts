import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Cognition, Rules, Token } from "../rules.js";
import { closesTypes, flat, oneOf, structure, textOf, tokenBy } from "./shape.js";

const isLoop = oneOf("loop_expression", "while_expression", "for_expression");
const isLogical = oneOf("&&", "||");
const isJump = oneOf("break_expression", "continue_expression");
const isModule = oneOf("mod_item", "trait_item");
const isBinding = oneOf("let_declaration", "static_item", "const_item");
const isWrapping = oneOf("ref_pattern", "mut_pattern", "reference_pattern", "captured_pattern");
const wholeTokens = tokenBy(
  oneOf("string_literal", "raw_string_literal", "char_literal", "boolean_literal", "lifetime", "label"),
);

/**
 * Rust: closures count to the function around them, functions inside stand on their own. What stands in a macro call are only words
 * until the macro has made code of them, so no decision is read out of them.
 */
export const RUST: Rules = {
  functionKind(node) {
    if (node.type === "function_item") return "function";
    return node.type === "closure_expression" ? "lambda" : undefined;
  },
  nameOf,
  containerName(node, tree) {
    if (isModule(node)) return textOf(tree, node.field("name"));
    return node.type === "impl_item" ? typeName(node.field("type"), tree) : undefined;
  },
  parametersOf: (node) => node.field("parameters")?.children.filter(isParameter).length ?? 0,
  decision,
  cognition,
  logicalOperator,
  calledName,
  ownCall,
  token,
};

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const named = node.type === "function_item" ? node : node.parent;
  const isNamed = named === node || (named !== undefined && isBinding(named));
  return isNamed ? textOf(tree, named?.field("name") ?? named?.field("pattern")) : undefined;
}

const isApart = oneOf("(", ")", "|", ",", "attribute_item", "self_parameter");

function isParameter(node: SyntaxNode): boolean {
  return !isApart(node) && !node.isComment && node.field("pattern")?.type !== "self";
}

function decision(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "if_expression") return "if";
  if (isLoop(node)) return keywordOf(node);
  if (node.type === "match_arm") return takesAll(node, tree) ? undefined : "match arm";
  if (node.type === "if" && node.parent?.type === "match_pattern") return "guard";
  if (node.type === "try_expression") return "?";
  if (isLetElse(node)) return "let else";
  if (node.type === "&&" && node.parent?.type === "let_chain") return "&&";
  return node.type === "binary_expression" ? logicalOperator(node) : undefined;
}

/** An arm for all that is left: `_`, a plain name, or a tuple of such. Names of variants and constants are told by their capitals. */
function takesAll(arm: SyntaxNode, tree: SyntaxTree): boolean {
  const open = [arm.field("pattern")?.children[0]];
  for (let pattern = open.pop(); pattern !== undefined; pattern = open.pop()) {
    if (isWrapping(pattern)) open.push(pattern.children.at(-1));
    else if (pattern.type === "tuple_pattern") open.push(...pattern.children.filter((part) => !isOfTuple(part)));
    else if (pattern.type !== "_" && (pattern.type !== "identifier" || /^\p{Lu}/u.test(tree.textOf(pattern))))
      return false;
  }
  return true;
}

const isOfTuple = oneOf("(", ",", ")", "remaining_field_pattern", "line_comment", "block_comment");

function cognition(node: SyntaxNode): Cognition | undefined {
  if (node.type === "if_expression") {
    const then = node.field("consequence");
    return node.parent?.type === "else_clause" ? flat("else if", then) : structure("if", then);
  }
  if (node.type === "else_clause") {
    const [body] = node.named;
    return body?.type === "if_expression" ? undefined : flat("else", body);
  }
  if (isLoop(node)) return structure(keywordOf(node), node.field("body"));
  if (node.type === "match_expression") return structure("match", node.field("body"));
  if (isLetElse(node)) return structure("let else", node.field("alternative"));
  const isLabelled = isJump(node) && node.named[0]?.type === "label";
  return isLabelled ? flat(`${keywordOf(node)} to a label`) : undefined;
}

const isLetElse = ({ type, children }: SyntaxNode): boolean =>
  type === "let_declaration" && children.some((child) => child.type === "else");

/** `loop`, `while`, `for`, `break` or `continue`; a loop may have a label before it. */
const keywordOf = ({ children }: SyntaxNode): string =>
  children.find(({ isNamed, type }) => !isNamed && type !== ":")?.type ?? "loop";

function logicalOperator(node: SyntaxNode): string | undefined {
  if (node.type === "let_chain") return "&&";
  return node.type === "binary_expression" ? node.children.find(isLogical)?.type : undefined;
}

/** A method calls itself through `self`, `Self` or its type, a function by its name. */
function ownCall(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const name = nameOf(node, tree);
  const home = node.parent?.parent?.type;
  return name !== undefined && (home === "impl_item" || home === "trait_item") ? `self.${name}` : name;
}

function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type !== "call_expression") return undefined;
  let called = node.field("function");
  if (called?.type === "generic_function") called = called.field("function");
  if (called?.type === "identifier") return tree.textOf(called);
  if (called?.type === "field_expression")
    return called.field("value")?.type === "self" ? `self.${textOf(tree, called.field("field"))}` : undefined;
  if (called?.type !== "scoped_identifier") return undefined;
  const path = textOf(tree, called.field("path"));
  const isOwn =
    path === "Self" || (path !== undefined && path === typeName(node.above("impl_item")?.field("type"), tree));
  return isOwn ? `self.${textOf(tree, called.field("name"))}` : undefined;
}

/** The name of the type that methods are written for, without references, path and parameters. */
function typeName(given: SyntaxNode | undefined, tree: SyntaxTree): string | undefined {
  let type = given;
  for (
    let inner = type;
    inner !== undefined;
    inner = inner.field("type") ?? inner.field("trait") ?? inner.field("name")
  )
    type = inner;
  return textOf(tree, type);
}

function token(node: SyntaxNode): Token {
  if (node.type === "mutable_specifier") return "operator";
  const isSecondBar =
    node.type === "|" && node.parent?.type === "closure_parameters" && node.parent.children[0] !== node;
  return isSecondBar || closesTypes(node) ? "nothing" : wholeTokens(node);
}
