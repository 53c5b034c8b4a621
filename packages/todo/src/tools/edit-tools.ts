import { type JsonObject, tool } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { CREATE, DELETE, UPDATE } from "@toolwright/kit/pack";
import type { TodoContext } from "../todo-context.js";
import { actorOf, normalizeCondition, readCondition } from "./caller.js";
import { BLOCKER, BLOCKER_PAIR, ID, PRIORITY, REASON, STATUS, TASK, taskWith } from "./schemas.js";

const DESCRIPTION = { type: "string", description: "What to do." } as const;
const CONTEXT = { type: "string", description: "Background information." } as const;

/** Creates a task. */
export const createTaskTool = (todo: TodoContext) =>
  tool({
    name: "create_task",
    title: "Create a task",
    description: "Creates a task.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        description: DESCRIPTION,
        parent_id: { type: "string", description: "Parent task." },
        priority: { ...PRIORITY, default: todo.settings.priority },
        context: CONTEXT,
        blocked_by: {
          type: "array",
          items: { type: "string" },
          description: "Ids of tasks to complete first.",
        },
        done_when: {
          type: "object",
          properties: {
            path: { type: "string", description: "File that must exist." },
            command: {
              type: "array",
              items: { type: "string" },
              description: "Program and arguments that must exit with 0.",
            },
          },
          description: "path or command, for check_task.",
        },
      },
      required: ["description"],
      additionalProperties: false,
    },
    output: TASK,
    annotations: CREATE,
    normalizeInput: normalizeCondition,
    async run({ done_when: condition, ...options }, call) {
      const { createTask } = await import("../tasks/edit-tasks.js");
      const done_when = condition === undefined ? undefined : await readCondition(todo, condition, call);
      return { ...(await createTask(todo, { ...options, actor: actorOf(todo, call), done_when })) };
    },
  });

/** Changes a task. */
export const updateTaskTool = (todo: TodoContext) =>
  tool({
    name: "update_task",
    title: "Update a task",
    description: "Changes the given fields of a task.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: ID,
        description: DESCRIPTION,
        priority: PRIORITY,
        status: { ...STATUS, description: "New state; pending releases a claim." },
        context: CONTEXT,
        result: { type: "string", description: "Outcome, or why it failed." },
        parent_id: { type: ["string", "null"], description: "New parent; null for none." },
        done_when: { type: ["object", "null"], description: "As in create_task; null removes it." },
        expected_version: { type: "integer", description: "Fail if the version differs." },
        reason: REASON,
      },
      required: ["id"],
      additionalProperties: false,
    },
    output: taskWith({ warnings: { type: "array", items: { type: "string" } } }),
    annotations: UPDATE,
    normalizeInput: normalizeCondition,
    async run({ done_when: condition, ...options }, call) {
      const { updateTask } = await import("../tasks/edit-tasks.js");
      const done_when = condition ? await readCondition(todo, condition as JsonObject, call) : condition;
      const { task, warnings } = await updateTask(todo, { ...options, actor: actorOf(todo, call), done_when });
      return { ...task, ...(warnings.length > 0 && { warnings: [...warnings] }) };
    },
  });

/** Deletes a task. */
export const deleteTaskTool = (todo: TodoContext) =>
  tool({
    name: "delete_task",
    title: "Delete a task",
    description: "Deletes a task.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: ID,
        cascade: { type: "boolean", description: "Delete its subtasks too." },
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
    annotations: DELETE,
    async run(options, call) {
      const { deleteTask } = await import("../tasks/edit-tasks.js");
      const { deleted } = await deleteTask(todo, { ...options, actor: actorOf(todo, call) });
      const [first = "", ...others] = deleted;
      return { deleted: first, also: fitToBudget(others), total: deleted.length };
    },
  });

/** Adds a blocker. */
export const addBlockerTool = (todo: TodoContext) =>
  tool({
    name: "add_blocker",
    title: "Add a blocker",
    description: "Blocks a task until another one is completed.",
    toolset: "tasks",
    input: BLOCKER_PAIR,
    output: BLOCKER,
    annotations: UPDATE,
    async run(options, call) {
      const { addBlocker } = await import("../tasks/blockers.js");
      return { ...(await addBlocker(todo, { ...options, actor: actorOf(todo, call) })), status: "added" };
    },
  });

/** Removes a blocker. */
export const removeBlockerTool = (todo: TodoContext) =>
  tool({
    name: "remove_blocker",
    title: "Remove a blocker",
    description: "Removes a blocker of a task.",
    toolset: "tasks",
    input: BLOCKER_PAIR,
    output: BLOCKER,
    annotations: UPDATE,
    async run(options, call) {
      const { removeBlocker } = await import("../tasks/blockers.js");
      return { ...(await removeBlocker(todo, { ...options, actor: actorOf(todo, call) })), status: "removed" };
    },
  });
