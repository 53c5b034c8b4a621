import { tool } from "@toolwright/engine";
import { READS, REPLACES } from "../annotations.js";
import type { TodoContext } from "../todo-context.js";
import { actorOf, folderOf } from "./caller.js";
import { fitting } from "./results.js";

/** How many tasks are looked at for one page. */
const MOST = 200;

/** Writes tasks out as lines of JSON. */
export const exportTasksTool = (todo: TodoContext) =>
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
      const { exportTasks, idOf } = await import("../tasks/exchange.js");
      const { lines, next_after: next } = await exportTasks(todo, {
        after,
        limit: MOST,
        folder: folderOf(todo, call),
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

/** Takes lines of JSON in. */
export const importTasksTool = (todo: TodoContext) =>
  tool({
    name: "import_tasks",
    title: "Import tasks",
    description: "Takes in lines as export_tasks gives them: all or none.",
    toolset: "exchange",
    input: {
      type: "object",
      properties: {
        text: { type: "string", description: "A task a line." },
        on_conflict: {
          type: "string",
          enum: ["newer", "replace", "keep"],
          default: "newer",
          description: "Which holds where a task is there already.",
        },
        dry_run: { type: "boolean", default: false, description: "Only say what would be done." },
      },
      required: ["text"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        created: { type: "integer" },
        updated: { type: "integer" },
        unchanged: { type: "integer" },
        kept: { type: "integer" },
        dry_run: { type: "boolean" },
      },
      required: ["created", "updated", "unchanged", "kept", "dry_run"],
    },
    annotations: { ...REPLACES, idempotentHint: true },
    async run(options, call) {
      const { importTasks } = await import("../tasks/exchange.js");
      const asked = { ...options, folder: folderOf(todo, call), actor: actorOf(todo, call) };
      return { ...(await importTasks(todo, asked)) };
    },
  });
