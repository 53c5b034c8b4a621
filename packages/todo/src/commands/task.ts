import {
  type ArgumentSpec,
  type Command,
  type Completer,
  CURSOR_OPTION,
  defineCommand,
  JSON_OPTION,
  LIMIT_OPTION,
  type OptionSpec,
  YES_OPTION,
} from "@toolwright/kit/cli";
import { STATUSES } from "../tasks/task.js";

const completeIds: Completer = async ({ prefix, input }, ctx) =>
  (await import("./with-todo.js")).completeTaskIds(prefix, input, ctx);

/** The most that `--limit` accepts. */
const MAX_LIMIT = 100_000;
const LIMIT = { ...LIMIT_OPTION, max: MAX_LIMIT } as const satisfies OptionSpec;

const IDS = {
  required: true,
  multiple: true,
  placeholder: "ID",
  description: "The id of a task: the short one that is shown, a whole one, or a unique start or end of one.",
  complete: completeIds,
} as const satisfies ArgumentSpec;

const OPTIONAL_ID = {
  placeholder: "ID",
  description: IDS.description,
  complete: completeIds,
} as const satisfies ArgumentSpec;

/** The options of all subcommands. */
const COMMON = {
  database: {
    type: "string",
    placeholder: "DATABASE",
    description: "A SQLite file, or postgres://user@host/name. Default: packs.todo.database.",
    complete: "file",
  },
  actor: {
    type: "string",
    placeholder: "NAME",
    description: "Who makes the change. Default: packs.todo.actor, or the name of the user.",
  },
  json: JSON_OPTION,
} as const satisfies Record<string, OptionSpec>;

const QUIET = { type: "boolean", short: "q", description: "Print whole ids only." } as const satisfies OptionSpec;
const PRIORITY = {
  type: "integer",
  short: "p",
  min: 1,
  max: 5,
  description: "From 1 (most urgent) to 5.",
  complete: async () => ["1", "2", "3", "4", "5"],
} as const satisfies OptionSpec;
const STATUS = {
  type: "string",
  choices: STATUSES,
  description: "Only tasks in this state.",
} as const satisfies OptionSpec;
const CONTEXT = {
  type: "string",
  placeholder: "TEXT",
  description: "What one must know to do it.",
} as const satisfies OptionSpec;
const RESULT = {
  type: "string",
  placeholder: "TEXT",
  description: "What was achieved, or why it failed.",
} as const satisfies OptionSpec;
const REASON = {
  type: "string",
  placeholder: "TEXT",
  description: "Why, for the history.",
} as const satisfies OptionSpec;
const REOPEN_REASON = {
  ...REASON,
  description: "Why, for the history; needed to reopen a closed task.",
} as const satisfies OptionSpec;
const DONE_WHEN = {
  doneFile: {
    type: "string",
    placeholder: "FILE",
    description: "The task is done when this file exists.",
    complete: "file",
    conflictsWith: ["doneCommand"],
  },
  doneCommand: {
    type: "string",
    placeholder: "COMMAND",
    description: "The task is done when this command passes; packs.todo.commands must allow it.",
  },
} as const satisfies Record<string, OptionSpec>;

const queries = () => import("./query-commands.js");
const edits = () => import("./edit-commands.js");

const add = defineCommand({
  name: "add",
  aliases: ["new", "create"],
  summary: "Add a task, or one for each line of stdin",
  tool: "create_task",
  args: {
    description: {
      required: true,
      multiple: true,
      placeholder: "TEXT",
      description: "What to do; - adds a task for each line of stdin.",
    },
  },
  options: {
    priority: PRIORITY,
    parent: {
      type: "string",
      placeholder: "ID",
      description: "Make it a subtask of this task.",
      complete: completeIds,
    },
    after: {
      type: "string",
      multiple: true,
      placeholder: "ID",
      description: "A task that blocks it until it is completed.",
      complete: completeIds,
    },
    context: CONTEXT,
    ...DONE_WHEN,
    quiet: QUIET,
    ...COMMON,
  },
  examples: [
    'toolwright task add "Fix the parser" -p 1',
    'toolwright task add "Release it" --parent ab12 --after cd34',
  ],
  run: async (input, ctx) => (await edits()).add(input, ctx),
});

