import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { TASKS } from "./output-schemas.js";
import { toPage } from "./page.js";

/** Lists what somebody could start now. */
export const readyTasksTool = (desk: Desk) =>
  tool({
    name: "ready_tasks",
    title: "Tasks that are ready",
    description: "Lists what can be started now, in the order in which claim_task takes them.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        limit: { type: "integer", minimum: 1, maximum: 500, default: 10, description: "Most tasks." },
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
      return toPage(await listTasks(desk, { ...wish, ready_only: true, oldest_first: true }));
    },
  });
