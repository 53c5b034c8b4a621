import { tool } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { CURSOR, offsetOf, READ } from "@toolwright/kit/pack";
import type { TaskBranch } from "../tasks/get-task.js";
import type { TodoContext } from "../todo-context.js";
import { toListed, toListedEntry, toPage, truncate } from "./results.js";
import { HISTORY, ID, STATUS, TASK_PAGE, TASKS, taskWith } from "./schemas.js";

const QUERY = {
  type: "string",
  description: "Only tasks with all these words.",
} as const;

/** Lists or searches tasks. */
export const listTasksTool = (todo: TodoContext) =>
  tool({
    name: "list_tasks",
    title: "List tasks",
    description: "Lists or searches tasks. Long texts are shortened.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        query: QUERY,
        status: { ...STATUS, description: "Only this state." },
        parent_id: { type: "string", description: "Only its subtasks." },
        ready_only: {
          type: "boolean",
          description: "Only tasks that can be started now.",
        },
        limit: { type: "integer", minimum: 1, maximum: 500, default: 50, description: "Maximum number of tasks." },
        cursor: CURSOR,
      },
      additionalProperties: false,
    },
    output: TASK_PAGE,
    annotations: READ,
    run: (query) => runList(todo, query),
  });

async function runList(todo: TodoContext, { query, ...list }: Parameters<typeof listPage>[1] & { query?: string }) {
  return query === undefined ? listPage(todo, list) : searchPage(todo, { ...list, query });
}

async function listPage(todo: TodoContext, query: import("../tasks/list-tasks.js").ListTasksQuery) {
  const { listTasks } = await import("../tasks/list-tasks.js");
  return toPage(await listTasks(todo, query));
}

async function searchPage(todo: TodoContext, query: import("../tasks/search-tasks.js").SearchTasksQuery) {
  const { searchTasks } = await import("../tasks/search-tasks.js");
  const page = await searchTasks(todo, query);
  return toPage(page, (shown) => String(offsetOf(query.cursor) + shown.length));
}

/** The earlier name for `list_tasks` with a query. */
export const searchTasksTool = (todo: TodoContext) =>
  tool({
    name: "search_tasks",
    title: "Search tasks",
    description: "Finds tasks that contain all words of a query, best match first.",
    toolset: "tasks",
    replacedBy: "list_tasks",
    input: {
      type: "object",
      properties: {
        query: QUERY,
        status: { ...STATUS, description: "Only tasks in this state." },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Maximum number of tasks." },
        cursor: CURSOR,
      },
      required: ["query"],
      additionalProperties: false,
    },
    output: TASK_PAGE,
    annotations: READ,
    run: (query) => searchPage(todo, query),
  });

/** The earlier name for `list_tasks` with `ready_only`. */
export const readyTasksTool = (todo: TodoContext) =>
  tool({
    name: "ready_tasks",
    title: "List ready tasks",
    description: "Lists the tasks that are ready, in the order in which claim_task takes them.",
    toolset: "tasks",
    replacedBy: "list_tasks",
    input: {
      type: "object",
      properties: {
        limit: { type: "integer", minimum: 1, maximum: 500, default: 10, description: "Maximum number of tasks." },
        cursor: CURSOR,
      },
      required: [],
      additionalProperties: false,
    },
    output: TASK_PAGE,
    annotations: READ,
    run: (query) => listPage(todo, { ...query, ready_only: true }),
  });

/** The size of each list in the result of `get_task`, in bytes. */
const MAX_RELATED_BYTES = 9000;