const list = defineCommand({
  name: "list",
  aliases: ["ls"],
  summary: "List open tasks, started ones first",
  tool: "list_tasks",
  options: {
    status: STATUS,
    ready: { type: "boolean", description: "Only tasks that are ready.", conflictsWith: ["status"] },
    all: { type: "boolean", description: "Also closed tasks.", conflictsWith: ["status", "ready"] },
    parent: { type: "string", placeholder: "ID", description: "Only subtasks of this task.", complete: completeIds },
    limit: { ...LIMIT, default: 50 },
    quiet: QUIET,
    ...COMMON,
  },
  examples: ["toolwright task list --ready --quiet | head -3 | xargs toolwright task start"],
  run: async (input, ctx) => (await queries()).list(input, ctx),
});

const next = defineCommand({
  name: "next",
  aliases: ["ready"],
  summary: "Show the most urgent task that is ready",
  tool: "ready_tasks",
  options: { limit: LIMIT, cursor: CURSOR_OPTION, quiet: QUIET, ...COMMON },
  run: async (input, ctx) => (await queries()).next(input, ctx),
});

const show = defineCommand({
  name: "show",
  aliases: ["get"],
  summary: "Show tasks with their subtasks, blockers and history",
  tool: "get_task",
  args: { id: IDS },
  options: COMMON,
  run: async (input, ctx) => (await queries()).show(input, ctx),
});

const search = defineCommand({
  name: "search",
  aliases: ["find"],
  summary: "Search tasks by words, best match first",
  tool: "search_tasks",
  args: {
    query: {
      required: true,
      multiple: true,
      placeholder: "WORD",
      description: "Words that a task contains, in any form.",
    },
  },
  options: { status: STATUS, limit: { ...LIMIT, default: 20 }, cursor: CURSOR_OPTION, quiet: QUIET, ...COMMON },
  run: async (input, ctx) => (await queries()).search(input, ctx),
});

const tree = defineCommand({
  name: "tree",
  summary: "Show tasks with their subtasks",
  tool: "task_tree",
  args: { id: OPTIONAL_ID },
  options: {
    depth: { type: "integer", min: 0, max: 100, description: "The number of levels." },
    limit: { ...LIMIT, default: 500 },
    ...COMMON,
  },
  run: async (input, ctx) => (await queries()).tree(input, ctx),
});

const history = defineCommand({
  name: "history",
  aliases: ["log"],
  summary: "Show who changed what, newest first",
  tool: "task_history",
  args: { id: OPTIONAL_ID },
  options: { limit: { ...LIMIT, default: 30 }, cursor: CURSOR_OPTION, ...COMMON },
  run: async (input, ctx) => (await queries()).history(input, ctx),
});

const edit = defineCommand({
  name: "edit",
  aliases: ["update", "set"],
  summary: "Change the text, priority, parent or state of tasks",
  tool: "update_task",
  args: { id: IDS },
  options: {
    description: { type: "string", placeholder: "TEXT", description: "What to do." },
    priority: PRIORITY,
    parent: {
      type: "string",
      placeholder: "ID",
      description: 'The new parent; "none" removes it.',
      complete: completeIds,
    },
    context: CONTEXT,
    status: { ...STATUS, description: "The new state." },
    result: RESULT,
    reason: REOPEN_REASON,
    ...DONE_WHEN,
    ...COMMON,
  },
  run: async (input, ctx) => (await edits()).edit(input, ctx),
});

const start = defineCommand({
  name: "start",
  aliases: ["reopen"],
  summary: "Set tasks to in progress",
  args: { id: IDS },
  options: { reason: REOPEN_REASON, ...COMMON },
  run: async (input, ctx) => (await edits()).setStatus(input, ctx, "in_progress"),
});

const done = defineCommand({
  name: "done",
  aliases: ["complete", "close", "finish"],
  summary: "Complete tasks",
  args: { id: IDS },
  options: { result: RESULT, reason: REASON, ...COMMON },
  examples: ['toolwright task done ab12 --result "Fixed in 4f2c9d1"'],
  run: async (input, ctx) => (await edits()).setStatus(input, ctx, "completed"),
});

const fail = defineCommand({
  name: "fail",
  summary: "Set tasks to failed",
  args: { id: IDS },
  options: { result: RESULT, reason: REASON, ...COMMON },
  run: async (input, ctx) => (await edits()).setStatus(input, ctx, "failed"),
});

const BLOCK_ARGS = {
  task: {
    required: true,
    placeholder: "ID",
    description: "The id of the task that is blocked.",
    complete: completeIds,
  },
  by: {
    required: true,
    multiple: true,
    placeholder: "BLOCKER",
    description: "The ids of the tasks that block it.",
    complete: completeIds,
  },
} as const satisfies Record<string, ArgumentSpec>;

