import type { SyntaxTree } from "../../../syntax/parse.js";
import type { SyntaxNode } from "../../../syntax/syntax-node.js";
import type { Increment } from "./measures.js";
import type { Rules } from "./rules.js";

/** McCabe's number: one, and one for each decision. What lies in functions of their own counts there. */
export function cyclomatic(rules: Rules, tree: SyntaxTree, root: SyntaxNode): readonly Increment[] {
  const increments: Increment[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node !== root && rules.functionKind(node, tree) === "function") continue;
    const reason = rules.decision(node, tree);
    if (reason !== undefined) increments.push({ metric: "cyclomatic", line: node.line, adds: 1, reason });
    open.push(...node.children);
  }
  return increments;
}
