import { ToolError } from "@toolwright/engine";
import { type CommandContext, Failure, readInput, relative, UsageError } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { remark, say, sayJson, visible, visibleLine } from "@toolwright/kit/terminal";
import { addBlocker, type BlockerOptions, removeBlocker } from "../tasks/blockers.js";
import { claimTask, releaseTask } from "../tasks/claims.js";
import { checkTask, parseCommandLine, toAbsolute } from "../tasks/done-condition.js";
import { createTask, deleteTask, type UpdateTaskOptions, updateTask } from "../tasks/edit-tasks.js";
import { getTask, taskTree } from "../tasks/get-task.js";
import type { Blocker, DoneCondition, Status, Task } from "../tasks/task.js";
import { undoLast } from "../tasks/undo-last.js";
import type { TodoContext } from "../todo-context.js";
import { formatEvent, formatTask, formatTasks, shortIds } from "./format-tasks.js";
import { type CommonInput, forEachId, withTodo } from "./with-todo.js";

interface ConditionInput {
  readonly doneFile: string | undefined;
  readonly doneCommand: string | undefined;
}

interface AddInput extends CommonInput, ConditionInput {
  readonly description: readonly string[];
  readonly priority: number | undefined;
  readonly parent: string | undefined;
  readonly after: readonly string[];
  readonly context: string | undefined;
  readonly quiet: boolean;
}

/** `toolwright task add`. */
export const add = (input: AddInput, ctx: CommandContext): Promise<void> =>
  withTodo(
    input,
    ctx,
    async ({ todo, actor }) => {
      const isStdin = input.description.length === 1 && input.description[0] === "-";
      const descriptions = isStdin ? linesOf(await readInput()) : [input.description.join(" ")];
      const options = {
        priority: input.priority,
        parent_id: input.parent,
        blocked_by: input.after,
        context: input.context,
        done_when: readCondition(input, todo),
        actor,
      };
      const tasks: Task[] = [];
      for (const description of descriptions) tasks.push(await createTask(todo, { ...options, description }));
      if (input.json) return sayJson(isStdin ? tasks : tasks[0]);
      await say(input.quiet ? tasks.map(({ id }) => id).join("\n") : await formatTasks(todo, tasks, ctx.screen));
    },
    { canCreate: true },
  );

function linesOf(text: string): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0) throw new UsageError("stdin contains no line");
  return lines;
}

/** The done-condition of the options. It is made absolute for the current folder, unless other machines share the database. */
function readCondition(
  { doneFile: path, doneCommand: line }: ConditionInput,
  { isShared }: TodoContext,
): DoneCondition | undefined {
  const condition = invalidOption("--done-command", (): DoneCondition | undefined => {
    if (path !== undefined) return { kind: "file_exists", path };
    return line === undefined ? undefined : { kind: "command", command: parseCommand(line) };
  });
  if (condition === undefined || isShared) return condition;
  return invalidOption("--done-file", () => toAbsolute(condition, currentFolder()));
}

/** A command line, or a JSON array of arguments. */
function parseCommand(line: string): readonly string[] {
  if (!line.trimStart().startsWith("[")) return parseCommandLine(line);
  try {
    const parsed = JSON.parse(line) as unknown;
    if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((each) => typeof each === "string")) return parsed;
  } catch {
    // Reported as any other array that is not one of strings.
  }
  throw new UsageError(`--done-command must be a command line or a JSON array of strings, not ${line}`);
}

/** Reports an invalid value as an error of the command line. */
function invalidOption<Value>(option: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof ToolError ? new UsageError(`${option}: ${error.message}`) : error;
  }
}

interface IdsInput extends CommonInput {
  readonly id: readonly string[];
  readonly reason?: string | undefined;
}

interface EditInput extends IdsInput, ConditionInput {
  readonly description: string | undefined;
  readonly priority: number | undefined;
  readonly parent: string | undefined;
  readonly context: string | undefined;
  readonly status: Status | undefined;
  readonly result: string | undefined;
}

/** `toolwright task edit`. */
export const edit = (input: EditInput, ctx: CommandContext): Promise<void> =>
  update(input, ctx, (todo) => {
    const { description, priority, parent, context, status, result } = input;
    const parentId = parent === "none" ? null : parent;
    const done_when = readCondition(input, todo);
    const changes = { description, priority, parent_id: parentId, context, status, result, done_when };
    if (Object.values(changes).every((value) => value === undefined))
      throw new UsageError("no change is given, such as --priority 1");
    return changes;
  });

/** `toolwright task start`, `done` and `fail`. */
export const setStatus = (
  input: IdsInput & { readonly result?: string | undefined },
  ctx: CommandContext,
  status: Status,
): Promise<void> => update(input, ctx, () => ({ status, result: input.result }));

const update = (
  input: IdsInput,
  ctx: CommandContext,
  changesOf: (todo: TodoContext) => Omit<UpdateTaskOptions, "id">,
): Promise<void> =>
  withTodo(input, ctx, async ({ todo, actor }) => {
    const changes = changesOf(todo);
    const updated = await forEachId(
      { ids: input.id, json: input.json },
      ctx,
      (id) => updateTask(todo, { ...changes, id, reason: input.reason, actor }),
      (results) =>
        formatTasks(
          todo,
          results.map(({ task }) => task),
          ctx.screen,
        ),
    );
    for (const { task, warnings } of updated) for (const warning of warnings) remark(`! ${task.id}: ${warning}`);
  });

interface BlockInput extends CommonInput {
  readonly task: string;
  readonly by: readonly string[];
  readonly reason: string | undefined;
}

