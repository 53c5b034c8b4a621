import type { SyntaxNode } from "@toolwright/kit/syntax";
import { type Handler, type Handlers, inside, type OutlineWriter, type Scope, through } from "../outline-writer.js";

const FUNCTIONS = new Set(["arrow_function", "function_expression", "generator_function"]);

/** Whether a declaration stands in an export statement. */
function isExported({ parent }: SyntaxNode): boolean {
  const around = parent?.type === "ambient_declaration" ? parent.parent : parent;
  return around?.type === "export_statement";
}

const nameOf = (node: SyntaxNode, writer: OutlineWriter): string | undefined =>
  writer.text(node.field("name")) ?? (node.parent?.type === "export_statement" ? "default" : undefined);

const aFunction: Handler = (node, writer, scope) =>
  writer.add(node, scope, {
    kind: "function",
    name: nameOf(node, writer),
    isExported: isExported(node),
    until: node.field("body"),
  });

const aClass: Handler = (node, writer, scope) => {
  const [name, body] = [nameOf(node, writer), node.field("body")];
  writer.add(node, scope, { kind: "class", name, isExported: isExported(node), until: body });
  if (name !== undefined) writer.enter(body, inside(scope, name, isExported(node)));
};

const aMethod: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("name"));
  const access = writer.text(node.children.find(({ type }) => type === "accessibility_modifier"));
  const isOpen = access !== "private" && access !== "protected" && name?.startsWith("#") === false;
  writer.add(node, scope, { kind: "function", name, isExported: isOpen, until: node.field("body") });
};

const aShape =
  (kind: "interface" | "type"): Handler =>
  (node, writer, scope) =>
    writer.add(node, scope, { kind, name: writer.text(node.field("name")), isExported: isExported(node) });

const aModule: Handler = (node, writer, scope) => {
  const [name, body] = [writer.text(node.field("name"))?.replaceAll(/["']/g, ""), node.field("body")];
  writer.add(node, scope, { kind: "module", name, isExported: isExported(node), until: body });
  writer.enter(body, inside(scope, name));
};

const variables: Handler = (node, writer, scope) => {
  for (const each of node.named) {
    if (each.type !== "variable_declarator" || each.field("name")?.type !== "identifier") continue;
    const value = each.field("value");
    const isFunction = value !== undefined && FUNCTIONS.has(value.type);
    writer.add(each, scope, {
      kind: isFunction ? "function" : "constant",
      name: writer.text(each.field("name")),
      isExported: isExported(node),
      until: isFunction ? value.field("body") : value,
      before: `${node.children[0]?.type ?? "const"} `,
    });
  }
};

/** `exports.name = …`, `module.exports = name` and `module.exports = { name }`. */
const statement: Handler = (node, writer, scope) => {
  const [inner] = node.named;
  if (inner?.type === "internal_module") aModule(inner, writer, scope);
  if (inner?.type !== "assignment_expression") return;
  const [left = "", value] = [writer.text(inner.field("left")), inner.field("right")];
  const own = /^(?:module\.)?exports\.([\w$]+)$/.exec(left)?.[1];
  if (own !== undefined && value !== undefined) {
    const isFunction = FUNCTIONS.has(value.type);
    const until = isFunction ? value.field("body") : value;
    writer.add(inner, scope, { kind: isFunction ? "function" : "constant", name: own, isExported: true, until });
    if (value.type === "identifier") writer.setExported(writer.tree.textOf(value));
  }
  if (left !== "module.exports") return;
  const names = value?.type === "object" ? value.named.map((each) => writer.text(each.field("value") ?? each)) : [];
  for (const name of [...names, writer.text(value)]) if (name !== undefined) writer.setExported(name);
};

const exported: Handler = (node, writer, scope) => {
  if (node.field("source") !== undefined) return;
  const clause = node.named.find(({ type }) => type === "export_clause");
  for (const each of clause?.named ?? []) writer.setExported(writer.text(each.field("name")) ?? "");
  const value = node.field("value");
  if (value?.type === "identifier") writer.setExported(writer.tree.textOf(value));
  writer.enter(node, scope);
};

const field: Handler = (node, writer, scope) => {
  const value = node.field("value");
  if (value !== undefined && FUNCTIONS.has(value.type)) addField(node, value, writer, scope);
};

function addField(node: SyntaxNode, value: SyntaxNode, writer: OutlineWriter, scope: Scope): void {
  const name = writer.text(node.field("name") ?? node.field("property"));
  const access = writer.text(node.children.find(({ type }) => type === "accessibility_modifier"));
  const isOpen = access !== "private" && access !== "protected" && name?.startsWith("#") === false;
  writer.add(node, scope, { kind: "function", name, isExported: isOpen, until: value.field("body") });
}

/** What JavaScript, TypeScript and TSX declare. */
export const ECMASCRIPT: Handlers = {
  export_statement: exported,
  ambient_declaration: through,
  expression_statement: statement,
  function_declaration: aFunction,
  generator_function_declaration: aFunction,
  function_signature: aFunction,
  function_expression: aFunction,
  arrow_function: aFunction,
  class_declaration: aClass,
  abstract_class_declaration: aClass,
  class: aClass,
  method_definition: aMethod,
  method_signature: aMethod,
  abstract_method_signature: aMethod,
  public_field_definition: field,
  field_definition: field,
  interface_declaration: aShape("interface"),
  type_alias_declaration: aShape("type"),
  enum_declaration: aShape("type"),
  internal_module: aModule,
  module: aModule,
  lexical_declaration: variables,
  variable_declaration: variables,
};
