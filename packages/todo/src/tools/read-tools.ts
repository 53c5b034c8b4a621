import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Branch } from "../tasks/get-task.js";
import type { TodoContext } from "../todo-context.js";
import { cut, fitting, toListed, toListedEntry, toPage } from "./results.js";
import { HISTORY, ID, STATUS, TASKS, taskWith } from "./schemas.js";

/** Lists tasks. */
export const listTasksTool = (todo: TodoContext) =>
  tool({
    name: "list_tasks",
    title: "List tasks",
    description: "Lists tasks, most urgent first, then newest. Long texts are cut; get_task has all.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        status: STATUS,
        parent_id: { ...ID, description: "Only its children." },
        ready_only: { type: "boolean", default: false, description: "Only what can be started now." },
        limit: { type: "integer", minimum: 1, maximum: 500, default: 50, description: "Most tasks." },
        cursor: { type: "string", description: "next_cursor of the page before." },
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { tasks: TASKS, total: { type: "integer" }, next_cursor: { type: "string" } },
      required: ["tasks", "total"],
    },
    annotations: READS,
    async run(options) {
      const { listTasks } = await import("../tasks/list-tasks.js");
      return toPage(await listTasks(todo, options));
    },
  });

/** Finds tasks by their words. */
export const searchTasksTool = (todo: TodoContext) =>
  tool({
    name: "search_tasks",
    title: "Search tasks",
    description: "Finds tasks with all these words in description, context or result, best first.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 500, description: "Words; the last may be incomplete." },
        status: STATUS,
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Most tasks." },
        offset: { type: "integer", minimum: 0, default: 0, description: "next.offset of the page before." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        tasks: TASKS,
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
      },
      required: ["tasks"],
    },
    annotations: READS,
    async run(options) {
      const { searchTasks } = await import("../tasks/search-tasks.js");
      const { tasks } = await searchTasks(todo, { ...options, limit: options.limit + 1 });
      const shown = fitting(tasks.slice(0, options.limit).map(toListed));
      return {
        tasks: [...shown],
        ...(shown.length < tasks.length && { next: { offset: options.offset + shown.length } }),
      };
    },
  });

/** Lists what somebody could start now. */
export const readyTasksTool = (todo: TodoContext) =>
  tool({
    name: "ready_tasks",
    title: "Tasks that are ready",
    description: "Lists what can be started now, in the order in which claim_task takes them.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        limit: { type: "integer", minimum: 1, maximum: 500, default: 10, description: "Most tasks." },
        cursor: { type: "string", description: "next_cursor of the page before." },
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { tasks: TASKS, total: { type: "integer" }, next_cursor: { type: "string" } },
      required: ["tasks", "total"],
    },
    annotations: READS,
    async run(options) {
      const { listTasks } = await import("../tasks/list-tasks.js");
      return toPage(await listTasks(todo, { ...options, ready_only: true, oldest_first: true }));
    },
  });

/** How many bytes each of the things around a task may take. */
const PART = 9000;

/** Shows one task. */
export const getTaskTool = (todo: TodoContext) =>
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
    async run(options) {
      const { getTask } = await import("../tasks/get-task.js");
      const { children, blocked_by: blockedBy, blocking, history, ...task } = await getTask(todo, options);
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

/** Shows what a task waits for. */
export const getBlockersTool = (todo: TodoContext) =>
  tool({
    name: "get_blockers",
    title: "Blockers of a task",
    description: "Lists the tasks that one waits for, nearest first.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        task_id: ID,
        transitive: { type: "boolean", default: false, description: "Also those that they wait for." },
        direction: {
          type: "string",
          enum: ["blocked_by", "blocking"],
          default: "blocked_by",
          description: "blocking: those that wait for it.",
        },
        offset: { type: "integer", minimum: 0, default: 0, description: "next.offset of the page before." },
      },
      required: ["task_id"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        tasks: TASKS,
        total: { type: "integer" },
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
      },
      required: ["tasks", "total"],
    },
    annotations: READS,
    async run({ offset, ...options }) {
      const { getBlockers } = await import("../tasks/blockers.js");
      const { tasks } = await getBlockers(todo, options);
      const shown = fitting(tasks.slice(offset).map(toListed));
      const end = offset + shown.length;
      return { tasks: [...shown], total: tasks.length, ...(end < tasks.length && { next: { offset: end } }) };
    },
  });

/** A task in a tree. */
type ShownBranch = Pick<Branch, "id" | "status" | "priority" | "description" | "blocked" | "ready"> & {
  readonly children: ShownBranch[];
};

/** Shows tasks with their parts. */
export const taskTreeTool = (todo: TodoContext) =>
  tool({
    name: "task_tree",
    title: "Tree of tasks",
    description: "Shows tasks with those below them. Where some are left out, ask for a branch by its id.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: { ...ID, description: "Task at the top; all by default." },
        depth: { type: "integer", minimum: 0, maximum: 20, default: 5, description: "Levels below the top." },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 100, description: "Most tasks." },
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        trees: { type: "array", items: { type: "object" } },
        total: { type: "integer" },
        left_out: { type: "integer" },
      },
      required: ["trees", "total", "left_out"],
    },
    annotations: READS,
    async run(options) {
      const { taskTree } = await import("../tasks/get-task.js");
      const { trees, total, left_out: leftOut } = await taskTree(todo, options);
      return { trees: trees.map(toShown), total, left_out: leftOut };
    },
  });

const toShown = ({ id, status, priority, description, blocked, ready, children }: Branch): ShownBranch => ({
  id,
  status,
  priority,
  description: cut(description, 80),
  blocked,
  ready,
  children: children.map(toShown),
});

/** Shows what has happened. */
export const taskHistoryTool = (todo: TodoContext) =>
  tool({
    name: "task_history",
    title: "History of tasks",
    description: "Shows who changed what, newest first.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: { ...ID, description: "Task id, also of a deleted one; all tasks by default." },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 20, description: "Most events." },
        before: { type: "integer", minimum: 1, description: "next_before of the page before." },
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { events: HISTORY, next_before: { type: "integer" } },
      required: ["events"],
    },
    annotations: READS,
    async run(options) {
      const { taskHistory } = await import("../tasks/history.js");
      const { events, next_before: next } = await taskHistory(todo, options);
      const shown = fitting(events.map(toListedEntry));
      const before = shown.length < events.length ? shown.at(-1)?.seq : next;
      return { events: [...shown], ...(before !== undefined && { next_before: before }) };
    },
  });
