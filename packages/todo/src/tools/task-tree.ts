import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import type { Branch } from "../tasks/task-tree.js";
import { ID } from "./arguments.js";
import { cut } from "./shown.js";

/** A task in a tree. */
type ShownBranch = Pick<Branch, "id" | "status" | "priority" | "description" | "blocked" | "ready"> & {
  readonly children: ShownBranch[];
};

/** Shows tasks with their parts. */
export const taskTreeTool = (desk: Desk) =>
  tool({
    name: "task_tree",
    title: "Tree of tasks",
    description: "Shows tasks with those below them. Where some are left out, ask for a branch by its id.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: { ...ID, description: "Task at the top; all by default." },
        depth: { type: "integer", minimum: 0, maximum: 20, default: 5, description: "Levels below the top." },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 100, description: "Most tasks." },
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        trees: { type: "array", items: { type: "object" } },
        total: { type: "integer" },
        left_out: { type: "integer" },
      },
      required: ["trees", "total", "left_out"],
    },
    annotations: READS,
    async run(wish) {
      const { taskTree } = await import("../tasks/task-tree.js");
      const { trees, total, left_out: leftOut } = await taskTree(desk, wish);
      return { trees: trees.map(toShown), total, left_out: leftOut };
    },
  });

const toShown = ({ id, status, priority, description, blocked, ready, children }: Branch): ShownBranch => ({
  id,
  status,
  priority,
  description: cut(description, 80),
  blocked,
  ready,
  children: children.map(toShown),
});
