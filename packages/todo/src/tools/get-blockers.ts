import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { ID } from "./arguments.js";
import { TASKS } from "./output-schemas.js";
import { fitting, toListed } from "./shown.js";

/** Shows what a task waits for. */
export const getBlockersTool = (desk: Desk) =>
  tool({
    name: "get_blockers",
    title: "Blockers of a task",
    description: "Lists the tasks that one waits for, nearest first.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        task_id: ID,
        transitive: { type: "boolean", default: false, description: "Also those that they wait for." },
        direction: {
          type: "string",
          enum: ["blocked_by", "blocking"],
          default: "blocked_by",
          description: "blocking: those that wait for it.",
        },
        offset: { type: "integer", minimum: 0, default: 0, description: "next.offset of the page before." },
      },
      required: ["task_id"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        tasks: TASKS,
        total: { type: "integer" },
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
      },
      required: ["tasks", "total"],
    },
    annotations: READS,
    async run({ offset, ...wish }) {
      const { getBlockers } = await import("../tasks/blockers.js");
      const { tasks } = await getBlockers(desk, wish);
      const shown = fitting(tasks.slice(offset).map(toListed));
      const end = offset + shown.length;
      return { tasks: [...shown], total: tasks.length, ...(end < tasks.length && { next: { offset: end } }) };
    },
  });
