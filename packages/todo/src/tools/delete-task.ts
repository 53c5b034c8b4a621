import { tool } from "@toolwright/engine";
import { REPLACES } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { ID } from "./arguments.js";
import { fitting } from "./shown.js";

/** Deletes a task. */
export const deleteTaskTool = (desk: Desk) =>
  tool({
    name: "delete_task",
    title: "Delete a task",
    description: "Deletes a task; undo_last_task brings it back.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: ID,
        cascade: { type: "boolean", default: false, description: "Delete all below it too." },
      },
      required: ["id"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        deleted: { type: "string" },
        also: { type: "array", items: { type: "string" } },
        total: { type: "integer" },
      },
      required: ["deleted", "also", "total"],
    },
    annotations: REPLACES,
    async run(wish, call) {
      const { deleteTask } = await import("../tasks/delete-task.js");
      const { deleted } = await deleteTask(desk, { ...wish, actor: actorOf(desk, call) });
      const [named = "", ...others] = deleted;
      return { deleted: named, also: [...fitting(others)], total: deleted.length };
    },
  });
