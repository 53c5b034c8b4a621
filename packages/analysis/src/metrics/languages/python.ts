import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Cognition, Rules } from "../rules.js";
import { flat, oneOf, structure, tokenBy } from "./shape.js";

const isComprehension = oneOf(
  "list_comprehension",
  "set_comprehension",
  "dictionary_comprehension",
  "generator_expression",
);
const isExcept = oneOf("except_clause", "except_group_clause");
const isSeparator = oneOf("positional_separator", "keyword_separator");
const isDocumentation = ({ type, named }: SyntaxNode): boolean =>
  type === "expression_statement" && named.length === 1 && named[0]?.type === "string";

/** Python: a `def` stands on its own, a lambda belongs to what is around it. */
export const PYTHON: Rules = {
  functionKind(node) {
    if (node.type === "function_definition") return "function";
    return node.type === "lambda" && node.isNamed ? "lambda" : undefined;
  },
  nameOf,
  containerName: (node, tree) =>
    node.type === "class_definition" ? tree.textOf(node.field("name") ?? node) : undefined,
  parametersOf(node, tree) {
    const parameters = node.field("parameters")?.named.filter((each) => !isSeparator(each)) ?? [];
    return parameters.length - (parameters.length > 0 && isBound(node, tree) ? 1 : 0);
  },
  decision,
  cognition,
  logicalOperator: (node) => (node.type === "boolean_operator" ? node.field("operator")?.type : undefined),
  calledName(node, tree) {
    if (node.type !== "call") return undefined;
    const called = node.field("function");
    if (called?.type === "identifier") return tree.textOf(called);
    const object = called?.type === "attribute" ? called.field("object") : undefined;
    const attribute = object !== undefined && isOwn(object, tree) ? called?.field("attribute") : undefined;
    return attribute && `self.${tree.textOf(attribute)}`;
  },
  ownCall(node, tree) {
    const name = nameOf(node, tree);
    return name !== undefined && isMethod(node) ? `self.${name}` : name;
  },
  isWrapped(node) {
    const defined = definedAs(node);
    const block = defined.parent;
    if (node.type !== "function_definition" || block?.parent?.type !== "function_definition") return false;
    const others = block.named.filter((each) => each !== defined && !isDocumentation(each));
    return others.length === 1 && others[0]?.type === "return_statement";
  },
  token(node) {
    // What a string puts in is code.
    if (node.type === "string") return node.named.some(({ type }) => type === "interpolation") ? "inside" : "operand";
    return isQuote(node) ? "nothing" : token(node);
  },
};

/** Whether a name stands for the object or the class that a method lies in. */
function isOwn(object: SyntaxNode, tree: SyntaxTree): boolean {
  if (object.type !== "identifier") return false;
  const [name, home] = [tree.textOf(object), object.above("class_definition")?.field("name")];
  return name === "self" || name === "cls" || (home !== undefined && name === tree.textOf(home));
}

const isQuote = oneOf("string_start", "string_end", "line_continuation");
const token = tokenBy(oneOf("string_content"));

function decision(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  switch (node.type) {
    case "if_statement":
      return "if";
    case "elif_clause":
      return "elif";
    case "for_statement":
    case "for_in_clause":
      return "for";
    case "while_statement":
      return "while";
    case "except_clause":
    case "except_group_clause":
      return "except";
    case "conditional_expression":
      return "if else";
    case "boolean_operator":
      return node.field("operator")?.type;
    case "if_clause":
      return node.parent !== undefined && isComprehension(node.parent) ? "if" : "guard";
    case "case_clause":
      return alwaysMatches(node, tree) ? undefined : "case";
    default:
      return undefined;
  }
}

/** A name alone, which any value matches; what looks like one may be a value. */
const CAPTURE = /^[\s(]*(?!(?:None|True|False)\b)[\p{L}_][\p{L}\p{N}_]*[\s)]*$/u;

/** Whether the pattern of a case takes whatever comes: `case _:`, or a name alone. */
function alwaysMatches(node: SyntaxNode, tree: SyntaxTree): boolean {
  const patterns = node.children.filter(({ type }) => type === "case_pattern" || type === ",");
  const [pattern] = patterns;
  return patterns.length === 1 && pattern !== undefined && CAPTURE.test(tree.textOf(pattern));
}

function cognition(node: SyntaxNode): Cognition | undefined {
  if (isExcept(node)) return structure("except", node.named.at(-1));
  switch (node.type) {
    case "if_statement":
      return structure("if", node.field("consequence"));
    case "elif_clause":
      return flat("elif", node.field("consequence"));
    // Those of loops and `try` break the flow no less than that of an `if`.
    case "else_clause":
      return flat("else", node.field("body"));
    case "for_statement":
      return structure("for", node.field("body"));
    case "while_statement":
      return structure("while", node.field("body"));
    case "match_statement":
      return structure("match", node.field("body"));
    case "conditional_expression":
      return structure("if else", node.named[0], node.named[2]);
    default:
      return undefined;
  }
}

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const own = node.field("name");
  if (own !== undefined) return tree.textOf(own);
  const target = node.parent?.type === "assignment" ? node.parent.field("left") : undefined;
  return target?.type === "identifier" ? tree.textOf(target) : undefined;
}

/** A function with its decorators. */
const definedAs = (node: SyntaxNode): SyntaxNode => (node.parent?.type === "decorated_definition" ? node.parent : node);

const isMethod = (node: SyntaxNode): boolean => definedAs(node).parent?.parent?.type === "class_definition";

/** Whether the first parameter is the object or class itself, which a caller does not write. */
function isBound(node: SyntaxNode, tree: SyntaxTree): boolean {
  if (!isMethod(node) || node.type === "lambda") return false;
  const decorators = definedAs(node).children.filter(({ type }) => type === "decorator");
  return !decorators.some((each) => tree.textOf(each) === "@staticmethod");
}
