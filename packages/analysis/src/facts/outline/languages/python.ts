import { type Handler, type Handlers, inside, through } from "../outline-writer.js";

/** Names with a low line in front are not for others; those of the language itself are known anyway. */
const isOpen = (name: string | undefined): boolean => name?.startsWith("_") === false || name === "__init__";

const aFunction: Handler = (node, writer, scope) => {
  const name = writer.text(node.field("name"));
  writer.add(node, scope, { kind: "function", name, isExported: isOpen(name), until: node.field("body") });
};

const aClass: Handler = (node, writer, scope) => {
  const [name, body] = [writer.text(node.field("name")), node.field("body")];
  writer.add(node, scope, { kind: "class", name, isExported: isOpen(name), until: body });
  writer.enter(body, inside(scope, name, isOpen(name)));
};

const assignment: Handler = (node, writer, scope) => {
  const [inner] = node.named;
  const name = writer.text(inner?.type === "assignment" ? inner.field("left") : undefined);
  if (inner === undefined || scope.names.length > 0 || name === undefined || !/^[A-Z][A-Z0-9_]*$/.test(name)) return;
  writer.add(inner, scope, { kind: "constant", name, isExported: true, until: inner.field("right") });
};

/** What Python declares. */
export const PYTHON: Handlers = {
  decorated_definition: through,
  if_statement: through,
  try_statement: through,
  else_clause: through,
  except_clause: through,
  block: through,
  function_definition: aFunction,
  class_definition: aClass,
  expression_statement: assignment,
};
