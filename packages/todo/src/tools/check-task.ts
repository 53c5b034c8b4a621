import { tool } from "@toolwright/engine";
import { RUNS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { ID } from "./arguments.js";
import { TASK } from "./output-schemas.js";

/** Looks whether a task is done. */
export const checkTaskTool = (desk: Desk) =>
  tool({
    name: "check_task",
    title: "Check a task",
    description: "Looks whether done_when of a task holds, and if so completes it with the evidence as its result.",
    toolset: "tasks",
    input: { type: "object", properties: { id: ID }, required: ["id"], additionalProperties: false },
    output: {
      type: "object",
      properties: { done: { type: "boolean" }, evidence: { type: "string" }, task: TASK },
      required: ["done", "evidence", "task"],
    },
    annotations: RUNS,
    async run({ id }, call) {
      const { checkTask } = await import("../tasks/check-task.js");
      const { done, evidence, task } = await checkTask(desk, { id, actor: actorOf(desk, call) }, call);
      return { done, evidence, task: { ...task } };
    },
  });
