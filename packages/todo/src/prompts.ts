import { type Prompt, prompt } from "@toolwright/engine";
import { boardText } from "./task-markdown.js";
import type { TodoContext } from "./todo-context.js";
import { toListed } from "./tools/results.js";

/** What people can start with one word. */
export const prompts = (todo: TodoContext): readonly Prompt[] => [planWork(todo), standUp(todo)];

const planWork = (todo: TodoContext) =>
  prompt({
    name: "plan-work",
    title: "Plan work",
    description: "Breaks a goal down into tasks with priorities and blockers.",
    input: {
      type: "object",
      properties: { goal: { type: "string", minLength: 1, maxLength: 10_000, description: "What should be reached." } },
      required: ["goal"],
    },
    run: async ({ goal }) =>
      [
        `Plan the work for this goal: ${goal}`,
        "1. Look at the board below: use what is there already, with search_tasks where you are not sure.",
        "2. Call create_task once for the goal, then for each part with parent_id. A part is what one can finish in one go; say in context what one must know for it.",
        "3. Where one part needs another, name that in blocked_by. Where a file or a command can tell that it is done, say so in done_when.",
        "4. Show me the result with task_tree, and what to start with: ready_tasks.",
        await liveBoard(todo),
      ].join("\n"),
  });

const standUp = (todo: TodoContext) =>
  prompt({
    name: "stand-up",
    title: "Stand-up",
    description: "Tells what was done, what goes on, what is stuck, and what comes next.",
    input: {
      type: "object",
      properties: {
        hours: { type: "integer", minimum: 1, maximum: 720, default: 24, description: "How far to look back." },
      },
    },
    run: async ({ hours }) =>
      [
        `Write a stand-up report of the last ${hours} hours: what was done, what goes on and by whom, what is stuck and on what, and the three things to do next.`,
        "Use only what is below; get_task and get_blockers show more of a task. Name tasks by their description.",
        await recent(todo, hours),
        await liveBoard(todo),
      ].join("\n"),
  });

/** How many tasks of each state, and how many events, a prompt tells of. */
const MOST = { column: 15, events: 60 } as const;

async function liveBoard(todo: TodoContext): Promise<string> {
  const { board } = await import("./tasks/board.js");
  const { columns, ...seen } = await board(todo, MOST.column);
  const shown = columns.map((column) => ({ ...column, tasks: column.tasks.map(toListed) }));
  return `\n${boardText({ ...seen, columns: shown })}`;
}

async function recent(todo: TodoContext, hours: number): Promise<string> {
  const { taskHistory } = await import("./tasks/history.js");
  const since = new Date(Date.parse(todo.now()) - hours * 3_600_000).toISOString();
  const { events } = await taskHistory(todo, { limit: MOST.events });
  const lines = events
    .filter(({ at }) => at >= since)
    .map(({ at, actor, kind, task_id: id, changes, reason }) => {
      const { was, is } = changes["status"] ?? {};
      const status = typeof was === "string" && typeof is === "string" ? `, ${was} → ${is}` : "";
      return `- ${at} ${actor ?? "somebody"}: ${kind} ${id}${status}${reason === null ? "" : ` (${reason})`}`;
    });
  return [`\n# What has happened`, ...(lines.length === 0 ? ["Nothing."] : lines)].join("\n");
}
