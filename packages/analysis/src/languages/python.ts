import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { findAll, flat, oneOf, structure, tokenBy } from "./helpers.js";
import { type Handler, type Handlers, inside, through } from "./outline-writer.js";

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

/** Python: a `def` is measured on its own, a lambda counts for the function around it. */
const METRICS: MetricRules = {
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
    // An interpolation is code.
    if (node.type === "string") return node.named.some(({ type }) => type === "interpolation") ? "inside" : "operand";
    return isQuote(node) ? "nothing" : token(node);
  },
};

/** Whether a name stands for the object or the class of a method. */
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

/** A capture pattern, which matches any value; constants look similar. */
const CAPTURE = /^[\s(]*(?!(?:None|True|False)\b)[\p{L}_][\p{L}\p{N}_]*[\s)]*$/u;

/** Whether a case matches everything: `case _:`, or a capture pattern. */
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
    // The `else` of a loop or `try` breaks the flow as much as that of an `if`.
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

/** Whether the first parameter is the object or class, which callers do not pass. */
function isBound(node: SyntaxNode, tree: SyntaxTree): boolean {
  if (!isMethod(node) || node.type === "lambda") return false;
  const decorators = definedAs(node).children.filter(({ type }) => type === "decorator");
  return !decorators.some((each) => tree.textOf(each) === "@staticmethod");
}

/** Names that begin with an underscore are private; `__init__` shows how to create an object. */
const isPublic = (name: string | undefined): boolean => name?.startsWith("_") === false || name === "__init__";

const outlineFunction: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("name"));
  writer.add(node, scope, { kind: "function", name, isExported: isPublic(name), until: node.field("body") });
};

const outlineClass: Handler = (node, writer, scope) => {
  const [name, body] = [writer.text(node.field("name")), node.field("body")];
  writer.add(node, scope, { kind: "class", name, isExported: isPublic(name), until: body });
  writer.enter(body, inside(scope, name, isPublic(name)));
};

const outlineAssignment: Handler = (node, writer, scope) => {
  const [inner] = node.named;
  const name = writer.text(inner?.type === "assignment" ? inner.field("left") : undefined);
  if (inner === undefined || scope.names.length > 0 || name === undefined || !/^[A-Z][A-Z0-9_]*$/.test(name)) return;
  writer.add(inner, scope, { kind: "constant", name, isExported: true, until: inner.field("right") });
};

/** The declarations of Python. */
const OUTLINE: Handlers = {
  decorated_definition: through,
  if_statement: through,
  try_statement: through,
  else_clause: through,
  except_clause: through,
  block: through,
  function_definition: outlineFunction,
  class_definition: outlineClass,
  expression_statement: outlineAssignment,
};

/** The imports of Python, with the imported names, because they can be modules. */
function readPythonImports(tree: SyntaxTree): readonly Import[] {
  return findAll(tree.root, "import_statement", "import_from_statement").flatMap((node): Import[] => {
    const names = node.fields("name").map(importedName);
    const more = { line: node.line, ...(isForTypes(node) && { isTypeOnly: true }) };
    const module = node.field("module_name");
    if (module === undefined) return names.map((from) => ({ from, ...more }));
    return [{ from: tree.textOf(module).replaceAll(/\s/g, ""), ...more, ...(names.length > 0 && { names }) }];
  });

  function importedName(node: SyntaxNode): string {
    const name = node.type === "aliased_import" ? (node.field("name") ?? node) : node;
    return tree.textOf(name).replaceAll(/\s/g, "");
  }

  function isForTypes(node: SyntaxNode): boolean {
    const condition = node.above("if_statement")?.field("condition");
    return condition !== undefined && /\bTYPE_CHECKING$/.test(tree.textOf(condition));
  }
}

/** Analyzes Python. */
export const PYTHON: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readPythonImports,
  calls: { call: "function" },
};