/** `toolwright task block`. */
export const block = (input: BlockInput, ctx: CommandContext): Promise<void> =>
  changeBlockers(input, ctx, addBlocker, "is blocked by");

/** `toolwright task unblock`. */
export const unblock = (input: BlockInput, ctx: CommandContext): Promise<void> =>
  changeBlockers(input, ctx, removeBlocker, "is no longer blocked by");

const changeBlockers = (
  { task, by, reason, ...input }: BlockInput,
  ctx: CommandContext,
  change: (todo: TodoContext, options: BlockerOptions) => Promise<Blocker>,
  verb: string,
): Promise<void> =>
  withTodo(input, ctx, async ({ todo, actor }) => {
    const { bold } = ctx.screen.paint;
    await forEachId(
      { ids: by, json: input.json },
      ctx,
      (id) => change(todo, { task_id: task, blocked_by_id: id, actor, reason }),
      async (results) => {
        const shorten = await shortIds(
          todo,
          results.flatMap((each) => [each.task_id, each.blocked_by_id]),
        );
        return results
          .map((each) => `${bold(shorten(each.task_id))} ${verb} ${bold(shorten(each.blocked_by_id))}`)
          .join("\n");
      },
    );
  });

interface ClaimInput extends CommonInput {
  readonly id: string | undefined;
  /** In milliseconds. */
  readonly lease: number | undefined;
  readonly quiet: boolean;
}

/** `toolwright task claim`. */
export const claim = (input: ClaimInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo, actor }) => {
    const lease_s = input.lease === undefined ? undefined : Math.round(input.lease / 1000);
    const task = await claimTask(todo, { id: input.id, actor, lease_s });
    if (input.json) return sayJson(task);
    if (input.quiet) return say(task.id);
    const expires = task.lease_until === null ? "" : `, expires ${relative(task.lease_until, ctx.now())}`;
    const note = ctx.screen.paint.faint(`  (${actor}${expires})`);
    await say((await formatTasks(todo, [task], ctx.screen)) + note);
  });

/** `toolwright task release`. */
export const release = (input: IdsInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo, actor }) => {
    await forEachId(
      { ids: input.id, json: input.json },
      ctx,
      (id) => releaseTask(todo, { id, actor, reason: input.reason }),
      (tasks) => formatTasks(todo, tasks, ctx.screen),
    );
  });

/** `toolwright task check`. */
export const check = (input: IdsInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo, actor }) => {
    const call = { signal: ctx.signal, supports: () => false, roots: async () => [] };
    const results = await forEachId(
      { ids: input.id, json: input.json },
      ctx,
      (id) => checkTask(todo, { id, actor }, call),
      async (checked) => {
        const shorten = await shortIds(
          todo,
          checked.map(({ task }) => task.id),
        );
        return checked
          .map(({ task, evidence }) => {
            const details = visible(evidence).replaceAll("\n", "\n  ");
            return `${formatTask(task, shorten, ctx.screen)}\n  ${details}`;
          })
          .join("\n");
      },
    );
    if (results.some(({ done }) => !done)) process.exitCode = 1;
  });

interface UndoInput extends CommonInput {
  readonly by: string | undefined;
  readonly anyone: boolean;
  readonly reason: string | undefined;
}

/** `toolwright task undo`. */
export const undo = (input: UndoInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo, actor }) => {
    const by = input.anyone ? undefined : (input.by ?? actor);
    const result = await undoLast(todo, { by, actor, reason: input.reason });
    if (input.json) return sayJson(result);
    const shorten = await shortIds(
      todo,
      result.undone.map((event) => event.task_id),
    );
    const { bold } = ctx.screen.paint;
    await say(result.undone.map((event) => `undone: ${bold(shorten(event.task_id))} ${formatEvent(event)}`).join("\n"));
  });

interface RemoveInput extends IdsInput {
  readonly cascade: boolean;
  readonly yes: boolean;
}

/** `toolwright task remove`. */
export const remove = (input: RemoveInput, ctx: CommandContext): Promise<void> =>
  withTodo(input, ctx, async ({ todo, actor }) => {
    const { id: ids, cascade, reason } = input;
    if (!input.yes) await confirm(todo, input, ctx);
    await forEachId(
      { ids, json: input.json },
      ctx,
      (id) => deleteTask(todo, { id, cascade, actor, reason }),
      async (results) =>
        results
          .flatMap(({ deleted }) => deleted)
          .map((id) => `deleted ${id}`)
          .join("\n"),
    );
  });

/** Asks for confirmation. Throws if the answer is not yes. */
async function confirm(
  todo: TodoContext,
  { id: ids, cascade }: RemoveInput,
  { screen: { paint } }: CommandContext,
): Promise<void> {
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new UsageError("--yes is required if stdin or stderr is not a terminal");
  for (const id of ids) {
    const task = await getTask(todo, { id });
    const count = cascade ? (await taskTree(todo, { id: task.id, limit: 100_000 })).total - 1 : 0;
    const subtasks = count === 0 ? "" : `, and ${count} ${count === 1 ? "subtask" : "subtasks"}`;
    process.stderr.write(`${paint.bold(task.id)}  ${visibleLine(task.description)}${subtasks}\n`);
  }
  const { askYes } = await import("@toolwright/kit/terminal/questions.js");
  if (!(await askYes(`Delete ${ids.length === 1 ? "it" : `these ${ids.length}`}?`)))
    throw new Failure("Nothing was deleted");
}
