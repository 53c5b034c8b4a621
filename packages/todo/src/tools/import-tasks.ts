import { tool } from "@toolwright/engine";
import { REPLACES } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { folderOf } from "./done-when.js";

/** Takes lines of JSON in. */
export const importTasksTool = (desk: Desk) =>
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
    async run(wish, call) {
      const { importTasks } = await import("../tasks/import-tasks.js");
      const asked = { ...wish, folder: folderOf(desk, call), actor: actorOf(desk, call) };
      return { ...(await importTasks(desk, asked)) };
    },
  });
