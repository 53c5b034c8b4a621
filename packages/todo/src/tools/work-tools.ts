import { tool } from "@toolwright/engine";
import { CHANGES, REPLACES, RUNS } from "../annotations.js";
import type { TodoContext } from "../todo-context.js";
import { actorOf, needsActor } from "./caller.js";
import { fitting, toListedEntry } from "./results.js";
import { ACTOR, HISTORY, ID, REASON, TASK } from "./schemas.js";

/** Takes a task, so that nobody else does. */
export const claimTaskTool = (todo: TodoContext) =>
  tool({
    name: "claim_task",
    title: "Claim a task",
    description: "Takes a task for you alone and starts it. Claim it again before the lease ends to keep it.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: { ...ID, description: "Task id; the most urgent ready task by default." },
        actor: ACTOR,
        lease_s: {
          type: "integer",
          minimum: 1,
          maximum: 86_400,
          default: todo.settings.lease_s,
          description: "Seconds until others may take it.",
        },
      },
      required: [],
      additionalProperties: false,
    },
    output: TASK,
    annotations: CHANGES,
    async run(options, call) {
      const { claimTask } = await import("../tasks/claims.js");
      return { ...(await claimTask(todo, { ...options, actor: needsActor(actorOf(todo, call, options.actor)) })) };
    },
  });

/** Gives a task back. */
export const releaseTaskTool = (todo: TodoContext) =>
  tool({
    name: "release_task",
    title: "Release a task",
    description: "Gives a claimed task back; it is pending again.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: { id: ID, actor: ACTOR, reason: REASON },
      required: ["id"],
      additionalProperties: false,
    },
    output: TASK,
    annotations: CHANGES,
    async run(options, call) {
      const { releaseTask } = await import("../tasks/claims.js");
      return { ...(await releaseTask(todo, { ...options, actor: needsActor(actorOf(todo, call, options.actor)) })) };
    },
  });

/** Looks whether a task is done. */
export const checkTaskTool = (todo: TodoContext) =>
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
      const { checkTask } = await import("../tasks/done-condition.js");
      const { done, evidence, task } = await checkTask(todo, { id, actor: actorOf(todo, call) }, call);
      return { done, evidence, task: { ...task } };
    },
  });

/** Takes the last deed back. */
export const undoLastTool = (todo: TodoContext, hasUndo: boolean) =>
  tool({
    name: "undo_last_task",
    title: "Undo the last change of a task",
    description: "Takes back the last change of tasks that was not taken back yet.",
    toolset: "tasks",
    ...(hasUndo && { aliases: ["undo_last"] }),
    input: {
      type: "object",
      properties: {
        by: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "Whose change; yours by default, * anybody's.",
        },
        reason: REASON,
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { undone: HISTORY, total: { type: "integer" } },
      required: ["undone", "total"],
    },
    annotations: REPLACES,
    async run({ by, reason }, call) {
      const { undoLast } = await import("../tasks/undo-last.js");
      const actor = actorOf(todo, call);
      const { undone } = await undoLast(todo, { by: by === "*" ? undefined : (by ?? actor), actor, reason });
      return { undone: [...fitting(undone.map(toListedEntry))], total: undone.length };
    },
  });
