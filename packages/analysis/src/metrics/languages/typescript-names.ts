import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import { oneOf } from "./shape.js";

/** What gives its name to the functions inside. */
export const CONTAINERS = [
  "object",
  "class_declaration",
  "abstract_class_declaration",
  "class",
  "internal_module",
  "module",
] as const;
const isContainer = oneOf(...CONTAINERS);
const isField = oneOf("public_field_definition", "field_definition");
const isPlainName = oneOf("identifier", "shorthand_property_identifier_pattern");
/** What stands around a value and leaves it the same. */
const isWrapping = oneOf("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression");

/** The name of a function: its own, or that of what it is assigned to, as the language itself has it. */
export function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "class_static_block") return "(static)";
  const own = node.field("name");
  if (own === undefined) return assignedName(node, tree);
  const accessor = node.type === "method_definition" ? node.children.find(isAccessor)?.type : undefined;
  return accessor === undefined ? keyOf(tree, own) : `${accessor} ${keyOf(tree, own)}`;
}

/** The name of a class or namespace, and of an object that has one, for the functions inside. */
export function containerName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (!isContainer(node)) return undefined;
  if (node.type === "object") return assignedName(node, tree);
  const own = node.field("name");
  return own === undefined ? assignedName(node, tree) : keyOf(tree, own);
}

/** How a function calls itself: a method with `this`, anything else by its name. */
export function ownCall(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const name = nameOf(node, tree);
  if (name === undefined) return undefined;
  const isMember = node.type === "method_definition" || (node.field("name") === undefined && isKeyed(holderOf(node)));
  return isMember ? `this.${name}` : name;
}

/** Whether something is called on the object that a method lies in, or a static method on its class. */
export function isOwn(object: SyntaxNode, tree: SyntaxTree): boolean {
  if (object.type !== "identifier") return object.type === "this";
  const member = object.above("method_definition", "public_field_definition", "field_definition");
  const name = member?.children.some(({ type }) => type === "static")
    ? member.parent?.parent?.field("name")
    : undefined;
  return name !== undefined && tree.textOf(object) === tree.textOf(name);
}

const isAccessor = ({ type }: SyntaxNode): boolean => type === "get" || type === "set";

/** Whether something makes a value a member of an object. */
const isKeyed = (holder: SyntaxNode | undefined): boolean =>
  holder !== undefined &&
  (isField(holder) ||
    holder.type === "pair" ||
    (holder.type === "assignment_expression" && holder.field("left")?.type === "member_expression"));

/** The nearest thing above a value that may give it a name. */
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

/** What stands left of an assignment, without the words that only say where modules and classes keep things. */
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

/** The name that a key stands for: a string without its quotes, whether it stands in brackets or not. */
function keyOf(tree: SyntaxTree, key: SyntaxNode | undefined): string | undefined {
  if (key === undefined || key.type.endsWith("_pattern")) return undefined;
  const [inner] = key.type === "computed_property_name" ? key.named : [key];
  return inner?.type === "string" ? tree.textOf(inner).slice(1, -1) : tree.textOf(key);
}
