import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { ID } from "./arguments.js";
import { HISTORY, TASKS, taskWith } from "./output-schemas.js";
import { fitting, toListed, toListedEntry } from "./shown.js";

/** How many bytes each of the things around a task may take. */
const PART = 9000;

/** Shows one task. */
export const getTaskTool = (desk: Desk) =>
  tool({
    name: "get_task",
    title: "Show a task",
    description: "Shows a task.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: ID,
        include: {
          type: "array",
          items: { type: "string", enum: ["children", "blockers", "history"] },
          default: [],
          description: "What else to show.",
        },
      },
      required: ["id"],
      additionalProperties: false,
    },
    output: taskWith({
      children: TASKS,
      blocked_by: TASKS,
      blocking: TASKS,
      history: HISTORY,
      see: { type: "string" },
    }),
    annotations: READS,
    async run(wish) {
      const { getTask } = await import("../tasks/get-task.js");
      const { children, blocked_by: blockedBy, blocking, history, ...task } = await getTask(desk, wish);
      const parts = {
        ...(children && { children: [...fitting(children.map(toListed), PART)] }),
        ...(blockedBy && { blocked_by: [...fitting(blockedBy.map(toListed), PART)] }),
        ...(blocking && { blocking: [...fitting(blocking.map(toListed), PART)] }),
        ...(history && { history: [...fitting(history.map(toListedEntry), PART)] }),
      };
      const isAll = [
        [children, parts.children],
        [blockedBy, parts.blocked_by],
        [blocking, parts.blocking],
        [history, parts.history],
      ].every(([all, shown]) => all?.length === shown?.length);
      return { ...task, ...parts, ...(!isAll && { see: `There are more: ${whereAll(task.id)}` }) };
    },
  });

const whereAll = (id: string): string =>
  `list_tasks {"parent_id":"${id}"}, get_blockers {"task_id":"${id}"} and task_history {"id":"${id}"} show all.`;
