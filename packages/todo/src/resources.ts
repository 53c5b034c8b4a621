import {
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
  resource,
  resourceTemplate,
  ToolError,
} from "@toolwright/engine";
import { boardText, tasksText, taskText } from "./task-markdown.js";
import type { TodoContext } from "./todo-context.js";
import { cut, fitting, toListed } from "./tools/results.js";

/** How many tasks are shown of each state, and on each page of the list. */
const MOST = { column: 20, ready: 50, listed: 100, completed: 100 } as const;

/** Tasks as resources, which clients can watch: each one, the board, and what is ready. */
export const resources = (todo: TodoContext): readonly (Resource | ResourceTemplate)[] => [
  taskResource(todo),
  boardResource(todo),
  readyResource(todo),
];

/** Other processes are heard of from when the database is open. */
const whenWatched = (todo: TodoContext) => async (): Promise<void> => {
  try {
    await todo.store();
  } catch (error) {
    // Who watches hears of changes once somebody can open it, and whoever reads hears now that nobody can.
    todo.host.log({ level: "warning", message: "todo: nobody can be told yet that tasks change", error });
  }
};

const taskResource = (todo: TodoContext) =>
  resourceTemplate({
    uri: "task://{id}",
    name: "task",
    title: "Task",
    description: "A task with its parts and blockers, as JSON and as text.",
    complete: {
      async id(typed) {
        const { idsLike } = await import("./tasks/find-task.js");
        return (await todo.store()).read((sql) => idsLike(sql, typed, MOST.completed));
      },
    },
    onSubscribe: whenWatched(todo),
    async list(cursor) {
      const { listTasks } = await import("./tasks/list-tasks.js");
      const { tasks, next_cursor: nextCursor } = await listTasks(todo, { limit: MOST.listed, cursor });
      const shown = tasks.map(({ id, description }) => ({ uri: `task://${id}`, name: cut(description, 80) }));
      return { resources: shown, ...(nextCursor !== undefined && { nextCursor }) };
    },
    async read({ id }) {
      const { getTask } = await import("./tasks/get-task.js");
      try {
        const task = await getTask(todo, { id, include: ["children", "blockers"] });
        return both(`task://${task.id}`, task, taskText(task));
      } catch (error) {
        if (error instanceof ToolError && error.code === "NOT_FOUND") return undefined;
        throw error;
      }
    },
  });

const boardResource = (todo: TodoContext) =>
  resource({
    uri: "tasks://board",
    name: "board",
    title: "Board of tasks",
    description: "Tasks by their state, as JSON and as text.",
    onSubscribe: whenWatched(todo),
    async read() {
      const { board } = await import("./tasks/board.js");
      const { columns, ...seen } = await board(todo, MOST.column);
      const shown = columns.map(({ tasks, ...column }) => ({
        ...column,
        tasks: fitting(tasks.map(toListed), 9000),
      }));
      return both("tasks://board", { ...seen, columns: shown }, boardText({ ...seen, columns: shown }));
    },
  });

const readyResource = (todo: TodoContext) =>
  resource({
    uri: "tasks://ready",
    name: "ready",
    title: "Tasks that are ready",
    description: "What can be started now, in the order in which claim_task takes them, as JSON and as text.",
    onSubscribe: whenWatched(todo),
    async read() {
      const { listTasks } = await import("./tasks/list-tasks.js");
      const { tasks, total } = await listTasks(todo, { ready_only: true, oldest_first: true, limit: MOST.ready });
      const shown = fitting(tasks.map(toListed));
      return both("tasks://ready", { tasks: shown, total }, tasksText(`Ready (${total})`, shown));
    },
  });

const both = (uri: string, value: object, text: string): readonly ResourceContents[] => [
  { uri, mimeType: "application/json", text: JSON.stringify(value) },
  { uri, mimeType: "text/markdown", text },
];
