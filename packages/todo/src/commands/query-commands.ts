import { type CommandContext, relative } from "@toolwright/kit/cli";
import { remark, type Screen, say, sayJson, visible, visibleLine } from "@toolwright/kit/terminal";
import { formatCommandLine } from "../tasks/done-condition.js";
import { getTask, type TaskBranch, type TaskView, taskTree } from "../tasks/get-task.js";
import { taskHistory } from "../tasks/history.js";
import { listTasks } from "../tasks/list-tasks.js";
import { searchTasks } from "../tasks/search-tasks.js";
import type { DoneCondition, Status, Task } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";
import { formatHistory, formatState, formatTask, formatTaskTable, type Shorten, shortIds } from "./format-tasks.js";
import { type CommonInput, forEachId, withTodo } from "./with-todo.js";

interface PrintedPage {
  readonly tasks: readonly Task[];
  readonly total?: number;
  readonly next_cursor?: string;
}

/** Prints tasks as a table, as JSON, or only their ids. */
async function printTasks(
  todo: TodoContext,
  page: PrintedPage,
  { json, quiet, ifEmpty }: { readonly json: boolean; readonly quiet: boolean; readonly ifEmpty: string },
  { screen, now }: CommandContext,
): Promise<void> {
  const { tasks, total = tasks.length, next_cursor: next } = page;
  const left = total - tasks.length;
  const rest =
    left > 0 || next !== undefined ? `and ${left > 0 ? `${left} ` : ""}more; use --limit to show them` : undefined;
  if (json) return sayJson(page);
  if (tasks.length === 0) return remark(`${ifEmpty}.`);
  if (quiet) {
    await say(tasks.map(({ id }) => id).join("\n"));
    if (rest !== undefined) remark(rest);
    return;
  }
  const shorten = await shortIds(
    todo,
    tasks.map(({ id }) => id),
  );
  const table = formatTaskTable(tasks, shorten, screen, now());
  await say(table + (rest === undefined ? "" : `\n${screen.paint.faint(rest)}`));
}

interface ListInput extends CommonInput {
  readonly status: Status | undefined;
  readonly ready: boolean;
  readonly all: boolean;
  readonly parent: string | undefined;
  readonly limit: number;
  readonly quiet: boolean;
}

/** `toolwright task list`. */
export const list = (input: ListInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo }) => {
    const { status, ready, all, parent, limit } = input;
    const query = { parent_id: parent, limit };
    const page =
      status !== undefined || ready || all
        ? await listTasks(todo, { ...query, status, ready_only: ready })
        : await listOpen(todo, query);
    const ifEmpty = all || status !== undefined ? "No tasks" : "No open tasks";
    await printTasks(todo, page, { ...input, ifEmpty }, ctx);
  });

async function listOpen(
  todo: TodoContext,
  query: { readonly parent_id: string | undefined; readonly limit: number },
): Promise<PrintedPage> {
  const started = await listTasks(todo, { ...query, status: "in_progress" });
  const pending = await listTasks(todo, { ...query, status: "pending" });
  return { tasks: [...started.tasks, ...pending.tasks].slice(0, query.limit), total: started.total + pending.total };
}

interface PageInput extends CommonInput {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

/** `toolwright task next`. */
export const next = (input: PageInput & { readonly quiet: boolean }, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo }) => {
    const { limit, cursor, quiet, json } = input;
    const page = await listTasks(todo, { ready_only: true, limit: limit ?? 1, cursor });
    const { tasks } = page;
    // Who asks for the id of the next task does not want to know how many others there are.
    const isSingle = limit === undefined && quiet && !json;
    await printTasks(todo, isSingle ? { tasks } : page, { ...input, ifEmpty: "No task is ready" }, ctx);
  });

interface SearchInput extends PageInput {
  readonly query: readonly string[];
  readonly status: Status | undefined;
  readonly limit: number;
  readonly quiet: boolean;
}

/** `toolwright task search`. */
export const search = (input: SearchInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo }) => {
    const { status, limit, cursor } = input;
    const query = input.query.join(" ");
    const page = await searchTasks(todo, { query, status, limit, cursor });
    await printTasks(todo, page, { ...input, ifEmpty: `No task matches "${query}"` }, ctx);
  });

/** `toolwright task history`. */
export const history = (
  input: PageInput & { readonly id: string | undefined; readonly limit: number },
  ctx: CommandContext,
): Promise<void> =>
  withTodo(input, ctx, async ({ todo }) => {
    const { id, limit, cursor, json } = input;
    const page = await taskHistory(todo, { id, limit, cursor });
    if (json) return sayJson(page);
    if (page.events.length === 0) return remark("No changes yet.");
    const shorten = await shortIds(
      todo,
      page.events.map((event) => event.task_id),
    );
    const table = formatHistory(page.events, shorten, ctx.screen, ctx.now());
    const rest =
      page.next_cursor === undefined ? "" : `\n${ctx.screen.paint.faint("and older ones; use --limit to show them")}`;
    await say(table + rest);
  });

