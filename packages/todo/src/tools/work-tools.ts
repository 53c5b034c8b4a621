import { tool } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { CREATE, CURSOR, OVERWRITE, READ, REPLACE, RUN, UPDATE } from "@toolwright/kit/pack";
import type { TodoContext } from "../todo-context.js";
import { actorOf, folderOf, requireActor } from "./caller.js";
import { toListedEntry } from "./results.js";
import { ACTOR, HISTORY, ID, REASON, TASK } from "./schemas.js";

/** Reserves a task. */
export const claimTaskTool = (todo: TodoContext) =>
  tool({
    name: "claim_task",
    title: "Claim a task",
    description: "Starts a task and reserves it for you; call again to extend the lease.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: { type: "string", description: "Default: the most urgent ready task." },
        actor: ACTOR,
        lease_s: {
          type: "integer",
          minimum: 1,
          default: todo.settings.leaseSeconds,
          description: "Lease in seconds.",
        },
      },
      additionalProperties: false,
    },
    output: TASK,
    annotations: CREATE,
    async run(options, call) {
      const { claimTask } = await import("../tasks/claims.js");
      return { ...(await claimTask(todo, { ...options, actor: requireActor(todo, call, options.actor) })) };
    },
  });

/** The earlier name for `update_task` with the status `pending`. */
export const releaseTaskTool = (todo: TodoContext) =>
  tool({
    name: "release_task",
    title: "Release a task",
    description: "Gives a claimed task back, so that others can claim it.",
    toolset: "tasks",
    replacedBy: "update_task",
    input: {
      type: "object",
      properties: { id: ID, actor: ACTOR, reason: REASON },
      required: ["id"],
      additionalProperties: false,
    },
    output: TASK,
    annotations: UPDATE,
    async run(options, call) {
      const { releaseTask } = await import("../tasks/claims.js");
      return { ...(await releaseTask(todo, { ...options, actor: requireActor(todo, call, options.actor) })) };
    },
  });

/** Checks a done-condition. */
export const checkTaskTool = (todo: TodoContext) =>
  tool({
    name: "check_task",
    title: "Check a task",
    description:
      "Checks the done-condition (done_when) of a task. If it is met, completes the task with the evidence as its result.",
    toolset: "tasks-extra",
    input: { type: "object", properties: { id: ID }, required: ["id"], additionalProperties: false },
    output: {
      type: "object",
      properties: { done: { type: "boolean" }, evidence: { type: "string" }, task: TASK },
      required: ["done", "evidence", "task"],
    },
    annotations: RUN,
    async run({ id }, call) {
      const { checkTask } = await import("../tasks/done-condition.js");
      const { done, evidence, task } = await checkTask(todo, { id, actor: actorOf(todo, call) }, call);
      return { done, evidence, task: { ...task } };
    },
  });

/** Undoes the last change. */
export const undoLastTool = (todo: TodoContext, ownsUndo: boolean) =>
  tool({
    name: "undo_last_task",
    title: "Undo the last change of a task",
    description: "Undoes the last change of tasks that was not undone yet, including a deletion.",
    toolset: "tasks-extra",
    ...(ownsUndo && { aliases: ["undo_last"] }),
    input: {
      type: "object",
      properties: {
        by: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "Undo the last change of this actor; * for anybody. Default: yours.",
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
    annotations: REPLACE,
    async run({ by, reason }, call) {
      const { undoLast } = await import("../tasks/undo-last.js");
      const actor = actorOf(todo, call);
      const { undone } = await undoLast(todo, { by: by === "*" ? undefined : (by ?? actor), actor, reason });
      return { undone: fitToBudget(undone.map(toListedEntry)), total: undone.length };
    },
  });

/** How many tasks are read for one page. */
const EXPORT_PAGE = 200;

/** Exports tasks as lines of JSON. */
export const exportTasksTool = (todo: TodoContext) =>
  tool({
    name: "export_tasks",
    title: "Export tasks",
    description: "Returns all tasks as lines of JSON for import_tasks, by id, page by page.",
    toolset: "tasks-extra",
    input: { type: "object", properties: { cursor: CURSOR }, required: [], additionalProperties: false },
    output: {
      type: "object",
      properties: { text: { type: "string" }, count: { type: "integer" }, next_cursor: { type: "string" } },
      required: ["text", "count"],
    },
    annotations: READ,
    async run({ cursor }, call) {
      const { exportTasks } = await import("../tasks/exchange.js");
      const options = { after: cursor, limit: EXPORT_PAGE, folder: folderOf(todo, call) };
      const { lines, next_after: next } = await exportTasks(todo, options);
      const shown = fitToBudget(lines);
      const last = shown.at(-1);
      const end = shown.length < lines.length && last !== undefined ? idOf(last) : next;
      return {
        text: shown.map((line) => `${line}\n`).join(""),
        count: shown.length,
        ...(end !== undefined && { next_cursor: end }),
      };
    },
  });

const idOf = (line: string): string => (JSON.parse(line) as { readonly id: string }).id;

/** Imports tasks from lines of JSON. */
export const importTasksTool = (todo: TodoContext) =>
  tool({
    name: "import_tasks",
    title: "Import tasks",
    description: "Imports the lines that export_tasks returns: all of them, or none if one is invalid.",
    toolset: "tasks-extra",
    input: {
      type: "object",
      properties: {
        text: { type: "string", maxLength: 10_000_000, description: "One task per line, as JSON." },
        on_conflict: {
          type: "string",
          enum: ["newer", "replace", "keep"],
          default: "newer",
          description:
            "Which version of an existing task stays: the newer, the imported (replace) or the existing (keep).",
        },
        dry_run: { type: "boolean", default: false, description: "Only count what would change." },
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
    annotations: OVERWRITE,
    async run(options, call) {
      const { importTasks } = await import("../tasks/exchange.js");
      return {
        ...(await importTasks(todo, { ...options, folder: folderOf(todo, call), actor: actorOf(todo, call) })),
      };
    },
  });
