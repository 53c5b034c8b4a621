import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { folderOf } from "./done-when.js";
import { fitting } from "./shown.js";

/** How many tasks are looked at for one page. */
const MOST = 200;

/** Writes tasks out as lines of JSON. */
export const exportTasksTool = (desk: Desk) =>
  tool({
    name: "export_tasks",
    title: "Export tasks",
    description: "Gives tasks as lines of JSON for import_tasks, in the order of their ids.",
    toolset: "exchange",
    input: {
      type: "object",
      properties: { after: { type: "string", description: "next.after of the page before." } },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        text: { type: "string" },
        count: { type: "integer" },
        next: { type: "object", properties: { after: { type: "string" } }, required: ["after"] },
      },
      required: ["text", "count"],
    },
    annotations: READS,
    async run({ after }, call) {
      const { exportTasks, idOf } = await import("../tasks/export-tasks.js");
      const { lines, next_after: next } = await exportTasks(desk, {
        after,
        limit: MOST,
        folder: folderOf(desk, call),
      });
      const shown = fitting(lines);
      const last = shown.at(-1);
      const end = shown.length < lines.length && last !== undefined ? idOf(last) : next;
      return {
        text: shown.map((line) => `${line}\n`).join(""),
        count: shown.length,
        ...(end !== undefined && { next: { after: end } }),
      };
    },
  });
