import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Declaration, Import } from "../facts/facts.js";
import type { Cognition, MetricRules, Token } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { closesTypes, flat, oneOf, structure, textOf, tokenBy, visit } from "./helpers.js";
import { type Handler, type Handlers, inside } from "./outline-writer.js";

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
 * Rust: closures count for the function around them, nested functions are measured on their own. The arguments of a macro call are only
 * tokens until the macro expands them, so they have no decisions.
 */
const METRICS: MetricRules = {
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
  if (node.type === "match_arm") return matchesAll(node, tree) ? undefined : "match arm";
  if (node.type === "if" && node.parent?.type === "match_pattern") return "guard";
  if (node.type === "try_expression") return "?";
  if (isLetElse(node)) return "let else";
  if (node.type === "&&" && node.parent?.type === "let_chain") return "&&";
  return node.type === "binary_expression" ? logicalOperator(node) : undefined;
}

/** Whether an arm matches everything: `_`, a plain name, or a tuple of these. Variants and constants begin with a capital letter. */
function matchesAll(arm: SyntaxNode, tree: SyntaxTree): boolean {
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

/** `loop`, `while`, `for`, `break` or `continue`; a loop can begin with a label. */
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

/** The name of the type of an `impl`, without references, path and type arguments. */
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

const isPublic = (node: SyntaxNode): boolean => node.children.some(({ type }) => type === "visibility_modifier");

const declared =
  (kind: Declaration["kind"], until?: "body" | "value"): Handler =>
  (node, writer, scope) =>
    writer.add(node, scope, {
      kind,
      name: writer.text(node.field("name")),
      isExported: isPublic(node),
      ...(until !== undefined && { until: node.field(until) }),
    });

const outlineModule: Handler = (node, writer, scope) => {
  const [name, body] = [writer.text(node.field("name")), node.field("body")];
  if (body === undefined) return;
  writer.add(node, scope, { kind: "module", name, isExported: isPublic(node), until: body });
  writer.enter(body, inside(scope, name, isPublic(node)));
};

/** The methods of a trait implementation are declared by the trait. */
const outlineImplementation: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("type"))?.replace(/[<\s].*$/s, "");
  writer.enter(node.field("body"), inside(scope, name, node.field("trait") === undefined));
};

/** The declarations of Rust. */
const OUTLINE: Handlers = {
  function_item: declared("function", "body"),
  function_signature_item: declared("function"),
  struct_item: declared("class"),
  union_item: declared("class"),
  enum_item: declared("type"),
  trait_item: declared("interface"),
  type_item: declared("type"),
  const_item: declared("constant", "value"),
  static_item: declared("constant", "value"),
  macro_definition: (node, writer, scope) =>
    writer.add(node, scope, {
      kind: "function",
      name: writer.text(node.field("name")),
      isExported: false,
      until: node.named[1],
    }),
  mod_item: outlineModule,
  impl_item: outlineImplementation,
};

/** The imports of Rust: `use`, `mod x;` as `self::x`, and paths that begin with `crate` or `super`, all relative to the module of the file. */
function readRustImports(tree: SyntaxTree): readonly Import[] {
  const found = new Map<string, Import>();
  visit(tree.root, (node) => {
    if (node.type === "use_declaration") {
      for (const path of pathsOf(node.field("argument"))) add(path, node);
      return false;
    }
    if (node.type === "extern_crate_declaration") add(nodeText(node.field("name")), node);
    if (node.type === "mod_item" && node.field("body") === undefined)
      add(`self::${nodeText(node.field("name"))}`, node);
    if (node.type !== "scoped_identifier" && node.type !== "scoped_type_identifier") return true;
    const path = nodeText(node);
    if (/^(?:crate|super)::/.test(path)) add(path, node);
    return false;
  });
  return [...found.values()];

  function add(path: string, node: SyntaxNode): void {
    const from = seenFromFile(path.replaceAll(/\s/g, ""), modulesAround(node));
    if (from !== "" && !found.has(from)) found.set(from, { from, line: node.line });
  }

  function nodeText(node: SyntaxNode | undefined): string {
    return node === undefined ? "" : tree.textOf(node);
  }

  function modulesAround(node: SyntaxNode): string[] {
    const names: string[] = [];
    for (let around = node.above("mod_item"); around !== undefined; around = around.above("mod_item"))
      names.unshift(nodeText(around.field("name")));
    return names;
  }

  /** The paths in a tree of `use`. */
  function pathsOf(node: SyntaxNode | undefined): string[] {
    if (node === undefined) return [];
    if (node.type === "use_as_clause") return pathsOf(node.field("path"));
    if (node.type === "use_wildcard") return [`${nodeText(node.named[0])}::*`];
    if (node.type === "use_list") return node.named.flatMap(pathsOf);
    if (node.type !== "scoped_use_list") return [nodeText(node)];
    const start = nodeText(node.field("path"));
    return pathsOf(node.field("list")).map((path) => (path === "self" ? start : `${start}::${path}`));
  }
}

/** Converts a path inside modules of the file to a path relative to the file. */
function seenFromFile(path: string, around: readonly string[]): string {
  const steps = path.split("::");
  if (around.length === 0 || !["self", "super"].includes(steps[0] ?? "")) return path;
  const modules = [...around];
  while (steps[0] === "super" && modules.length > 0) {
    modules.pop();
    steps.shift();
  }
  if (steps[0] === "super") return steps.join("::");
  if (steps[0] === "self") steps.shift();
  return ["self", ...modules, ...steps].join("::");
}

/** Analyzes Rust. */
export const RUST: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readRustImports,
  calls: { call_expression: "function", macro_invocation: "macro" },
};
