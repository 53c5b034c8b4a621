import { tool } from "@toolwright/engine";
import { CHANGES } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { DONE_WHEN, ID, PRIORITY } from "./arguments.js";
import { readCheck } from "./done-when.js";
import { TASK } from "./output-schemas.js";

/** Makes a task. */
export const createTaskTool = (desk: Desk) =>
  tool({
    name: "create_task",
    title: "Create a task",
    description: "Creates a task.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        description: { type: "string", minLength: 1, maxLength: 10_000, description: "What is to be done." },
        parent_id: { ...ID, description: "Task that it is part of." },
        priority: { ...PRIORITY, default: desk.settings.priority },
        context: { type: "string", maxLength: 50_000, description: "What one must know to do it." },
        blocked_by: {
          type: "array",
          items: { type: "string" },
          maxItems: 100,
          description: "Tasks that it waits for.",
        },
        done_when: DONE_WHEN,
      },
      required: ["description"],
      additionalProperties: false,
    },
    output: TASK,
    annotations: CHANGES,
    async run({ done_when: check, ...wish }, call) {
      const { createTask } = await import("../tasks/create-task.js");
      const done_when = check === undefined ? undefined : await readCheck(desk, check, call);
      return { ...(await createTask(desk, { ...wish, actor: actorOf(desk, call), done_when })) };
    },
  });
