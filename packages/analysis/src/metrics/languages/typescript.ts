import type { SyntaxNode } from "@toolwright/kit/syntax";
import type { Cognition, Rules } from "../rules.js";
import { flat, oneOf, structure, tokenBy } from "./shape.js";
import { CONTAINERS, containerName, isOwn, nameOf, ownCall } from "./typescript-names.js";

const FUNCTIONS = [
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "arrow_function",
  "method_definition",
  "class_static_block",
] as const;
const LOOPS = ["for_statement", "for_in_statement", "while_statement", "do_statement"] as const;
const JUMPS = ["break_statement", "continue_statement"] as const;
const BINARIES = ["binary_expression", "augmented_assignment_expression"] as const;
const isFunction = oneOf(...FUNCTIONS);
const isLoop = oneOf(...LOOPS);
const isJump = oneOf(...JUMPS);
const isBinary = oneOf(...BINARIES);
const isSeen = oneOf(
  ...FUNCTIONS,
  ...CONTAINERS,
  ...LOOPS,
  ...JUMPS,
  ...BINARIES,
  "if_statement",
  "else_clause",
  "switch_statement",
  "switch_case",
  "catch_clause",
  "ternary_expression",
  "call_expression",
  "union_type",
  "intersection_type",
);
/** What runs its right side only if the left one says so. */
const SHORT_CIRCUITS = new Set(["&&", "||", "??", "&&=", "||=", "??="]);

/** JavaScript, TypeScript and TSX: every function stands on its own, whether it has a name or not. */
export const TYPESCRIPT: Rules = {
  isSeen,
  functionKind: (node) => (isFunction(node) && node.field("body") !== undefined ? "function" : undefined),
  nameOf,
  containerName,
  parametersOf(node) {
    if (node.field("parameter") !== undefined) return 1;
    // A parameter called `this` only tells the type.
    return node.field("parameters")?.named.filter((each) => each.field("pattern")?.type !== "this").length ?? 0;
  },
  decision(node) {
    if (node.type === "if_statement") return "if";
    if (isLoop(node)) return node.children[0]?.type ?? "loop";
    if (node.type === "switch_case") return "case";
    if (node.type === "catch_clause") return "catch";
    if (node.type === "ternary_expression") return "?:";
    const operator = isBinary(node) ? node.field("operator")?.type : misreadOperator(node);
    return operator !== undefined && SHORT_CIRCUITS.has(operator) ? operator : undefined;
  },
  cognition,
  logicalOperator(node) {
    // The definition passes over `??` and assignments: they make code shorter, not harder.
    const operator = node.type === "binary_expression" ? node.field("operator")?.type : undefined;
    return operator === "&&" || operator === "||" ? operator : undefined;
  },
  calledName(node, tree) {
    if (node.type !== "call_expression") return undefined;
    const called = node.field("function");
    if (called?.type === "identifier") return tree.textOf(called);
    const object = called?.type === "member_expression" ? called.field("object") : undefined;
    const property = object !== undefined && isOwn(object, tree) ? called?.field("property") : undefined;
    return property && `this.${tree.textOf(property)}`;
  },
  ownCall,
  outerMayDeclare: true,
  token(node) {
    // What a template puts in is code.
    if (node.type === "template_string") return node.named.some(isSubstitution) ? "inside" : "operand";
    return node.type === "`" ? "nothing" : token(node);
  },
};

/** The grammar takes `a < b && c > (d)` for a call with types between the brackets; no type is written so. */
function misreadOperator(node: SyntaxNode): "&&" | "||" | undefined {
  if (node.type !== "union_type" && node.type !== "intersection_type") return undefined;
  const last = node.children.at(-1);
  if (last?.type !== node.type || last.children[0]?.isNamed !== false) return undefined;
  return node.type === "union_type" ? "||" : "&&";
}

const isSubstitution = ({ type }: SyntaxNode): boolean => type === "template_substitution";
const token = tokenBy(oneOf("string", "regex", "predefined_type"));

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
  const misread = misreadOperator(node);
  return misread && flat(misread);
}
