import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { Cognition, MetricRules } from "../metrics/rules.js";
import type { LanguageAnalyzer } from "./analyzers.js";
import { findAll, flat, oneOf, stringValue, structure, tokenBy } from "./helpers.js";
import { type Handler, type Handlers, inside, type OutlineWriter, type Scope, through } from "./outline-writer.js";

/** Containers, whose names qualify the functions inside. */
const CONTAINERS = [
  "object",
  "class_declaration",
  "abstract_class_declaration",
  "class",
  "internal_module",
  "module",
] as const;
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
const isRelevant = oneOf(
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
/** Short-circuit operators. */
const SHORT_CIRCUITS = new Set(["&&", "||", "??", "&&=", "||=", "??="]);

/** JavaScript, TypeScript and TSX: every function is measured on its own, including anonymous ones. */
const METRICS: MetricRules = {
  isRelevant,
  functionKind: (node) => (isFunction(node) && node.field("body") !== undefined ? "function" : undefined),
  nameOf,
  containerName,
  parametersOf(node) {
    if (node.field("parameter") !== undefined) return 1;
    // A parameter named `this` is only a type annotation.
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
    // The definition ignores `??` and assignments, which make code shorter and not harder.
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
    // A substitution is code.
    if (node.type === "template_string") return node.named.some(isSubstitution) ? "inside" : "operand";
    return node.type === "`" ? "nothing" : token(node);
  },
};

/** The grammar parses `a < b && c > (d)` as a call with type arguments; no real type looks like that. */
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

const isContainer = oneOf(...CONTAINERS);
const isField = oneOf("public_field_definition", "field_definition");
const isPlainName = oneOf("identifier", "shorthand_property_identifier_pattern");
/** Expressions around a value that do not change it. */
const isWrapping = oneOf("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression");

/** The name of a function: its own, or that of its assignment target, as in the language itself. */
function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "class_static_block") return "(static)";
  const own = node.field("name");
  if (own === undefined) return assignedName(node, tree);
  const accessor = node.type === "method_definition" ? node.children.find(isAccessor)?.type : undefined;
  return accessor === undefined ? keyOf(tree, own) : `${accessor} ${keyOf(tree, own)}`;
}

/** The name of a class, a namespace, or an object with a name. */
function containerName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (!isContainer(node)) return undefined;
  if (node.type === "object") return assignedName(node, tree);
  const own = node.field("name");
  return own === undefined ? assignedName(node, tree) : keyOf(tree, own);
}

/** How a function calls itself: a method with `this`, anything else by its name. */
function ownCall(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const name = nameOf(node, tree);
  if (name === undefined) return undefined;
  const isMember = node.type === "method_definition" || (node.field("name") === undefined && isKeyed(holderOf(node)));
  return isMember ? `this.${name}` : name;
}

/** Whether a method is called on its own object, or a static method on its class. */
function isOwn(object: SyntaxNode, tree: SyntaxTree): boolean {
  if (object.type !== "identifier") return object.type === "this";
  const member = object.above("method_definition", "public_field_definition", "field_definition");
  const name = member?.children.some(({ type }) => type === "static")
    ? member.parent?.parent?.field("name")
    : undefined;
  return name !== undefined && tree.textOf(object) === tree.textOf(name);
}

const isAccessor = ({ type }: SyntaxNode): boolean => type === "get" || type === "set";

/** Whether a node makes a value a member of an object. */
const isKeyed = (holder: SyntaxNode | undefined): boolean =>
  holder !== undefined &&
  (isField(holder) ||
    holder.type === "pair" ||
    (holder.type === "assignment_expression" && holder.field("left")?.type === "member_expression"));

/** The nearest ancestor of a value that can give it a name. */
function holderOf({ parent }: SyntaxNode): SyntaxNode | undefined {
  let holder = parent;
  while (holder !== undefined && isWrapping(holder)) holder = holder.parent;
  return holder;
}

function assignedName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const holder = holderOf(node);
  if (holder === undefined) return undefined;
  switch (holder.type) {
    case "variable_declarator":
    case "public_field_definition":
      return keyOf(tree, holder.field("name"));
    case "field_definition":
      return keyOf(tree, holder.field("property"));
    case "pair":
      return keyOf(tree, holder.field("key"));
    case "assignment_expression":
    case "augmented_assignment_expression":
    case "assignment_pattern":
    case "object_assignment_pattern":
      return targetName(holder.field("left"), tree);
    case "required_parameter":
      return targetName(holder.field("pattern"), tree);
    case "export_statement":
      return "default";
    default:
      return undefined;
  }
}

