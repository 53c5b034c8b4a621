import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Declaration, Import } from "../facts/facts.js";
import type { Cognition, MetricRules } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import {
  arityOf,
  closesTypes,
  enclosingFunction,
  findAll,
  flat,
  isOfPreprocessor,
  oneOf,
  stringValue,
  structure,
  textOf,
  tokenBy,
} from "./helpers.js";
import { type Handler, type Handlers, inside, type OutlineWriter, type Scope, through } from "./outline-writer.js";

const isLoop = oneOf("for_statement", "for_range_loop", "while_statement", "do_statement");
const isCatch = oneOf("catch_clause", "seh_except_clause");
const isExpression = oneOf("binary_expression", "parenthesized_expression", "unary_expression");
const isParameter = oneOf(
  "parameter_declaration",
  "optional_parameter_declaration",
  "variadic_parameter_declaration",
  "variadic_parameter",
  // The grammar of C++ has no named node for it.
  "...",
  "identifier",
);
const LOGICAL = new Set(["&&", "||", "and", "or"]);
const STATEMENTS = new Set(["if", "for", "while", "switch", "catch"]);

/**
 * C. The preprocessor runs before the program, so `#if` and its condition add nothing. The code of every branch is measured, because the
 * text does not show which one is compiled.
 */
const C_METRICS: MetricRules = {
  functionKind: (node, tree) => (isDefinition(node, tree) ? "function" : undefined),
  nameOf,
  containerName: () => undefined,
  parametersOf: (node, tree) => parametersOf(node, tree).length,
  decision,
  cognition,
  logicalOperator,
  calledName(node, tree) {
    const called = node.type === "call_expression" ? node.field("function") : undefined;
    return called?.type === "identifier" ? tree.textOf(called) : undefined;
  },
  token: tokenBy(oneOf("string_literal", "char_literal", "system_lib_string", "sized_type_specifier", "null")),
};

/** Macros can mislead the grammar: it parses `if (a) { … }` or `class EXPORT Stack { … }` as a function. */
function isDefinition(node: SyntaxNode, tree: SyntaxTree): boolean {
  if (node.type !== "function_definition" || !hasBody(node)) return false;
  return declaratorOf(node) !== undefined && misread(node, tree) === undefined;
}

/** The body of `Stack(int size) try : size(size) { … } catch (...) { … }` has no field in the grammar. */
const hasBody = (node: SyntaxNode): boolean =>
  node.field("body") !== undefined || node.children.some(({ type }) => type === "try_statement");

/** The keyword of a statement that was parsed as a function. */
function misread(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const word = textOf(tree, declaratorOf(node)?.field("declarator"));
  return word !== undefined && STATEMENTS.has(word) ? word : undefined;
}

/** The declarator with the name and the parameters: `get(int x)` in `int (*get(int x))(int)`. */
function declaratorOf(node: SyntaxNode): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  for (
    let part = node.field("declarator");
    part !== undefined;
    part = part.field("declarator") ?? innerDeclarator(part)
  ) {
    if (part.type === "function_declarator") found = part;
    if (part.type === "operator_cast") return part;
  }
  return found;
}

/** The inner declarator of one that has no field for it. */
function innerDeclarator(part: SyntaxNode): SyntaxNode | undefined {
  if (part.type === "qualified_identifier") return part.field("name");
  return part.type === "reference_declarator" || part.type === "parenthesized_declarator"
    ? part.named.at(-1)
    : undefined;
}

/** The parameters of a function; `(void)` has none. */
function parametersOf(node: SyntaxNode, tree: SyntaxTree): readonly SyntaxNode[] {
  const declarator = declaratorOf(node) ?? node.field("declarator");
  const list = declarator?.field("parameters") ?? declarator?.field("declarator")?.field("parameters");
  const parameters = list?.children.filter(isParameter) ?? [];
  const [only] = parameters;
  return parameters.length === 1 && only !== undefined && tree.textOf(only) === "void" ? [] : parameters;
}

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  return textOf(tree, declaratorOf(node)?.field("declarator"));
}

/** Why a node of C or C++ adds to the cyclomatic complexity. */
function decision(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "if_statement") return "if";
  if (node.type === "function_definition") return misread(node, tree);
  if (isLoop(node)) return node.children[0]?.type ?? "loop";
  if (node.type === "case_statement") return node.children[0]?.type === "case" ? "case" : undefined;
  if (isCatch(node)) return node.children[0]?.type ?? "catch";
  return node.type === "conditional_expression" ? "?:" : logicalOperator(node);
}

/** How a node of C or C++ counts for the cognitive complexity. */
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
  if (isCatch(node)) return structure(node.children[0]?.type ?? "catch", node.field("body"));
  if (node.type === "conditional_expression")
    return structure("?:", node.field("consequence"), node.field("alternative"));
  return node.type === "goto_statement" ? flat("goto") : undefined;
}

