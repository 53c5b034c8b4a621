import { choiceOf, numberOf, UsageError } from "@toolwright/kit/cli";
import { listTasks, type TaskPage } from "../tasks/list-tasks.js";
import { STATUSES } from "../tasks/task.js";
import type { Bench, Deed } from "./bench.js";
import { MOST_SHOWN, showTasks } from "./show-tasks.js";

const USUAL = 50;

/** `toolwright task list`: what is open, those that somebody works on first; or whatever else was asked for. */
export const list: Deed = async (bench) => {
  const { options } = bench;
  const status = choiceOf(options, "--status", STATUSES);
  const [isReady, isAll] = [options["--ready"] !== undefined, options["--all"] !== undefined];
  if ([status !== undefined, isReady, isAll].filter(Boolean).length > 1)
    throw new UsageError("--status, --ready and --all exclude each other");
  const limit = numberOf(options, "--limit", 1, MOST_SHOWN) ?? USUAL;
  const about = { parent_id: options["--parent"]?.[0], limit };
  const page =
    status !== undefined || isReady || isAll
      ? await listTasks(bench.todo, { ...about, status, ready_only: isReady, oldest_first: isReady })
      : await openTasks(bench, about);
  await showTasks(bench, page, isAll || status !== undefined ? "No such tasks" : "No open tasks");
};

/** `toolwright task next`: what somebody should do now. */
export const next: Deed = async (bench) => {
  const limit = numberOf(bench.options, "--limit", 1, MOST_SHOWN);
  const page = await listTasks(bench.todo, { ready_only: true, oldest_first: true, limit: limit ?? 1 });
  const { tasks } = page;
  // Who asks for the next one does not miss the others.
  const isOne = limit === undefined && bench.options["--quiet"] !== undefined && bench.options["--json"] === undefined;
  await showTasks(bench, isOne ? { tasks } : page, "No task is ready");
};

async function openTasks(
  { todo }: Bench,
  about: { readonly parent_id: string | undefined; readonly limit: number },
): Promise<TaskPage> {
  const begun = await listTasks(todo, { ...about, status: "in_progress" });
  const waiting = await listTasks(todo, { ...about, status: "pending" });
  return { tasks: [...begun.tasks, ...waiting.tasks].slice(0, about.limit), total: begun.total + waiting.total };
}
