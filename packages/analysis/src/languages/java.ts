import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules, Token } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { container, declared, fields, namespace, PRIVATE_BY_DEFAULT, whole } from "./class-outline.js";
import {
  closesTypes,
  dotted,
  findAll,
  flat,
  implicitImport,
  isElseIf,
  oneOf,
  structure,
  textOf,
  tokenBy,
  typeNames,
} from "./helpers.js";
import type { Handlers } from "./outline-writer.js";

const isDeclared = oneOf("method_declaration", "constructor_declaration", "compact_constructor_declaration");
const isLoop = oneOf("for_statement", "enhanced_for_statement", "while_statement", "do_statement");
const CONTAINERS = [
  "class_declaration",
  "interface_declaration",
  "enum_declaration",
  "record_declaration",
  "annotation_type_declaration",
] as const;
const isContainer = oneOf(...CONTAINERS);
const isLogical = oneOf("&&", "||");
const isJump = oneOf("break_statement", "continue_statement");
const isParameter = oneOf("formal_parameter", "spread_parameter", "identifier");
const wholeTokens = tokenBy(oneOf("string_literal", "character_literal", "integral_type", "floating_point_type"));

/** Java: lambdas count for the method around them; methods of nested and anonymous classes are measured on their own. */
const METRICS: MetricRules = {
  functionKind(node) {
    if (node.type === "lambda_expression") return "lambda";
    if (isDeclared(node)) return node.field("body") === undefined ? undefined : "function";
    return isInitialiser(node) ? "function" : undefined;
  },
  nameOf(node, tree) {
    if (node.type === "static_initializer") return "(static initialiser)";
    if (node.type === "block") return "(initialiser)";
    const named = node.type === "lambda_expression" && node.parent?.type === "variable_declarator" ? node.parent : node;
    return textOf(tree, named.field("name"));
  },
  containerName(node, tree) {
    if (isContainer(node)) return textOf(tree, node.field("name"));
    if (node.type !== "class_body") return undefined;
    if (node.parent?.type === "enum_constant") return textOf(tree, node.parent.field("name"));
    return node.parent?.type === "object_creation_expression" ? typeName(node.parent.field("type"), tree) : undefined;
  },
  parametersOf: (node) => parametersOf(node).length,
  decision(node, tree) {
    if (node.type === "if_statement") return "if";
    if (isLoop(node)) return node.children[0]?.type ?? "loop";
    if (node.type === "switch_label") return isDefault(node, tree) ? undefined : "case";
    if (node.type === "guard") return "when";
    if (node.type === "catch_clause") return "catch";
    return node.type === "ternary_expression" ? "?:" : logicalOperator(node);
  },
  cognition,
  logicalOperator,
  calledName,
  ownCall,
  token,
};

const isInitialiser = (node: SyntaxNode): boolean =>
  node.type === "static_initializer" ||
  (node.type === "block" && (node.parent?.type === "class_body" || node.parent?.type === "enum_body_declarations"));

/** `default`, and `case null, default`, where the grammar parses `default` as a name. */
const isDefault = ({ children }: SyntaxNode, tree: SyntaxTree): boolean =>
  children.some(
    (child) => child.type === "default" || (child.type === "identifier" && tree.textOf(child) === "default"),
  );

function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
  // A compact constructor has the parameters of its record.
  const from = node.type === "compact_constructor_declaration" ? node.above("record_declaration") : node;
  const parameters = from?.field("parameters");
  if (parameters === undefined) return [];
  return parameters.type === "identifier" ? [parameters] : parameters.named.filter(isParameter);
}

function cognition(node: SyntaxNode): Cognition | undefined {
  if (node.type === "if_statement") {
    const [then, otherwise] = [node.field("consequence"), node.field("alternative")];
    const nested = otherwise?.type === "if_statement" ? [then] : [then, otherwise];
    return isElseIf(node) ? flat("else if", ...nested) : structure("if", ...nested);
  }
  if (node.type === "else") return node.parent?.children.at(-1)?.type === "if_statement" ? undefined : flat("else");
  if (isLoop(node)) return structure(node.children[0]?.type ?? "loop", node.field("body"));
  if (node.type === "switch_expression") return structure("switch", node.field("body"));
  if (node.type === "catch_clause") return structure("catch", node.field("body"));
  if (node.type === "ternary_expression") return structure("?:", node.field("consequence"), node.field("alternative"));
  const isLabelled = isJump(node) && node.named.length > 0;
  return isLabelled ? flat(`${node.children[0]?.type} to a label`) : undefined;
}

