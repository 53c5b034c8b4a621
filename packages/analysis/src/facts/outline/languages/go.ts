import type { SyntaxNode } from "@toolwright/kit/syntax";
import { type Handler, type Handlers, inside, through } from "../outline-writer.js";

const isOpen = (name: string | undefined): boolean => name !== undefined && /^\p{Lu}/u.test(name);

const aFunction: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("name"));
  const receiver = writer.text(node.field("receiver"));
  const owner = receiver === undefined ? undefined : /([\p{L}_][\p{L}\d_]*)\s*(?:\[.*)?\)$/su.exec(receiver)?.[1];
  writer.add(node, inside(scope, owner, owner === undefined || isOpen(owner)), {
    kind: "function",
    name,
    isExported: isOpen(name),
    until: node.field("body"),
  });
};

const KINDS: Readonly<Record<string, "class" | "interface">> = { struct_type: "class", interface_type: "interface" };

const aType: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("name"));
  const kind = KINDS[node.field("type")?.type ?? ""] ?? "type";
  writer.add(node, scope, { kind, name, isExported: isOpen(name), before: "type " });
};

const constants: Handler = (node, writer, scope) => {
  const before = `${wordOf(node)} `;
  for (const each of node.fields("name").filter(({ isNamed }) => isNamed)) {
    const name = writer.text(each);
    writer.add(node, scope, { kind: "constant", name, isExported: isOpen(name), until: node.field("value"), before });
  }
};

const wordOf = (node: SyntaxNode): string => (node.type === "const_spec" ? "const" : "var");

/** What Go declares. */
export const GO: Handlers = {
  function_declaration: aFunction,
  method_declaration: aFunction,
  type_declaration: through,
  type_spec: aType,
  type_alias: aType,
  const_declaration: through,
  const_spec: constants,
  var_declaration: through,
  var_spec_list: through,
  var_spec: constants,
};