/** The target of an assignment, without prefixes such as `this` and `module.exports`. */
function targetName(target: SyntaxNode | undefined, tree: SyntaxTree): string | undefined {
  if (target !== undefined && isPlainName(target)) return tree.textOf(target);
  if (target?.type === "subscript_expression") return keyOf(tree, target.field("index"));
  if (target?.type !== "member_expression") return undefined;
  const property = keyOf(tree, target.field("property"));
  const object = target.field("object");
  if (property === "exports" || object === undefined) return "exports";
  const path = tree.textOf(object).replace(/^(?:module\.exports|exports|this)\b\.?/, "");
  const owner = path.replace(/\.prototype$/, "");
  return owner === "" || !/^[\w$.]+$/.test(owner) ? property : `${owner}.${property}`;
}

/** The name of a key; a string without its quotes. */
function keyOf(tree: SyntaxTree, key: SyntaxNode | undefined): string | undefined {
  if (key === undefined || key.type.endsWith("_pattern")) return undefined;
  const [inner] = key.type === "computed_property_name" ? key.named : [key];
  return inner?.type === "string" ? tree.textOf(inner).slice(1, -1) : tree.textOf(key);
}

const FUNCTION_VALUES = new Set(["arrow_function", "function_expression", "generator_function"]);

/** Whether a declaration is part of an export statement. */
function isExported({ parent }: SyntaxNode): boolean {
  const around = parent?.type === "ambient_declaration" ? parent.parent : parent;
  return around?.type === "export_statement";
}

const declaredName = (node: SyntaxNode, writer: OutlineWriter): string | undefined =>
  writer.text(node.field("name")) ?? (node.parent?.type === "export_statement" ? "default" : undefined);

const outlineFunction: Handler = (node, writer, scope) =>
  writer.add(node, scope, {
    kind: "function",
    name: declaredName(node, writer),
    isExported: isExported(node),
    until: node.field("body"),
  });

const outlineClass: Handler = (node, writer, scope) => {
  const [name, body] = [declaredName(node, writer), node.field("body")];
  writer.add(node, scope, { kind: "class", name, isExported: isExported(node), until: body });
  if (name !== undefined) writer.enter(body, inside(scope, name, isExported(node)));
};

const outlineMethod: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("name"));
  const access = writer.text(node.children.find(({ type }) => type === "accessibility_modifier"));
  const isOpen = access !== "private" && access !== "protected" && name?.startsWith("#") === false;
  writer.add(node, scope, { kind: "function", name, isExported: isOpen, until: node.field("body") });
};

const outlineShape =
  (kind: "interface" | "type"): Handler =>
  (node, writer, scope) =>
    writer.add(node, scope, { kind, name: writer.text(node.field("name")), isExported: isExported(node) });