function logicalOperator(node: SyntaxNode): string | undefined {
  return node.type === "binary_expression" ? node.children.find(isLogical)?.type : undefined;
}

/** A method by its name and number of parameters; undefined if the class has several such methods. */
function ownCall(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type !== "method_declaration" || node.parent === undefined) return undefined;
  const signature = signatureOf(node, tree);
  return signaturesIn(node.parent, tree).get(signature) === 1 ? signature : undefined;
}

const signatureOf = (method: SyntaxNode, tree: SyntaxTree): string =>
  `${textOf(tree, method.field("name"))}/${parametersOf(method).length}`;

/** Computed once for each class: some have thousands of methods. */
const counted = new WeakMap<SyntaxNode, ReadonlyMap<string, number>>();

function signaturesIn(body: SyntaxNode, tree: SyntaxTree): ReadonlyMap<string, number> {
  const known = counted.get(body);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const member of body.children) {
    if (member.type !== "method_declaration") continue;
    const signatures = takesMany(member)
      ? [signatureOf(member, tree), manyOf(member, tree)]
      : [signatureOf(member, tree)];
    for (const signature of signatures) counts.set(signature, (counts.get(signature) ?? 0) + 1);
  }
  counted.set(body, counts);
  return counts;
}

function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type !== "method_invocation" || !isOwn(node.field("object"), tree)) return undefined;
  const name = textOf(tree, node.field("name"));
  const given = node.field("arguments")?.named.length ?? 0;
  return calledWithMany(node, tree, { name, given }) ?? `${name}/${given}`;
}

/** The enclosing variadic method that a call reaches, if the class has no other candidate. */
function calledWithMany(
  call: SyntaxNode,
  tree: SyntaxTree,
  { name, given }: { readonly name: string | undefined; readonly given: number },
): string | undefined {
  let home = call.above("method_declaration");
  while (home !== undefined && textOf(tree, home.field("name")) !== name) home = home.above("method_declaration");
  if (home?.parent === undefined || !takesMany(home) || given < parametersOf(home).length - 1) return undefined;
  const signatures = signaturesIn(home.parent, tree);
  const isOnly = !signatures.has(`${name}/${given}`) && signatures.get(manyOf(home, tree)) === 1;
  return isOnly ? signatureOf(home, tree) : undefined;
}

const takesMany = (method: SyntaxNode): boolean => parametersOf(method).at(-1)?.type === "spread_parameter";

const manyOf = (method: SyntaxNode, tree: SyntaxTree): string => `${textOf(tree, method.field("name"))}/any`;

/** Whether a method is called on its own object or class. */
function isOwn(object: SyntaxNode | undefined, tree: SyntaxTree): boolean {
  if (object === undefined || object.type === "this") return true;
  if (object.type !== "identifier") return false;
  return tree.textOf(object) === textOf(tree, object.above(...CONTAINERS)?.field("name"));
}

/** The name of a type without package and type arguments. */
function typeName(type: SyntaxNode | undefined, tree: SyntaxTree): string | undefined {
  if (type === undefined || type.type === "type_identifier") return textOf(tree, type);
  return typeName(type.type === "generic_type" ? type.named[0] : type.named.findLast(isTypeName), tree);
}

const isTypeName = oneOf("type_identifier");

function token(node: SyntaxNode): Token {
  return closesTypes(node) ? "nothing" : wholeTokens(node);
}

/** The declarations of Java. */
const OUTLINE: Handlers = {
  package_declaration: namespace,
  class_declaration: container(PRIVATE_BY_DEFAULT),
  record_declaration: container(PRIVATE_BY_DEFAULT),
  interface_declaration: whole(PRIVATE_BY_DEFAULT, "interface"),
  annotation_type_declaration: whole(PRIVATE_BY_DEFAULT, "interface"),
  enum_declaration: whole(PRIVATE_BY_DEFAULT, "type"),
  method_declaration: declared(PRIVATE_BY_DEFAULT, "function"),
  constructor_declaration: declared(PRIVATE_BY_DEFAULT, "function"),
  field_declaration: fields(PRIVATE_BY_DEFAULT, /\bstatic\b.*\bfinal\b|\bfinal\b.*\bstatic\b/),
};

/** The imports of Java. */
const readJavaImports = (tree: SyntaxTree): readonly Import[] => [
  ...findAll(tree.root, "import_declaration").map((node) => dotted(tree, node, ["scoped_identifier", "identifier"])),
  ...implicitImport(typeNames(tree, "type_identifier", "identifier")),
];

/** Analyzes Java. */
export const JAVA: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readJavaImports,
  calls: { method_invocation: "name", object_creation_expression: "type" },
};
