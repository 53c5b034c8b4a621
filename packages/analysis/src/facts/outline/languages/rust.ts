import type { SyntaxNode } from "@toolwright/kit/syntax";
import type { Declaration } from "../../facts.js";
import { type Handler, type Handlers, inside } from "../outline-writer.js";

const isOpen = (node: SyntaxNode): boolean => node.children.some(({ type }) => type === "visibility_modifier");

const declared =
  (kind: Declaration["kind"], until?: "body" | "value"): Handler =>
  (node, writer, scope) =>
    writer.add(node, scope, {
      kind,
      name: writer.text(node.field("name")),
      isExported: isOpen(node),
      ...(until !== undefined && { until: node.field(until) }),
    });

const aModule: Handler = (node, writer, scope) => {
  const [name, body] = [writer.text(node.field("name")), node.field("body")];
  if (body === undefined) return;
  writer.add(node, scope, { kind: "module", name, isExported: isOpen(node), until: body });
  writer.enter(body, inside(scope, name, isOpen(node)));
};

/** What a type does for a trait is told by the trait. */
const anImplementation: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("type"))?.replace(/[<\s].*$/s, "");
  writer.enter(node.field("body"), inside(scope, name, node.field("trait") === undefined));
};

/** What Rust declares. */
export const RUST: Handlers = {
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
  mod_item: aModule,
  impl_item: anImplementation,
};
