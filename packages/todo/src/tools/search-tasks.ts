import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { STATUS } from "./arguments.js";
import { TASKS } from "./output-schemas.js";
import { fitting, toListed } from "./shown.js";

/** Finds tasks by their words. */
export const searchTasksTool = (desk: Desk) =>
  tool({
    name: "search_tasks",
    title: "Search tasks",
    description: "Finds tasks with all these words in description, context or result, best first.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 500, description: "Words; the last may be incomplete." },
        status: STATUS,
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Most tasks." },
        offset: { type: "integer", minimum: 0, default: 0, description: "next.offset of the page before." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        tasks: TASKS,
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
      },
      required: ["tasks"],
    },
    annotations: READS,
    async run(wish) {
      const { searchTasks } = await import("../tasks/search-tasks.js");
      const { tasks } = await searchTasks(desk, { ...wish, limit: wish.limit + 1 });
      const shown = fitting(tasks.slice(0, wish.limit).map(toListed));
      return {
        tasks: [...shown],
        ...(shown.length < tasks.length && { next: { offset: wish.offset + shown.length } }),
      };
    },
  });
