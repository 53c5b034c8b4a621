import { tool } from "@toolwright/engine";
import { CHANGES, CHANGES_ONCE, REPLACES } from "../annotations.js";
import type { TodoContext } from "../todo-context.js";
import { actorOf, readCheck } from "./caller.js";
import { fitting } from "./results.js";
import {
  BLOCKER,
  BLOCKER_PAIR,
  DONE_WHEN,
  DONE_WHEN_OR_NULL,
  ID,
  PRIORITY,
  REASON,
  STATUS,
  TASK,
  taskWith,
} from "./schemas.js";

/** Makes a task. */
export const createTaskTool = (todo: TodoContext) =>
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
        priority: { ...PRIORITY, default: todo.settings.priority },
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
    async run({ done_when: check, ...options }, call) {
      const { createTask } = await import("../tasks/edit-tasks.js");
      const done_when = check === undefined ? undefined : await readCheck(todo, check, call);
      return { ...(await createTask(todo, { ...options, actor: actorOf(todo, call), done_when })) };
    },
  });

/** Changes a task. */
export const updateTaskTool = (todo: TodoContext) =>
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
    async run({ done_when: check, ...options }, call) {
      const { updateTask } = await import("../tasks/edit-tasks.js");
      const done_when = check === undefined || check === null ? check : await readCheck(todo, check, call);
      const { task, warnings } = await updateTask(todo, { ...options, actor: actorOf(todo, call), done_when });
      return { ...task, ...(warnings.length > 0 && { warnings: [...warnings] }) };
    },
  });

/** Deletes a task. */
export const deleteTaskTool = (todo: TodoContext) =>
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
    async run(options, call) {
      const { deleteTask } = await import("../tasks/edit-tasks.js");
      const { deleted } = await deleteTask(todo, { ...options, actor: actorOf(todo, call) });
      const [named = "", ...others] = deleted;
      return { deleted: named, also: [...fitting(others)], total: deleted.length };
    },
  });

/** Makes a task wait for another. */
export const addBlockerTool = (todo: TodoContext) =>
  tool({
    name: "add_blocker",
    title: "Add a blocker",
    description: "Makes a task wait until another is completed. Circles are refused.",
    toolset: "tasks",
    input: BLOCKER_PAIR,
    output: BLOCKER,
    annotations: CHANGES_ONCE,
    async run(options, call) {
      const { addBlocker } = await import("../tasks/blockers.js");
      return { ...(await addBlocker(todo, { ...options, actor: actorOf(todo, call) })), status: "added" };
    },
  });

/** Lets a task no longer wait for another. */
export const removeBlockerTool = (todo: TodoContext) =>
  tool({
    name: "remove_blocker",
    title: "Remove a blocker",
    description: "Lets a task no longer wait for another.",
    toolset: "tasks",
    input: BLOCKER_PAIR,
    output: BLOCKER,
    annotations: CHANGES_ONCE,
    async run(options, call) {
      const { removeBlocker } = await import("../tasks/blockers.js");
      return { ...(await removeBlocker(todo, { ...options, actor: actorOf(todo, call) })), status: "removed" };
    },
  });
