import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { findAll, flat, oneOf, stringValue, structure, textOf, tokenBy } from "./helpers.js";
import { type Handler, type Handlers, inside, through } from "./outline-writer.js";

const isDeclaration = oneOf("function_declaration", "method_declaration");
const isCase = oneOf("expression_case", "type_case", "communication_case");
const isSwitch = oneOf("expression_switch_statement", "type_switch_statement", "select_statement");
const isClause = oneOf("expression_case", "type_case", "communication_case", "default_case");
const isLogical = oneOf("&&", "||");
const isJump = oneOf("break_statement", "continue_statement", "goto_statement");

/** Go: function literals count for the function around them; methods are qualified with the type of their receiver. */
const METRICS: MetricRules = {
  functionKind(node) {
    if (node.type === "func_literal") return "lambda";
    // A function without a body is written in assembly.
    return isDeclaration(node) && node.children.at(-1)?.type === "block" ? "function" : undefined;
  },
  nameOf,
  containerName: () => undefined,
  parametersOf(node) {
    const parameters = node.field("parameters")?.named ?? [];
    return parameters.reduce((sum, { named }) => sum + Math.max(1, named.filter(isName).length), 0);
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

/** A function literal has the name of the only variable that it is assigned to, or of its key. */
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

/** The type that a method is declared on, without pointer and type parameters. */
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
  // The grammar parses `f[int](1)` as a conversion and `f[int](1, 2)` as an index expression.
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

const isExportedName = (name: string | undefined): boolean => name !== undefined && /^\p{Lu}/u.test(name);

const outlineFunction: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("name"));
  const receiver = writer.text(node.field("receiver"));
  const owner = receiver === undefined ? undefined : /([\p{L}_][\p{L}\d_]*)\s*(?:\[.*)?\)$/su.exec(receiver)?.[1];
  writer.add(node, inside(scope, owner, owner === undefined || isExportedName(owner)), {
    kind: "function",
    name,
    isExported: isExportedName(name),
    until: node.field("body"),
  });
};

const KINDS: Readonly<Record<string, "class" | "interface">> = { struct_type: "class", interface_type: "interface" };

const outlineType: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("name"));
  const kind = KINDS[node.field("type")?.type ?? ""] ?? "type";
  writer.add(node, scope, { kind, name, isExported: isExportedName(name), before: "type " });
};

const outlineConstants: Handler = (node, writer, scope) => {
  const before = `${keywordOf(node)} `;
  for (const each of node.fields("name").filter(({ isNamed }) => isNamed)) {
    const name = writer.text(each);
    writer.add(node, scope, {
      kind: "constant",
      name,
      isExported: isExportedName(name),
      until: node.field("value"),
      before,
    });
  }
};

const keywordOf = (node: SyntaxNode): string => (node.type === "const_spec" ? "const" : "var");

/** The declarations of Go. */
const OUTLINE: Handlers = {
  function_declaration: outlineFunction,
  method_declaration: outlineFunction,
  type_declaration: through,
  type_spec: outlineType,
  type_alias: outlineType,
  const_declaration: through,
  const_spec: outlineConstants,
  var_declaration: through,
  var_spec_list: through,
  var_spec: outlineConstants,
};

/** The imports of Go with the names that are used, because a package consists of several files. */
function readGoImports(tree: SyntaxTree): readonly Import[] {
  const taken = new Map<string, Set<string>>();
  for (const node of findAll(tree.root, "selector_expression", "qualified_type")) {
    const [of, , name] = node.children;
    if (of === undefined || name === undefined || of.children.length > 0) continue;
    const names = taken.get(tree.textOf(of)) ?? new Set();
    taken.set(tree.textOf(of), names.add(tree.textOf(name)));
  }
  return findAll(tree.root, "import_spec").flatMap((node): Import[] => {
    const from = stringValue(tree, node.field("path"));
    if (from === undefined) return [];
    const alias = node.field("name");
    const names = taken.get(alias === undefined ? packageOf(from) : tree.textOf(alias));
    return [{ from, line: node.line, ...(names !== undefined && { names: [...names] }) }];
  });
}

/** The name of a package by its path: the last segment that is not a version. */
function packageOf(path: string): string {
  const parts = path.split("/");
  const last = parts.at(-1) ?? "";
  return /^v\d+$/.test(last) && parts.length > 1 ? (parts.at(-2) ?? last) : last.replace(/\.v\d+$/, "");
}

/** Analyzes Go. */
export const GO: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readGoImports,
  calls: { call_expression: "function", type_conversion_expression: "type" },
};
