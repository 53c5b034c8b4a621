import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { ID } from "./arguments.js";
import { HISTORY } from "./output-schemas.js";
import { fitting, toListedEntry } from "./shown.js";

/** Shows what has happened. */
export const taskHistoryTool = (desk: Desk) =>
  tool({
    name: "task_history",
    title: "History of tasks",
    description: "Shows who changed what, newest first.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: { ...ID, description: "Task id, also of a deleted one; all tasks by default." },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 20, description: "Most events." },
        before: { type: "integer", minimum: 1, description: "next_before of the page before." },
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { events: HISTORY, next_before: { type: "integer" } },
      required: ["events"],
    },
    annotations: READS,
    async run(wish) {
      const { taskHistory } = await import("../tasks/history.js");
      const { events, next_before: next } = await taskHistory(desk, wish);
      const shown = fitting(events.map(toListedEntry));
      const before = shown.length < events.length ? shown.at(-1)?.seq : next;
      return { events: [...shown], ...(before !== undefined && { next_before: before }) };
    },
  });