/** The operator of a short-circuit expression of C or C++. */
function logicalOperator(node: SyntaxNode): string | undefined {
  const operator = node.type === "binary_expression" ? node.field("operator")?.type : undefined;
  return operator !== undefined && LOGICAL.has(operator) && !isOfPreprocessor(node, isExpression)
    ? operator
    : undefined;
}

const isCppType = oneOf("class_specifier", "struct_specifier", "union_specifier");
const wholeCppTokens = tokenBy(
  oneOf("string_literal", "raw_string_literal", "char_literal", "system_lib_string", "sized_type_specifier", "null"),
);

/** C++: lambdas count for the function around them; methods of local classes are measured on their own. */
const CPP_METRICS: MetricRules = {
  functionKind(node, tree) {
    if (node.type === "lambda_expression") return "lambda";
    return isDefinition(node, tree) ? "function" : undefined;
  },
  nameOf: cppNameOf,
  containerName(node, tree) {
    if (isCppType(node) || node.type === "namespace_definition") return toName(textOf(tree, node.field("name")));
    // A class with a macro before its name is parsed as a function without parameters.
    const isClass = node.type === "function_definition" && node.children.some(isCppType) && !isDefinition(node, tree);
    return isClass ? toName(textOf(tree, node.field("declarator"))) : undefined;
  },
  parametersOf: (node, tree) => parametersOf(node, tree).length,
  decision,
  cognition,
  logicalOperator,
  calledName,
  token: (node) => (closesTypes(node) ? "nothing" : wholeCppTokens(node)),
};

function cppNameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "lambda_expression")
    return node.parent?.type === "init_declarator" ? textOf(tree, node.parent.field("declarator")) : undefined;
  const declarator = declaratorOf(node);
  if (declarator?.type !== "operator_cast") return toName(textOf(tree, declarator?.field("declarator")));
  const scope = declarator.parent?.type === "qualified_identifier" ? declarator.parent.field("scope") : undefined;
  const name = `operator ${textOf(tree, declarator.field("type"))}`;
  return scope === undefined ? name : `${toName(tree.textOf(scope))}.${name}`;
}

/** `Stack<T>::push` as `Stack.push`; operators keep their symbols. */
function toName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, path = "", last = text] = /^(.*::)?\s*(operator\b.*|[^:]*)$/su.exec(text) ?? [];
  let plain = path;
  for (let longer = ""; longer !== plain; ) {
    longer = plain;
    plain = plain.replaceAll(/<[^<>]*>/gu, "");
  }
  const name = last.startsWith("operator") ? last.replaceAll(/\s+(?=\W)/gu, "") : last.replace(/<.*$/su, "");
  return `${plain}${name}`.replace(/^::/u, "").replaceAll(/\s*::\s*/gu, ".");
}

/** A method calls itself by its name, through `this`, or by the name of its class; `Base::push()` is another method. */
function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type !== "call_expression") return undefined;
  const called = node.field("function");
  const name = calledIn(called, tree);
  if (name === undefined) return undefined;
  const parts = name.split(".");
  const own = { name: parts.at(-1) ?? name, count: node.field("arguments")?.named.length ?? 0 };
  const isFunction = (around: SyntaxNode): boolean => isDefinition(around, tree);
  const found = enclosingFunction(tree, node, own, { isFunction, nameOf: cppNameOf, arityOf: ownArity });
  if (found === undefined || parts.length === 1) return found;
  const home = found.includes(".") ? found : `${classAround(node, tree)}.${found}`;
  return home.endsWith(name) ? found : undefined;
}

function calledIn(called: SyntaxNode | undefined, tree: SyntaxTree): string | undefined {
  if (called?.type === "identifier" || called?.type === "qualified_identifier" || called?.type === "template_function")
    return toName(tree.textOf(called));
  const isOwn = called?.type === "field_expression" && called.field("argument")?.type === "this";
  return isOwn ? toName(textOf(tree, called?.field("field"))) : undefined;
}

function classAround(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const type = node.above("class_specifier", "struct_specifier", "union_specifier");
  return toName(textOf(tree, type?.field("name")));
}

const ownArity = (node: SyntaxNode, tree: SyntaxTree) =>
  arityOf(
    parametersOf(node, tree),
    oneOf("optional_parameter_declaration"),
    oneOf("variadic_parameter_declaration", "variadic_parameter", "..."),
  );

