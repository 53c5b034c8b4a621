import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts.js";
import { all } from "./visit.js";

/** Python: `import a.b` and `from .a import b`, with the names, because they can be modules. */
export function readPythonImports(tree: SyntaxTree): readonly Import[] {
  return all(tree.root, "import_statement", "import_from_statement").flatMap((node): Import[] => {
    const names = node.fields("name").map(nameOf);
    const more = { line: node.line, ...(isForTypes(node) && { isTypeOnly: true }) };
    const module = node.field("module_name");
    if (module === undefined) return names.map((from) => ({ from, ...more }));
    return [{ from: tree.textOf(module).replaceAll(/\s/g, ""), ...more, ...(names.length > 0 && { names }) }];
  });

  function nameOf(node: SyntaxNode): string {
    const name = node.type === "aliased_import" ? (node.field("name") ?? node) : node;
    return tree.textOf(name).replaceAll(/\s/g, "");
  }

  function isForTypes(node: SyntaxNode): boolean {
    const condition = node.above("if_statement")?.field("condition");
    return condition !== undefined && /\bTYPE_CHECKING$/.test(tree.textOf(condition));
  }
}
