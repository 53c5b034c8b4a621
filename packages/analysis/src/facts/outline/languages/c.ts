import type { SyntaxNode } from "@toolwright/kit/syntax";
import type { Declaration } from "../../facts.js";
import { type Handler, type Handlers, inside, type OutlineWriter, type Scope, through } from "../outline-writer.js";

/** The declarator of a function inside those of what it returns. */
function functionIn(node: SyntaxNode): SyntaxNode | undefined {
  let inner = node.field("declarator");
  while (inner !== undefined && inner.type !== "function_declarator")
    inner = inner.field("declarator") ?? inner.named.find(({ type }) => type.endsWith("_declarator"));
  return inner;
}

/** What is static belongs to its file alone; in a class the last word on access counts. */
function isOpen(node: SyntaxNode, writer: OutlineWriter): boolean {
  if (node.children.some((each) => each.type === "storage_class_specifier" && writer.text(each) === "static"))
    return node.parent?.type === "field_declaration_list";
  if (node.parent?.type !== "field_declaration_list") return true;
  const before = node.parent.children.slice(0, node.parent.children.indexOf(node));
  const said = before.findLast(({ type }) => type === "access_specifier");
  const isClass = node.parent.parent?.type === "class_specifier";
  return said === undefined ? !isClass : writer.text(said)?.startsWith("public") === true;
}

const aFunction: Handler = (node, writer, scope) => {
  const declarator = functionIn(node);
  if (declarator === undefined) return aVariable(node, writer, scope);
  const name = writer.text(declarator.field("declarator"))?.replaceAll("::", ".").replaceAll(/\s/g, "");
  const until = node.field("body") ?? node.named.find(({ type }) => type === "field_initializer_list");
  writer.add(node, scope, { kind: "function", name, isExported: isOpen(node, writer), until });
};

function aVariable(node: SyntaxNode, writer: OutlineWriter, scope: Scope): void {
  const declarator = node.field("declarator");
  if (
    node.type !== "declaration" ||
    node.parent?.type === "field_declaration_list" ||
    declarator?.type !== "init_declarator"
  )
    return;
  const name = writer.text(declarator.field("declarator"))?.replaceAll(/^[*&\s]+|\[.*$/gs, "");
  const until = declarator.field("value");
  writer.add(node, scope, { kind: "constant", name, isExported: isOpen(node, writer), until });
}

const aShape =
  (kind: Declaration["kind"], role = "name"): Handler =>
  (node, writer, scope) => {
    if (role === "name" && node.field("body") === undefined && node.type !== "alias_declaration") return;
    writer.add(node, scope, { kind, name: writer.text(node.field(role)), isExported: true });
  };

const aClass: Handler = (node, writer, scope) => {
  const [name, body] = [writer.text(node.field("name")), node.field("body")];
  if (body === undefined) return;
  writer.add(node, scope, { kind: "class", name, isExported: isOpen(node, writer), until: body });
  writer.enter(body, inside(scope, name, isOpen(node, writer)));
};

const aMacro: Handler = (node, writer, scope) =>
  writer.add(node, scope, {
    kind: node.type === "preproc_def" ? "constant" : "function",
    name: writer.text(node.field("name")),
    isExported: true,
    until: node.field("value"),
  });

/** What C declares. */
export const C: Handlers = {
  preproc_ifdef: through,
  preproc_if: through,
  preproc_else: through,
  preproc_elif: through,
  linkage_specification: through,
  declaration_list: through,
  preproc_def: aMacro,
  preproc_function_def: aMacro,
  function_definition: aFunction,
  declaration: aFunction,
  type_definition: aShape("type", "declarator"),
  struct_specifier: aShape("class"),
  union_specifier: aShape("class"),
  enum_specifier: aShape("type"),
};

/** What C++ declares. */
export const CPP: Handlers = {
  ...C,
  template_declaration: through,
  namespace_definition: (node, writer, scope) =>
    writer.enter(node.field("body"), inside(scope, writer.text(node.field("name"))?.replaceAll("::", "."))),
  class_specifier: aClass,
  struct_specifier: aClass,
  field_declaration: aFunction,
  alias_declaration: aShape("type"),
};