/** The function declarator inside the declarators of its return type. */
function functionDeclarator(node: SyntaxNode): SyntaxNode | undefined {
  let inner = node.field("declarator");
  while (inner !== undefined && inner.type !== "function_declarator")
    inner = inner.field("declarator") ?? inner.named.find(({ type }) => type.endsWith("_declarator"));
  return inner;
}

/** A static declaration is private to its file; in a class the last access specifier applies. */
function isPublic(node: SyntaxNode, writer: OutlineWriter): boolean {
  if (node.children.some((each) => each.type === "storage_class_specifier" && writer.text(each) === "static"))
    return node.parent?.type === "field_declaration_list";
  if (node.parent?.type !== "field_declaration_list") return true;
  const before = node.parent.children.slice(0, node.parent.children.indexOf(node));
  const said = before.findLast(({ type }) => type === "access_specifier");
  const isClass = node.parent.parent?.type === "class_specifier";
  return said === undefined ? !isClass : writer.text(said)?.startsWith("public") === true;
}

const outlineFunction: Handler = (node, writer, scope) => {
  const declarator = functionDeclarator(node);
  if (declarator === undefined) return outlineVariable(node, writer, scope);
  const name = writer.text(declarator.field("declarator"))?.replaceAll("::", ".").replaceAll(/\s/g, "");
  const until = node.field("body") ?? node.named.find(({ type }) => type === "field_initializer_list");
  writer.add(node, scope, { kind: "function", name, isExported: isPublic(node, writer), until });
};

function outlineVariable(node: SyntaxNode, writer: OutlineWriter, scope: Scope): void {
  const declarator = node.field("declarator");
  if (
    node.type !== "declaration" ||
    node.parent?.type === "field_declaration_list" ||
    declarator?.type !== "init_declarator"
  )
    return;
  const name = writer.text(declarator.field("declarator"))?.replaceAll(/^[*&\s]+|\[.*$/gs, "");
  const until = declarator.field("value");
  writer.add(node, scope, { kind: "constant", name, isExported: isPublic(node, writer), until });
}

const outlineShape =
  (kind: Declaration["kind"], role = "name"): Handler =>
  (node, writer, scope) => {
    if (role === "name" && node.field("body") === undefined && node.type !== "alias_declaration") return;
    writer.add(node, scope, { kind, name: writer.text(node.field(role)), isExported: true });
  };

const outlineClass: Handler = (node, writer, scope) => {
  const [name, body] = [writer.text(node.field("name")), node.field("body")];
  if (body === undefined) return;
  writer.add(node, scope, { kind: "class", name, isExported: isPublic(node, writer), until: body });
  writer.enter(body, inside(scope, name, isPublic(node, writer)));
};

const outlineMacro: Handler = (node, writer, scope) =>
  writer.add(node, scope, {
    kind: node.type === "preproc_def" ? "constant" : "function",
    name: writer.text(node.field("name")),
    isExported: true,
    until: node.field("value"),
  });

/** The declarations of C. */
const C_OUTLINE: Handlers = {
  preproc_ifdef: through,
  preproc_if: through,
  preproc_else: through,
  preproc_elif: through,
  linkage_specification: through,
  declaration_list: through,
  preproc_def: outlineMacro,
  preproc_function_def: outlineMacro,
  function_definition: outlineFunction,
  declaration: outlineFunction,
  type_definition: outlineShape("type", "declarator"),
  struct_specifier: outlineShape("class"),
  union_specifier: outlineShape("class"),
  enum_specifier: outlineShape("type"),
};

/** The declarations of C++. */
const CPP_OUTLINE: Handlers = {
  ...C_OUTLINE,
  template_declaration: through,
  namespace_definition: (node, writer, scope) =>
    writer.enter(node.field("body"), inside(scope, writer.text(node.field("name"))?.replaceAll("::", "."))),
  class_specifier: outlineClass,
  struct_specifier: outlineClass,
  field_declaration: outlineFunction,
  alias_declaration: outlineShape("type"),
};

/** The includes of C and C++; system headers keep their angle brackets. */
const readIncludes = (tree: SyntaxTree): readonly Import[] =>
  findAll(tree.root, "preproc_include").flatMap((node): Import[] => {
    const path = node.field("path");
    if (path === undefined) return [];
    const from = path.type === "system_lib_string" ? tree.textOf(path) : stringValue(tree, path);
    return from === undefined ? [] : [{ from, line: node.line }];
  });

const CALLS = { call_expression: "function", new_expression: "type" };

/** Analyzes C. */
export const C: LanguageAnalyzer = { metrics: C_METRICS, outline: C_OUTLINE, imports: readIncludes, calls: CALLS };

/** Analyzes C++. */
export const CPP: LanguageAnalyzer = {
  metrics: CPP_METRICS,
  outline: CPP_OUTLINE,
  imports: readIncludes,
  calls: CALLS,
};
