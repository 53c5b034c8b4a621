import os from "node:os";
import { ToolError } from "@toolwright/engine";
import { type CommandContext, type Completion, describeError, Failure, isMissing } from "@toolwright/kit/cli";
import { remark, say, sayJson, visibleLine } from "@toolwright/kit/terminal";
import type { Settings } from "../settings.js";
import { listTasks } from "../tasks/list-tasks.js";
import type { Task } from "../tasks/task.js";
import { TodoContext } from "../todo-context.js";
import { shortIds } from "./format-tasks.js";

/** The options of all subcommands. */
export interface CommonInput {
  readonly database: string | undefined;
  readonly actor: string | undefined;
  readonly json: boolean;
}

/** What a subcommand works with. */
export interface TaskSession {
  readonly todo: TodoContext;
  readonly actor: string;
}

/**
 * Opens the tasks for the duration of a command. A database file that is named and does not exist is created only by commands that add
 * tasks.
 */
export async function withTodo<Result>(
  { database, actor: named }: Pick<CommonInput, "database" | "actor">,
  ctx: CommandContext,
  run: (session: TaskSession) => Promise<Result>,
  { canCreate = false }: { readonly canCreate?: boolean } = {},
): Promise<Result> {
  const { settings: configured, host } = await ctx.openPack<Settings>();
  const actor = named ?? configured.actor ?? userName();
  const settings = { ...configured, actor, ...(database !== undefined && { database }) };
  if (!canCreate && settings.database !== undefined && isMissing(settings.database))
    throw new Failure(
      `There are no tasks in ${JSON.stringify(settings.database)}: the file does not exist. "toolwright task add" creates it.`,
    );
  const todo = new TodoContext(settings, host);
  try {
    return await run({ todo, actor });
  } finally {
    await todo.close();
  }
}

/** Some systems know their users by number only. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return process.env["USER"] ?? "unknown";
  }
}

/**
 * Does something with each of several tasks. An error for one of them does not stop the others; the program then ends with code 1.
 * Prints the results as JSON (a list if several ids were given) or as `format` returns them.
 */
export async function forEachId<Result>(
  { ids, json }: { readonly ids: readonly string[]; readonly json: boolean },
  ctx: CommandContext,
  act: (id: string) => Promise<Result>,
  format: (results: readonly Result[]) => Promise<string>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const id of ids)
    try {
      results.push(await act(id));
    } catch (error) {
      if (ids.length === 1 || !(error instanceof ToolError)) throw error;
      const { message } = await describeError(error, () => ctx.loadCommands());
      remark(`toolwright: ${message}`);
      process.exitCode = 1;
    }
  if (json) await sayJson(ids.length === 1 ? results[0] : results);
  else if (results.length > 0) await say(await format(results));
  return results;
}

const MAX_COMPLETIONS = 200;

/** Completes the id of a task, with its description; open tasks come first. */
export function completeTaskIds(
  prefix: string,
  { database }: Readonly<Record<string, unknown>>,
  ctx: CommandContext,
): Promise<readonly Completion[]> {
  const options = { database: database as string | undefined, actor: undefined };
  return withTodo(options, ctx, async ({ todo }) => {
    const tasks: Task[] = [];
    for (const status of ["in_progress", "pending", "failed", "completed"] as const)
      tasks.push(...(await listTasks(todo, { status, limit: MAX_COMPLETIONS })).tasks);
    const shorten = await shortIds(
      todo,
      tasks.map(({ id }) => id),
    );
    return tasks
      .map(({ id, description }) => ({
        value: prefix.startsWith("task_") ? id : shorten(id),
        description: visibleLine(description).slice(0, 60),
      }))
      .filter(({ value }) => value.startsWith(prefix))
      .slice(0, MAX_COMPLETIONS);
  });
}
