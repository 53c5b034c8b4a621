import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts.js";
import { visit } from "./visit.js";

/** Rust: `use`, `mod x;` as `self::x`, and paths that begin with `crate` or `super`; all as seen from the module of the file. */
export function readRustImports(tree: SyntaxTree): readonly Import[] {
  const found = new Map<string, Import>();
  visit(tree.root, (node) => {
    if (node.type === "use_declaration") {
      for (const path of pathsOf(node.field("argument"))) add(path, node);
      return false;
    }
    if (node.type === "extern_crate_declaration") add(textOf(node.field("name")), node);
    if (node.type === "mod_item" && node.field("body") === undefined) add(`self::${textOf(node.field("name"))}`, node);
    if (node.type !== "scoped_identifier" && node.type !== "scoped_type_identifier") return true;
    const path = textOf(node);
    if (/^(?:crate|super)::/.test(path)) add(path, node);
    return false;
  });
  return [...found.values()];

  function add(path: string, node: SyntaxNode): void {
    const from = seenFromFile(path.replaceAll(/\s/g, ""), modulesAround(node));
    if (from !== "" && !found.has(from)) found.set(from, { from, line: node.line });
  }

  function textOf(node: SyntaxNode | undefined): string {
    return node === undefined ? "" : tree.textOf(node);
  }

  function modulesAround(node: SyntaxNode): string[] {
    const names: string[] = [];
    for (let around = node.above("mod_item"); around !== undefined; around = around.above("mod_item"))
      names.unshift(textOf(around.field("name")));
    return names;
  }

  /** The paths that a tree of `use` stands for. */
  function pathsOf(node: SyntaxNode | undefined): string[] {
    if (node === undefined) return [];
    if (node.type === "use_as_clause") return pathsOf(node.field("path"));
    if (node.type === "use_wildcard") return [`${textOf(node.named[0])}::*`];
    if (node.type === "use_list") return node.named.flatMap(pathsOf);
    if (node.type !== "scoped_use_list") return [textOf(node)];
    const start = textOf(node.field("path"));
    return pathsOf(node.field("list")).map((path) => (path === "self" ? start : `${start}::${path}`));
  }
}

/** A path that is written inside modules of the file, as it would be written outside of them. */
function seenFromFile(path: string, around: readonly string[]): string {
  const steps = path.split("::");
  if (around.length === 0 || !["self", "super"].includes(steps[0] ?? "")) return path;
  const inside = [...around];
  while (steps[0] === "super" && inside.length > 0) {
    inside.pop();
    steps.shift();
  }
  if (steps[0] === "super") return steps.join("::");
  if (steps[0] === "self") steps.shift();
  return ["self", ...inside, ...steps].join("::");
}
