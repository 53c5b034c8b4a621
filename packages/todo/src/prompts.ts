import { type Prompt, prompt } from "@toolwright/engine";
import { boardToMarkdown } from "./resources.js";
import type { TodoContext } from "./todo-context.js";
import { toListed } from "./tools/results.js";

/** The prompts of the pack. */
export const prompts = (todo: TodoContext): readonly Prompt[] => [planWork(todo), standUp(todo)];

const planWork = (todo: TodoContext) =>
  prompt({
    name: "plan-work",
    title: "Plan work",
    description: "Breaks a goal down into tasks with priorities and blockers.",
    requires: ["create_task", "list_tasks"],
    input: {
      type: "object",
      properties: { goal: { type: "string", minLength: 1, maxLength: 10_000, description: "The goal." } },
      required: ["goal"],
    },
    run: async ({ goal }) =>
      [
        `Plan the work for this goal: ${goal}`,
        "1. Read the board below and reuse existing tasks; search with list_tasks if you are not sure.",
        "2. Call create_task once for the goal, then for each subtask with parent_id. A subtask can be finished in one session; context contains what one must know to do it.",
        "3. If a subtask needs another one first, name that in blocked_by. If a file or a command shows that it is done, set done_when.",
        "4. Show me the plan, and what to start with: list_tasks with ready_only.",
        await currentBoard(todo),
      ].join("\n"),
  });

const standUp = (todo: TodoContext) =>
  prompt({
    name: "stand-up",
    title: "Stand-up",
    description: "Reports what was done, what is in progress, what is blocked, and what comes next.",
    requires: ["list_tasks", "get_task"],
    input: {
      type: "object",
      properties: {
        hours: { type: "integer", minimum: 1, maximum: 720, default: 24, description: "How many hours to look back." },
      },
    },
    run: async ({ hours }) =>
      [
        `Write a stand-up report for the last ${hours} hours: what was done, what is in progress and by whom, what is blocked and by what, and the three things to do next.`,
        "Use only the information below; get_task returns more about a task. Refer to tasks by their description.",
        await recentChanges(todo, hours),
        await currentBoard(todo),
      ].join("\n"),
  });

/** How many tasks of each state, and how many events, a prompt contains. */
const MAX = { column: 15, events: 60 } as const;

async function currentBoard(todo: TodoContext): Promise<string> {
  const { board } = await import("./tasks/board.js");
  const { columns, ...counts } = await board(todo, MAX.column);
  const listed = columns.map((column) => ({ ...column, tasks: column.tasks.map(toListed) }));
  return `\n${boardToMarkdown({ ...counts, columns: listed })}`;
}

async function recentChanges(todo: TodoContext, hours: number): Promise<string> {
  const { taskHistory } = await import("./tasks/history.js");
  const since = new Date(Date.parse(todo.now()) - hours * 3_600_000).toISOString();
  const { events } = await taskHistory(todo, { limit: MAX.events });
  const lines = events
    .filter(({ at }) => at >= since)
    .map(({ at, actor, kind, task_id: id, changes, reason }) => {
      const { was, is } = changes["status"] ?? {};
      const status = typeof was === "string" && typeof is === "string" ? `, ${was} → ${is}` : "";
      return `- ${at} ${actor ?? "unknown"}: ${kind} ${id}${status}${reason === null ? "" : ` (${reason})`}`;
    });
  return ["\n# Recent changes", ...(lines.length === 0 ? ["None."] : lines)].join("\n");
}
