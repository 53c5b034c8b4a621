import { numberOf } from "@toolwright/kit/cli";
import { remark, say, sayJson } from "@toolwright/kit/terminal";
import { type Branch, taskTree } from "../tasks/get-task.js";
import type { Bench, Deed } from "./bench.js";
import { taskLine } from "./draw.js";
import { type Shorten, shortIds } from "./short-ids.js";

/** `toolwright task tree`: tasks with those below them. */
export const tree: Deed = async ({ todo, options, words: [id], screen }) => {
  const limit = numberOf(options, "--limit", 1, 10_000) ?? 500;
  const found = await taskTree(todo, { id, depth: numberOf(options, "--depth", 0, 100), limit });
  if (options["--json"]) return sayJson(found);
  if (found.trees.length === 0) return remark("No tasks.");
  const shorten = await shortIds(todo, idsOf(found.trees));
  const lines = found.trees.flatMap((top) => [taskLine(top, shorten, screen), ...below(top, "", shorten, screen)]);
  const more = found.left_out > 0 ? [screen.paint.faint(`and ${found.left_out} more; --limit shows more of them`)] : [];
  await say([...lines, ...more].join("\n"));
};

const idsOf = (branches: readonly Branch[]): string[] =>
  branches.flatMap(({ id, children }) => [id, ...idsOf(children)]);

function below(branch: Branch, indent: string, shorten: Shorten, screen: Bench["screen"]): string[] {
  return branch.children.flatMap((child, index) => {
    const isLast = index === branch.children.length - 1;
    const line = `${screen.paint.faint(`${indent}${isLast ? "└─" : "├─"}`)} ${taskLine(child, shorten, screen)}`;
    return [line, ...below(child, `${indent}${isLast ? "   " : "│  "}`, shorten, screen)];
  });
}
