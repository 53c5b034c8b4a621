import {
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
  resource,
  resourceTemplate,
  ToolError,
} from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import type { Board } from "./tasks/board.js";
import type { TaskView } from "./tasks/get-task.js";
import type { Task } from "./tasks/task.js";
import type { TodoContext } from "./todo-context.js";
import { toListed, truncate } from "./tools/results.js";

const TITLES = { pending: "Pending", in_progress: "In progress", completed: "Completed", failed: "Failed" } as const;

/** A board as Markdown. */
export function boardToMarkdown({ columns, ready, blocked }: Board): string {
  const sections = columns.map(({ status, total, tasks }) => {
    const rest = total > tasks.length ? [`… and ${total - tasks.length} more`] : [];
    return [`## ${TITLES[status]} (${total})`, ...tasks.map(toLine), ...rest].join("\n");
  });
  return [`# Tasks: ${ready} ready, ${blocked} blocked`, ...sections].join("\n\n");
}

/** A list of tasks as Markdown. */
const tasksToMarkdown = (title: string, tasks: readonly Task[]): string =>
  [`# ${title}`, ...tasks.map(toLine)].join("\n");

/** One task as Markdown. */
function taskToMarkdown(task: TaskView): string {
  const lists = [
    ["Subtasks", task.children ?? []],
    ["Blocked by", task.blocked_by ?? []],
    ["Blocks", task.blocking ?? []],
  ] as const;
  return [
    `# ${task.description}`,
    toLine(task),
    ...(task.context === "" ? [] : [`## Context\n${task.context}`]),
    ...(task.result === null ? [] : [`## Result\n${task.result}`]),
    ...lists
      .filter(([, tasks]) => tasks.length > 0)
      .map(([title, tasks]) => `## ${title}\n${tasks.map(toLine).join("\n")}`),
  ].join("\n\n");
}

function toLine({ id, priority, status, description, blocked, claimed_by: claimer }: Task): string {
  const notes = [
    `priority ${priority}`,
    status,
    ...(blocked ? ["blocked"] : []),
    ...(claimer === null ? [] : [`claimed by ${claimer}`]),
  ];
  return `- ${id} (${notes.join(", ")}): ${truncate(description, 200).replaceAll(/\s+/g, " ")}`;
}

/** How many tasks each resource contains. */
const MAX_TASKS = { column: 20, ready: 50, listed: 100, completed: 100 } as const;

/** The size of a column of the board, in bytes. */
const MAX_COLUMN_BYTES = 9000;

/** The resources of the pack: each task, the board, and the tasks that are ready. Clients can subscribe to all of them. */
export const resources = (todo: TodoContext): readonly (Resource | ResourceTemplate)[] => [
  taskResource(todo),
  boardResource(todo),
  readyResource(todo),
];

/** Opens the database, because changes by other processes are noticed only while it is open. */
const watchStore = (todo: TodoContext) => async (): Promise<void> => {
  try {
    await todo.store();
  } catch (error) {
    // The subscription stays: notifications begin when the database can be opened.
    todo.host.log({ level: "warning", message: "todo: cannot open the database to watch for changes", error });
  }
};

const taskResource = (todo: TodoContext) =>
  resourceTemplate({
    uri: "task://{id}",
    name: "task",
    title: "Task",
    description: "A task with its subtasks and blockers, as JSON and as Markdown.",
    requires: ["get_task"],
    complete: {
      async id(typed) {
        const { completeTaskId } = await import("./tasks/find-task.js");
        return (await todo.store()).read((sql) => completeTaskId(sql, typed, MAX_TASKS.completed));
      },
    },
    onSubscribe: watchStore(todo),
    async list(cursor) {
      const { listTasks } = await import("./tasks/list-tasks.js");
      const { tasks, next_cursor: nextCursor } = await listTasks(todo, { limit: MAX_TASKS.listed, cursor });
      const listed = tasks.map(({ id, description }) => ({ uri: `task://${id}`, name: truncate(description, 80) }));
      return { resources: listed, ...(nextCursor !== undefined && { nextCursor }) };
    },
    async read({ id }) {
      const { getTask } = await import("./tasks/get-task.js");
      try {
        const task = await getTask(todo, { id, include: ["children", "blockers"] });
        return jsonAndMarkdown(`task://${task.id}`, task, taskToMarkdown(task));
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
    title: "Task board",
    description: "Tasks by state, as JSON and as Markdown.",
    requires: ["list_tasks"],
    onSubscribe: watchStore(todo),
    async read() {
      const { board } = await import("./tasks/board.js");
      const { columns, ...counts } = await board(todo, MAX_TASKS.column);
      const listed = columns.map(({ tasks, ...column }) => ({
        ...column,
        tasks: fitToBudget(tasks.map(toListed), MAX_COLUMN_BYTES),
      }));
      const value = { ...counts, columns: listed };
      return jsonAndMarkdown("tasks://board", value, boardToMarkdown(value));
    },
  });

const readyResource = (todo: TodoContext) =>
  resource({
    uri: "tasks://ready",
    name: "ready",
    title: "Ready tasks",
    description: "The tasks that are ready, in the order in which claim_task takes them, as JSON and as Markdown.",
    requires: ["list_tasks"],
    onSubscribe: watchStore(todo),
    async read() {
      const { listTasks } = await import("./tasks/list-tasks.js");
      const { tasks, total } = await listTasks(todo, { ready_only: true, limit: MAX_TASKS.ready });
      const listed = fitToBudget(tasks.map(toListed));
      return jsonAndMarkdown("tasks://ready", { tasks: listed, total }, tasksToMarkdown(`Ready (${total})`, listed));
    },
  });

const jsonAndMarkdown = (uri: string, value: object, text: string): readonly ResourceContents[] => [
  { uri, mimeType: "application/json", text: JSON.stringify(value) },
  { uri, mimeType: "text/markdown", text },
];
