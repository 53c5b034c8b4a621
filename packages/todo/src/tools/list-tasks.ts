import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { ID, STATUS } from "./arguments.js";
import { TASKS } from "./output-schemas.js";
import { toPage } from "./page.js";

/** Lists tasks. */
export const listTasksTool = (desk: Desk) =>
  tool({
    name: "list_tasks",
    title: "List tasks",
    description: "Lists tasks, most urgent first, then newest. Long texts are cut; get_task has all.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        status: STATUS,
        parent_id: { ...ID, description: "Only its children." },
        ready_only: { type: "boolean", default: false, description: "Only what can be started now." },
        limit: { type: "integer", minimum: 1, maximum: 500, default: 50, description: "Most tasks." },
        cursor: { type: "string", description: "next_cursor of the page before." },
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { tasks: TASKS, total: { type: "integer" }, next_cursor: { type: "string" } },
      required: ["tasks", "total"],
    },
    annotations: READS,
    async run(wish) {
      const { listTasks } = await import("../tasks/list-tasks.js");
      return toPage(await listTasks(desk, wish));
    },
  });
