import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { DONE_WHEN_OR_NULL, ID, PRIORITY, REASON, STATUS } from "./arguments.js";
import { readCheck } from "./done-when.js";
import { taskWith } from "./output-schemas.js";

/** Changes a task. */
export const updateTaskTool = (desk: Desk) =>
  tool({
    name: "update_task",
    title: "Update a task",
    description: "Changes what is named of a task. Opening a completed or failed one again needs a reason.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: ID,
        description: { type: "string", minLength: 1, maxLength: 10_000, description: "What is to be done." },
        priority: PRIORITY,
        status: STATUS,
        context: { type: "string", maxLength: 50_000, description: "What one must know to do it." },
        result: { type: "string", maxLength: 50_000, description: "What came of it." },
        parent_id: { type: ["string", "null"], description: "Task that it is part of; null: none." },
        done_when: DONE_WHEN_OR_NULL,
        expected_version: { type: "integer", description: "Refuse if it has changed since this version." },
        reason: REASON,
      },
      required: ["id"],
      additionalProperties: false,
    },
    output: taskWith({ warnings: { type: "array", items: { type: "string" } } }),
    annotations: CHANGES_ONCE,
    async run({ done_when: check, ...wish }, call) {
      const { updateTask } = await import("../tasks/update-task.js");
      const done_when = check === undefined || check === null ? check : await readCheck(desk, check, call);
      const { task, warnings } = await updateTask(desk, { ...wish, actor: actorOf(desk, call), done_when });
      return { ...task, ...(warnings.length > 0 && { warnings: [...warnings] }) };
    },
  });