interface TreeInput extends CommonInput {
  readonly id: string | undefined;
  readonly depth: number | undefined;
  readonly limit: number;
}

/** `toolwright task tree`. */
export const tree = (input: TreeInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo }) => {
    const found = await taskTree(todo, input);
    if (input.json) return sayJson(found);
    if (found.trees.length === 0) return remark("No tasks.");
    const shorten = await shortIds(todo, idsOf(found.trees));
    const { screen } = ctx;
    const lines = found.trees.flatMap((root) => [
      formatTask(root, shorten, screen),
      ...formatSubtasks(root, "", shorten, screen),
    ]);
    const rest = found.left_out > 0 ? [screen.paint.faint(`and ${found.left_out} more; use --limit to show them`)] : [];
    await say([...lines, ...rest].join("\n"));
  });

const idsOf = (branches: readonly TaskBranch[]): string[] =>
  branches.flatMap(({ id, children }) => [id, ...idsOf(children)]);

function formatSubtasks(branch: TaskBranch, indent: string, shorten: Shorten, screen: Screen): string[] {
  return branch.children.flatMap((child, index) => {
    const isLast = index === branch.children.length - 1;
    const line = `${screen.paint.faint(`${indent}${isLast ? "└─" : "├─"}`)} ${formatTask(child, shorten, screen)}`;
    return [line, ...formatSubtasks(child, `${indent}${isLast ? "   " : "│  "}`, shorten, screen)];
  });
}

/** How many events `show` prints. */
const MAX_EVENTS = 10;

/** `toolwright task show`. */
export const show = (input: CommonInput & { readonly id: readonly string[] }, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo }) => {
    await forEachId(
      { ids: input.id, json: input.json },
      ctx,
      (id) => getTask(todo, { id, include: ["children", "blockers", "history"] }),
      async (views) => {
        const pages: string[] = [];
        for (const view of views) pages.push(await formatView(todo, view, ctx));
        return pages.join("\n\n");
      },
    );
  });

async function formatView(todo: TodoContext, task: TaskView, ctx: CommandContext): Promise<string> {
  const { screen } = ctx;
  const { paint } = screen;
  const now = ctx.now();
  const parent = task.parent_id === null ? undefined : await getTask(todo, { id: task.parent_id });
  const { children = [], blocked_by: blockedBy = [], blocking = [], history: events = [] } = task;
  const related = [...(parent ? [parent] : []), ...children, ...blockedBy, ...blocking];
  const shorten = await shortIds(todo, [task.id, ...related.map(({ id }) => id)]);
  const creator = task.created_by === null ? "" : ` by ${visibleLine(task.created_by)}`;
  const rows: (readonly [string, string | undefined])[] = [
    ["state", formatState(task, paint) + formatSince(task, now)],
    ["priority", String(task.priority)],
    ["claimed", formatClaim(task, now)],
    ["parent", parent && formatTask(parent, shorten, screen)],
    ["done when", task.done_when === null ? undefined : formatCondition(task.done_when)],
    ["created", `${relative(task.created_at, now)}${creator}`],
    ["version", String(task.version)],
  ];
  const section = (title: string, tasks: readonly Task[]): readonly string[] =>
    tasks.length === 0
      ? []
      : ["", paint.faint(title), ...tasks.map((each) => `  ${formatTask(each, shorten, screen)}`)];
  const textSection = (title: string, text: string): readonly string[] =>
    text === "" ? [] : ["", paint.faint(title), `  ${visible(text).replaceAll("\n", "\n  ")}`];
  return [
    paint.bold(`${shorten(task.id)}  ${visibleLine(task.description)}`),
    paint.faint(task.id),
    "",
    ...rows.flatMap(([name, text]) => (text === undefined ? [] : [`${paint.faint(name.padEnd(10))} ${text}`])),
    ...section("blocked by", blockedBy),
    ...section("blocks", blocking),
    ...section("subtasks", children),
    ...textSection("context", task.context),
    ...textSection("result", task.result ?? ""),
    "",
    paint.faint("history"),
    formatHistory(events.slice(0, MAX_EVENTS), shorten, screen, now),
  ].join("\n");
}

function formatSince({ status, started_at: started, completed_at: completed }: Task, now: Date): string {
  if (status === "in_progress") return started === null ? "" : `, started ${relative(started, now)}`;
  return completed === null ? "" : `, ${relative(completed, now)}`;
}

function formatClaim({ claimed_by: by, lease_until: until }: Task, now: Date): string | undefined {
  if (by === null || until === null) return undefined;
  const hasExpired = until <= now.toISOString();
  return `by ${visibleLine(by)}, lease ${hasExpired ? "expired" : "expires"} ${relative(until, now)}`;
}

function formatCondition(condition: DoneCondition): string {
  if (condition.kind === "file_exists") return `${visibleLine(condition.path)} exists`;
  const folder = condition.cwd === undefined ? "" : ` in ${visibleLine(condition.cwd)}`;
  return `${visibleLine(formatCommandLine(condition.command))} passes${folder}`;
}