const outlineModule: Handler = (node, writer, scope) => {
  const [name, body] = [writer.text(node.field("name"))?.replaceAll(/["']/g, ""), node.field("body")];
  writer.add(node, scope, { kind: "module", name, isExported: isExported(node), until: body });
  writer.enter(body, inside(scope, name));
};

const outlineVariables: Handler = (node, writer, scope) => {
  for (const each of node.named) {
    if (each.type !== "variable_declarator" || each.field("name")?.type !== "identifier") continue;
    const value = each.field("value");
    const isFunctionValue = value !== undefined && FUNCTION_VALUES.has(value.type);
    writer.add(each, scope, {
      kind: isFunctionValue ? "function" : "constant",
      name: writer.text(each.field("name")),
      isExported: isExported(node),
      until: isFunctionValue ? value.field("body") : value,
      before: `${node.children[0]?.type ?? "const"} `,
    });
  }
};

/** `exports.name = …`, `module.exports = name` and `module.exports = { name }`. */
const outlineStatement: Handler = (node, writer, scope) => {
  const [inner] = node.named;
  if (inner?.type === "internal_module") outlineModule(inner, writer, scope);
  if (inner?.type !== "assignment_expression") return;
  const [left = "", value] = [writer.text(inner.field("left")), inner.field("right")];
  const own = /^(?:module\.)?exports\.([\w$]+)$/.exec(left)?.[1];
  if (own !== undefined && value !== undefined) {
    const isFunctionValue = FUNCTION_VALUES.has(value.type);
    const until = isFunctionValue ? value.field("body") : value;
    writer.add(inner, scope, { kind: isFunctionValue ? "function" : "constant", name: own, isExported: true, until });
    if (value.type === "identifier") writer.setExported(writer.tree.textOf(value));
  }
  if (left !== "module.exports") return;
  const names = value?.type === "object" ? value.named.map((each) => writer.text(each.field("value") ?? each)) : [];
  for (const name of [...names, writer.text(value)]) if (name !== undefined) writer.setExported(name);
};

const outlineExport: Handler = (node, writer, scope) => {
  if (node.field("source") !== undefined) return;
  const clause = node.named.find(({ type }) => type === "export_clause");
  for (const each of clause?.named ?? []) writer.setExported(writer.text(each.field("name")) ?? "");
  const value = node.field("value");
  if (value?.type === "identifier") writer.setExported(writer.tree.textOf(value));
  writer.enter(node, scope);
};

const outlineField: Handler = (node, writer, scope) => {
  const value = node.field("value");
  if (value !== undefined && FUNCTION_VALUES.has(value.type)) addOutlineField(node, value, writer, scope);
};

function addOutlineField(node: SyntaxNode, value: SyntaxNode, writer: OutlineWriter, scope: Scope): void {
  const name = writer.text(node.field("name") ?? node.field("property"));
  const access = writer.text(node.children.find(({ type }) => type === "accessibility_modifier"));
  const isOpen = access !== "private" && access !== "protected" && name?.startsWith("#") === false;
  writer.add(node, scope, { kind: "function", name, isExported: isOpen, until: value.field("body") });
}

/** The declarations of JavaScript, TypeScript and TSX. */
const OUTLINE: Handlers = {
  export_statement: outlineExport,
  ambient_declaration: through,
  expression_statement: outlineStatement,
  function_declaration: outlineFunction,
  generator_function_declaration: outlineFunction,
  function_signature: outlineFunction,
  function_expression: outlineFunction,
  arrow_function: outlineFunction,
  class_declaration: outlineClass,
  abstract_class_declaration: outlineClass,
  class: outlineClass,
  method_definition: outlineMethod,
  method_signature: outlineMethod,
  abstract_method_signature: outlineMethod,
  public_field_definition: outlineField,
  field_definition: outlineField,
  interface_declaration: outlineShape("interface"),
  type_alias_declaration: outlineShape("type"),
  enum_declaration: outlineShape("type"),
  internal_module: outlineModule,
  module: outlineModule,
  lexical_declaration: outlineVariables,
  variable_declaration: outlineVariables,
};

/** The imports of JavaScript, TypeScript and TSX: also re-exports, `import(…)` and `require(…)` of a literal. */
function readEcmascriptImports(tree: SyntaxTree): readonly Import[] {
  return findAll(tree.root, "import_statement", "export_statement", "call_expression").flatMap((node): Import[] => {
    const from = stringValue(tree, node.type === "call_expression" ? called(node) : sourceOf(node));
    if (from === undefined) return [];
    const isTypeOnly = node.type !== "call_expression" && node.children[1]?.type === "type";
    return [{ from, line: node.line, ...(isTypeOnly && { isTypeOnly }) }];
  });

  function called(node: SyntaxNode): SyntaxNode | undefined {
    const [what, given] = [node.children[0], node.children.at(-1)];
    const isImport = what?.type === "import" || (what?.type === "identifier" && tree.textOf(what) === "require");
    return isImport ? given?.named[0] : undefined;
  }
}

function sourceOf(node: SyntaxNode): SyntaxNode | undefined {
  const clause = node.named.find(({ type }) => type === "import_require_clause");
  return node.field("source") ?? clause?.field("source") ?? clause?.named.at(-1);
}

/** Analyzes JavaScript, TypeScript and TSX. */
export const TYPESCRIPT: LanguageAnalyzer = {
  metrics: METRICS,
  outline: OUTLINE,
  imports: readEcmascriptImports,
  calls: {
    call_expression: "function",
    new_expression: "constructor",
    jsx_opening_element: "name",
    jsx_self_closing_element: "name",
  },
};
