import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts.js";
import { all, spoken } from "./visit.js";

/** JavaScript, TypeScript and TSX: imports, exports from elsewhere, `import(…)` and `require(…)` of a literal. */
export function readEcmascriptImports(tree: SyntaxTree): readonly Import[] {
  return all(tree.root, "import_statement", "export_statement", "call_expression").flatMap((node): Import[] => {
    const from = spoken(tree, node.type === "call_expression" ? called(node) : sourceOf(node));
    if (from === undefined) return [];
    const isTypeOnly = node.type !== "call_expression" && node.children[1]?.type === "type";
    return [{ from, line: node.line, ...(isTypeOnly && { isTypeOnly }) }];
  });

  function called(node: SyntaxNode): SyntaxNode | undefined {
    const [what, given] = [node.children[0], node.children.at(-1)];
    const isImport = what?.type === "import" || (what?.type === "identifier" && tree.textOf(what) === "require");
    return isImport ? given?.named[0] : undefined;
  }
}

function sourceOf(node: SyntaxNode): SyntaxNode | undefined {
  const clause = node.named.find(({ type }) => type === "import_require_clause");
  return node.field("source") ?? clause?.field("source") ?? clause?.named.at(-1);
}
