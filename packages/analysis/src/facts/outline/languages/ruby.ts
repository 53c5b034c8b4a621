import type { SyntaxNode } from "@toolwright/kit/syntax";
import { type Handler, type Handlers, inside, type OutlineWriter, through } from "../outline-writer.js";

const CLOSED = new Set(["private", "protected", "private_class_method"]);

/** Whether no word such as `private` stands alone above it. */
function isOpen(node: SyntaxNode, writer: OutlineWriter): boolean {
  const { parent } = node;
  if (parent === undefined) return true;
  if (parent.type === "argument_list") return !CLOSED.has(writer.text(parent.parent?.field("method")) ?? "");
  const before = parent.children.slice(0, parent.children.indexOf(node));
  const word = before.findLast(
    (each) => each.type === "identifier" && /^(?:public|private|protected)$/.test(writer.tree.textOf(each)),
  );
  return !CLOSED.has(writer.text(word) ?? "");
}

const aMethod: Handler = (node, writer, scope) => {
  const until = node.field("body") ?? node.children.find(({ type }) => type === "end");
  const name = writer.text(node.field("name"));
  const isPublic = node.type === "singleton_method" || isOpen(node, writer);
  writer.add(node, scope, { kind: "function", name, isExported: isPublic, until });
};

const container =
  (kind: "class" | "module"): Handler =>
  (node, writer, scope) => {
    const name = writer.text(node.field("name"))?.replaceAll("::", ".");
    const body = node.children.find(({ type }) => type === "body_statement");
    const until = body ?? node.children.find(({ type }) => type === "end");
    writer.add(node, scope, { kind, name, isExported: true, until });
    writer.enter(body, inside(scope, name));
  };

const constant: Handler = (node, writer, scope) => {
  const left = node.field("left");
  if (left?.type !== "constant") return;
  writer.add(node, scope, {
    kind: "constant",
    name: writer.text(left),
    isExported: true,
    until: node.field("right"),
  });
};

/** What Ruby declares. */
export const RUBY: Handlers = {
  module: container("module"),
  class: container("class"),
  singleton_class: (node, writer, scope) =>
    writer.enter(
      node.children.find(({ type }) => type === "body_statement"),
      scope,
    ),
  method: aMethod,
  singleton_method: aMethod,
  assignment: constant,
  call: through,
  argument_list: through,
};
