import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Rules } from "../rules.js";
import { cognition, decision, declaratorOf, isDefinition, logicalOperator, parametersOf } from "./c.js";
import { calledAround, takenBy } from "./own-calls.js";
import { closesTypes, oneOf, textOf, tokenBy } from "./shape.js";

const isType = oneOf("class_specifier", "struct_specifier", "union_specifier");
const wholeTokens = tokenBy(
  oneOf("string_literal", "raw_string_literal", "char_literal", "system_lib_string", "sized_type_specifier", "null"),
);

/** C++: lambdas count to the function around them; methods of local classes stand on their own. */
export const CPP: Rules = {
  functionKind(node, tree) {
    if (node.type === "lambda_expression") return "lambda";
    return isDefinition(node, tree) ? "function" : undefined;
  },
  nameOf,
  containerName(node, tree) {
    if (isType(node) || node.type === "namespace_definition") return toName(textOf(tree, node.field("name")));
    // A class with a macro before its name is taken for a function without parameters.
    const isClass = node.type === "function_definition" && node.children.some(isType) && !isDefinition(node, tree);
    return isClass ? toName(textOf(tree, node.field("declarator"))) : undefined;
  },
  parametersOf: (node, tree) => parametersOf(node, tree).length,
  decision,
  cognition,
  logicalOperator,
  calledName,
  token: (node) => (closesTypes(node) ? "nothing" : wholeTokens(node)),
};

function nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type === "lambda_expression")
    return node.parent?.type === "init_declarator" ? textOf(tree, node.parent.field("declarator")) : undefined;
  const declarator = declaratorOf(node);
  if (declarator?.type !== "operator_cast") return toName(textOf(tree, declarator?.field("declarator")));
  const scope = declarator.parent?.type === "qualified_identifier" ? declarator.parent.field("scope") : undefined;
  const name = `operator ${textOf(tree, declarator.field("type"))}`;
  return scope === undefined ? name : `${toName(tree.textOf(scope))}.${name}`;
}

/** `Stack<T>::push` as `Stack.push`; operators keep their signs. */
function toName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, path = "", last = text] = /^(.*::)?\s*(operator\b.*|[^:]*)$/su.exec(text) ?? [];
  let plain = path;
  for (let longer = ""; longer !== plain; ) {
    longer = plain;
    plain = plain.replaceAll(/<[^<>]*>/gu, "");
  }
  const name = last.startsWith("operator") ? last.replaceAll(/\s+(?=\W)/gu, "") : last.replace(/<.*$/su, "");
  return `${plain}${name}`.replace(/^::/u, "").replaceAll(/\s*::\s*/gu, ".");
}

/** A method calls itself by its name, through `this`, or by the name of its class; `Base::push()` is another. */
function calledName(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  if (node.type !== "call_expression") return undefined;
  const called = node.field("function");
  const name = calledIn(called, tree);
  if (name === undefined) return undefined;
  const parts = name.split(".");
  const own = { name: parts.at(-1) ?? name, given: node.field("arguments")?.named.length ?? 0 };
  const isFunction = (around: SyntaxNode): boolean => isDefinition(around, tree);
  const found = calledAround(tree, node, own, { isFunction, nameOf, taken });
  if (found === undefined || parts.length === 1) return found;
  const home = found.includes(".") ? found : `${classAround(node, tree)}.${found}`;
  return home.endsWith(name) ? found : undefined;
}

function calledIn(called: SyntaxNode | undefined, tree: SyntaxTree): string | undefined {
  if (called?.type === "identifier" || called?.type === "qualified_identifier" || called?.type === "template_function")
    return toName(tree.textOf(called));
  const isOwn = called?.type === "field_expression" && called.field("argument")?.type === "this";
  return isOwn ? toName(textOf(tree, called?.field("field"))) : undefined;
}

function classAround(node: SyntaxNode, tree: SyntaxTree): string | undefined {
  const type = node.above("class_specifier", "struct_specifier", "union_specifier");
  return toName(textOf(tree, type?.field("name")));
}

const taken = (node: SyntaxNode, tree: SyntaxTree) =>
  takenBy(
    parametersOf(node, tree),
    oneOf("optional_parameter_declaration"),
    oneOf("variadic_parameter_declaration", "variadic_parameter", "..."),
  );
