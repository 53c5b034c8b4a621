import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts.js";
import { all, spoken, typeNames, unsaid } from "./visit.js";

/** Java: types and packages by their names. */
export const readJavaImports = (tree: SyntaxTree): readonly Import[] => [
  ...all(tree.root, "import_declaration").map((node) => dotted(tree, node, ["scoped_identifier", "identifier"])),
  ...unsaid(typeNames(tree, "type_identifier", "identifier")),
];

/** Kotlin: types, functions and packages by their names. */
export const readKotlinImports = (tree: SyntaxTree): readonly Import[] => [
  ...all(tree.root, "import")
    .filter(({ children }) => children.length > 0)
    .map((node) => dotted(tree, node, ["qualified_identifier", "identifier"])),
  ...unsaid(typeNames(tree, "identifier")),
];

/** Swift: modules, which are many files. */
export const readSwiftImports = (tree: SyntaxTree): readonly Import[] => [
  ...all(tree.root, "import_declaration").map((node) => dotted(tree, node, ["identifier"])),
  ...unsaid(typeNames(tree, "type_identifier", "simple_identifier")),
];

/** C#: namespaces, which are many files. */
export const readCsharpImports = (tree: SyntaxTree): readonly Import[] => [
  ...all(tree.root, "using_directive").map((node): Import => {
    const name = node.named.at(-1);
    return { from: name === undefined ? "" : tree.textOf(name), line: node.line };
  }),
  ...unsaid(typeNames(tree, "identifier")),
];

/** PHP: names, and files that are required. */
export function readPhpImports(tree: SyntaxTree): readonly Import[] {
  const uses = all(tree.root, "namespace_use_clause").map((node): Import => {
    const group = node.above("namespace_use_declaration")?.named.find(({ type }) => type === "namespace_name");
    const prefix = group !== undefined && node.parent?.type === "namespace_use_group" ? `${tree.textOf(group)}\\` : "";
    const name = node.named.find(({ type }) => type === "qualified_name" || type === "name");
    return { from: `${prefix}${name === undefined ? "" : tree.textOf(name)}`, line: node.line };
  });
  const files = all(
    tree.root,
    "require_expression",
    "require_once_expression",
    "include_expression",
    "include_once_expression",
  ).flatMap((node): Import[] => {
    const [said] = all(node, "string", "encapsed_string");
    const from = spoken(tree, said);
    return from === undefined ? [] : [{ from: `./${from.replace(/^\.?\//, "")}`, line: node.line }];
  });
  return [...uses, ...files, ...unsaid(typeNames(tree, "name"))];
}

function dotted(tree: SyntaxTree, node: SyntaxNode, types: readonly string[]): Import {
  const name = node.named.find(({ type }) => types.includes(type));
  const text = name === undefined ? "" : tree.textOf(name).replaceAll(/\s/g, "");
  const isAll = /\*\s*;?\s*$/.test(tree.textOf(node));
  return { from: isAll ? `${text}.*` : text, line: node.line };
}