const block = defineCommand({
  name: "block",
  summary: "Block a task until others are completed",
  tool: "add_blocker",
  args: BLOCK_ARGS,
  options: { reason: REASON, ...COMMON },
  run: async (input, ctx) => (await edits()).block(input, ctx),
});

const unblock = defineCommand({
  name: "unblock",
  summary: "Remove blockers of a task",
  tool: "remove_blocker",
  args: BLOCK_ARGS,
  options: { reason: REASON, ...COMMON },
  run: async (input, ctx) => (await edits()).unblock(input, ctx),
});

const claim = defineCommand({
  name: "claim",
  summary: "Start a task and reserve it, so that nobody else takes it",
  tool: "claim_task",
  args: { id: { ...OPTIONAL_ID, description: "The id of a task. Default: the most urgent task that is ready." } },
  options: {
    lease: {
      type: "duration",
      min: 1000,
      max: 86_400_000,
      description: "How long it is reserved; claim it again to extend it. Default: packs.todo.leaseSeconds.",
    },
    quiet: QUIET,
    ...COMMON,
  },
  examples: ["toolwright task claim && toolwright task show ab12"],
  run: async (input, ctx) => (await edits()).claim(input, ctx),
});

const release = defineCommand({
  name: "release",
  summary: "Give claimed tasks back",
  tool: "release_task",
  args: { id: IDS },
  options: { reason: REASON, ...COMMON },
  run: async (input, ctx) => (await edits()).release(input, ctx),
});

const check = defineCommand({
  name: "check",
  summary: "Check the done-condition of tasks, and complete those that meet it",
  tool: "check_task",
  args: { id: IDS },
  options: COMMON,
  exitCodes: { 1: "a task is not done yet, or the check failed" },
  run: async (input, ctx) => (await edits()).check(input, ctx),
});

const undo = defineCommand({
  name: "undo",
  summary: "Undo your last change",
  tool: "undo_last_task",
  options: {
    by: {
      type: "string",
      placeholder: "NAME",
      description: "Undo the last change of this actor.",
      conflictsWith: ["anyone"],
    },
    anyone: { type: "boolean", description: "Undo the last change, whoever made it." },
    reason: REASON,
    ...COMMON,
  },
  run: async (input, ctx) => (await edits()).undo(input, ctx),
});

const remove = defineCommand({
  name: "remove",
  aliases: ["rm", "delete"],
  summary: "Delete tasks, after a confirmation",
  tool: "delete_task",
  args: { id: IDS },
  options: {
    cascade: { type: "boolean", description: "Delete their subtasks too." },
    yes: YES_OPTION,
    reason: REASON,
    ...COMMON,
  },
  run: async (input, ctx) => (await edits()).remove(input, ctx),
});

const exportCommand = defineCommand({
  name: "export",
  summary: "Write all tasks as lines of JSON",
  tool: "export_tasks",
  args: { file: { description: "The file. Default: stdout.", complete: "file" } },
  options: COMMON,
  examples: ["toolwright task export tasks.jsonl && git add tasks.jsonl"],
  run: async (input, ctx) => (await import("./exchange-commands.js")).exportAll(input, ctx),
});

const importCommand = defineCommand({
  name: "import",
  summary: "Import the lines that an export has written",
  tool: "import_tasks",
  args: { file: { description: "The file. Default: stdin.", complete: "file" } },
  options: {
    onConflict: {
      type: "string",
      choices: ["newer", "replace", "keep"],
      default: "newer",
      description: "Which version of an existing task stays: the newer, the imported (replace) or the existing (keep).",
    },
    dryRun: { type: "boolean", description: "Only count what would change." },
    ...COMMON,
  },
  run: async (input, ctx) => (await import("./exchange-commands.js")).importAll(input, ctx),
});

/** `toolwright task`. */
export const task: Command = defineCommand({
  name: "task",
  summary: "Keep tasks that people and agents share",
  group: "working",
  description:
    "Tasks are kept in one database, which this command, the tools of servers and the dashboard use at the same time.\nWhere ID stands, several ids can be given to most commands.",
  subcommands: [
    add,
    list,
    next,
    show,
    search,
    tree,
    history,
    edit,
    start,
    done,
    fail,
    block,
    unblock,
    claim,
    release,
    check,
    undo,
    remove,
    exportCommand,
    importCommand,
  ],
  examples: ['toolwright task add "Fix the parser" -p 1', "toolwright task list", "toolwright task next"],
});
