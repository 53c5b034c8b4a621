import type { SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts.js";
import { all, spoken } from "./visit.js";

/** C and C++: includes; those in pointed brackets keep them. */
export const readIncludes = (tree: SyntaxTree): readonly Import[] =>
  all(tree.root, "preproc_include").flatMap((node): Import[] => {
    const path = node.field("path");
    if (path === undefined) return [];
    const from = path.type === "system_lib_string" ? tree.textOf(path) : spoken(tree, path);
    return from === undefined ? [] : [{ from, line: node.line }];
  });

const RUBY = new Set(["require", "require_relative", "load", "autoload"]);

/** Ruby: what is required by a literal; what is relative begins with a dot. */
export const readRubyImports = (tree: SyntaxTree): readonly Import[] =>
  all(tree.root, "call").flatMap((node): Import[] => {
    const method = node.field("method");
    const word = method === undefined || node.field("receiver") !== undefined ? "" : tree.textOf(method);
    if (!RUBY.has(word)) return [];
    const from = spoken(tree, node.field("arguments")?.named.at(-1));
    if (from === undefined) return [];
    const isBare = word === "require_relative" && !from.startsWith(".");
    return [{ from: isBare ? `./${from}` : from, line: node.line }];
  });