/** Reads one task. */
export const getTaskTool = (todo: TodoContext) =>
  tool({
    name: "get_task",
    title: "Get a task",
    description: "Returns one task in full.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: ID,
        include: {
          type: "array",
          items: { type: "string", enum: ["children", "blockers", "history"] },
          description: "Also return its subtasks, blockers (both directions) or history.",
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
    annotations: READ,
    async run(query) {
      const { getTask } = await import("../tasks/get-task.js");
      const { children, blocked_by: blockedBy, blocking, history, ...task } = await getTask(todo, query);
      const parts = {
        ...(children && { children: fitToBudget(children.map(toListed), MAX_RELATED_BYTES) }),
        ...(blockedBy && { blocked_by: fitToBudget(blockedBy.map(toListed), MAX_RELATED_BYTES) }),
        ...(blocking && { blocking: fitToBudget(blocking.map(toListed), MAX_RELATED_BYTES) }),
        ...(history && { history: fitToBudget(history.map(toListedEntry), MAX_RELATED_BYTES) }),
      };
      const isComplete =
        children?.length === parts.children?.length &&
        blockedBy?.length === parts.blocked_by?.length &&
        blocking?.length === parts.blocking?.length &&
        history?.length === parts.history?.length;
      return { ...task, ...parts, ...(!isComplete && { see: describeRest(task.id) }) };
    },
  });

const describeRest = (id: string): string =>
  `Lists were shortened. Complete ones: list_tasks {"parent_id":"${id}"}, get_blockers {"task_id":"${id}"}, task_history {"id":"${id}"}.`;

/** Lists the blockers of a task. */
export const getBlockersTool = (todo: TodoContext) =>
  tool({
    name: "get_blockers",
    title: "Get the blockers of a task",
    description: "Lists the tasks that block one task, nearest first.",
    toolset: "tasks",
    replacedBy: "get_task",
    input: {
      type: "object",
      properties: {
        task_id: ID,
        transitive: { type: "boolean", default: false, description: "Include the blockers of its blockers." },
        direction: {
          type: "string",
          enum: ["blocked_by", "blocking"],
          default: "blocked_by",
          description: "blocking: list the tasks that it blocks.",
        },
        cursor: CURSOR,
      },
      required: ["task_id"],
      additionalProperties: false,
    },
    output: TASK_PAGE,
    annotations: READ,
    async run({ cursor, ...query }) {
      const { getBlockers } = await import("../tasks/blockers.js");
      const { tasks } = await getBlockers(todo, query);
      const offset = offsetOf(cursor);
      const page = { tasks: tasks.slice(offset), total: tasks.length };
      return toPage(page, (shown) => String(offset + shown.length));
    },
  });

/** A task in a tree. */
type ListedBranch = Pick<TaskBranch, "id" | "status" | "priority" | "description" | "blocked" | "ready"> & {
  readonly children: ListedBranch[];
};

/** Shows the hierarchy of tasks. */
export const taskTreeTool = (todo: TodoContext) =>
  tool({
    name: "task_tree",
    title: "Tree of tasks",
    description:
      "Returns tasks with their subtasks as a tree, with short descriptions. list_tasks returns a flat list.",
    toolset: "tasks-extra",
    input: {
      type: "object",
      properties: {
        id: { ...ID, description: "The task at the root. Default: all top-level tasks." },
        depth: {
          type: "integer",
          minimum: 0,
          maximum: 20,
          default: 5,
          description: "Number of levels below the root.",
        },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 100, description: "Maximum number of tasks." },
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
    annotations: READ,
    async run(query) {
      const { taskTree } = await import("../tasks/get-task.js");
      const { trees, ...counts } = await taskTree(todo, query);
      return { trees: trees.map(toListedBranch), ...counts };
    },
  });

const toListedBranch = ({ id, status, priority, description, blocked, ready, children }: TaskBranch): ListedBranch => ({
  id,
  status,
  priority,
  description: truncate(description, 80),
  blocked,
  ready,
  children: children.map(toListedBranch),
});

/** Shows what has changed. */
export const taskHistoryTool = (todo: TodoContext) =>
  tool({
    name: "task_history",
    title: "History of tasks",
    description: "Lists who changed which tasks, when and why, newest first.",
    toolset: "tasks-extra",
    input: {
      type: "object",
      properties: {
        id: { ...ID, description: "One task; a deleted one by its whole id. Default: all tasks." },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 20, description: "Maximum number of events." },
        cursor: CURSOR,
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { events: HISTORY, next_cursor: { type: "string" } },
      required: ["events"],
    },
    annotations: READ,
    async run(query) {
      const { taskHistory } = await import("../tasks/history.js");
      const { events, next_cursor: next } = await taskHistory(todo, query);
      const shown = fitToBudget(events.map(toListedEntry));
      const last = shown.at(-1);
      const cursor = shown.length < events.length && last !== undefined ? String(last.seq) : next;
      return { events: shown, ...(cursor !== undefined && { next_cursor: cursor }) };
    },
  });
