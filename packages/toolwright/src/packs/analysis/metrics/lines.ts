import type { SyntaxTree } from "../../../syntax/parse.js";
import type { SyntaxNode } from "../../../syntax/syntax-node.js";

/** Which lines below a node have code on them, and which have comments. */
export function linesOf(tree: SyntaxTree, root: SyntaxNode): { readonly code: number; readonly comments: number } {
  const code = new Set<number>();
  const comments = new Set<number>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!node.isComment && node.children.length > 0) {
      open.push(...node.children);
      continue;
    }
    const lines = node.isComment ? comments : code;
    // What the parser has put in takes no room.
    if (node.end === node.start) continue;
    const last = tree.endLine(node);
    for (let line = node.line; line <= last; line++) lines.add(line);
  }
  return { code: code.size, comments: comments.size };
}
