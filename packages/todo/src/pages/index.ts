import { ToolError } from "@toolwright/engine";
import { type ActionRequest, type Page, storeChanges } from "@toolwright/kit/pages";
import { updateTask } from "../tasks/edit-tasks.js";
import type { TodoContext } from "../todo-context.js";
import { TASKS_PATH, taskPath } from "./task-elements.js";

/** The dashboard pages of the pack. */
export function todoPages(todo: TodoContext): readonly Page[] {
  const shared = {
    parent: TASKS_PATH,
    ...storeChanges(() => todo.store(), "SELECT max(seq) AS seq FROM events"),
  };
  return [
    {
      ...shared,
      path: TASKS_PATH,
      title: "Tasks",
      nav: { label: "Tasks", order: 10 },
      render: async (request) => (await import("./board.js")).renderBoard(todo, request),
    },
    {
      ...shared,
      path: `${TASKS_PATH}/graph`,
      title: "Dependencies",
      nav: { label: "Dependencies", order: 11 },
      render: async (request) => (await import("./graph.js")).renderGraph(todo, request),
    },
    {
      ...shared,
      path: `${TASKS_PATH}/activity`,
      title: "Activity",
      nav: { label: "Activity", order: 12 },
      render: async (request) => (await import("./activity.js")).renderActivity(todo, request),
    },
    {
      ...shared,
      path: `${TASKS_PATH}/search`,
      title: "Search",
      search: { label: "Search tasks" },
      render: async (request) => (await import("./board.js")).renderSearch(todo, request),
    },
    {
      ...shared,
      path: `${TASKS_PATH}/:id`,
      title: "Task",
      render: async (request) => (await import("./task.js")).renderTask(todo, request),
      actions: {
        done: {
          description: "mark tasks as done",
          run: (request) => changeTask(todo, request, { status: "completed" }),
        },
        priority: {
          description: "set their priority",
          run: (request) => changeTask(todo, request, { priority: readPriority(request) }),
        },
      },
    },
  ];
}

/** Changes a task as a form asks, unless it has changed since the form was shown. */
async function changeTask(
  todo: TodoContext,
  { params: { id = "" }, form, principal }: ActionRequest,
  change: { readonly status: "completed" } | { readonly priority: number },
): Promise<string> {
  const version = Number(form.get("version"));
  if (!Number.isInteger(version) || version < 1)
    throw new ToolError("Cannot change the task: the form has no version of it.", { code: "INVALID_ARGUMENT" });
  await updateTask(todo, { id, actor: principal ?? "dashboard", expected_version: version, ...change });
  return taskPath(id);
}

function readPriority({ form }: ActionRequest): number {
  const priority = Number(form.get("priority"));
  if ([1, 2, 3, 4, 5].includes(priority)) return priority;
  throw new ToolError("Cannot set the priority: it must be from 1 to 5.", { code: "INVALID_ARGUMENT" });
}
