import type { SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts.js";
import { all, spoken } from "./visit.js";

/** Go: the imports with the names that are taken from each, because a package is many files. */
export function readGoImports(tree: SyntaxTree): readonly Import[] {
  const taken = new Map<string, Set<string>>();
  for (const node of all(tree.root, "selector_expression", "qualified_type")) {
    const [of, , name] = node.children;
    if (of === undefined || name === undefined || of.children.length > 0) continue;
    const names = taken.get(tree.textOf(of)) ?? new Set();
    taken.set(tree.textOf(of), names.add(tree.textOf(name)));
  }
  return all(tree.root, "import_spec").flatMap((node): Import[] => {
    const from = spoken(tree, node.field("path"));
    if (from === undefined) return [];
    const alias = node.field("name");
    const names = taken.get(alias === undefined ? packageOf(from) : tree.textOf(alias));
    return [{ from, line: node.line, ...(names !== undefined && { names: [...names] }) }];
  });
}

/** The name of a package by its path: the last part that is not a version. */
function packageOf(path: string): string {
  const parts = path.split("/");
  const last = parts.at(-1) ?? "";
  return /^v\d+$/.test(last) && parts.length > 1 ? (parts.at(-2) ?? last) : last.replace(/\.v\d+$/, "");
}
