import { remark, say, sayJson } from "@toolwright/kit/terminal";
import type { Task } from "../tasks/task.js";
import type { Bench } from "./bench.js";
import { drawTasks } from "./draw.js";
import { shortIds } from "./short-ids.js";

/** The most that `--limit` can ask for. */
export const MOST_SHOWN = 100_000;

/** Prints tasks in the form that was asked for: a table, JSON, or their ids. `none` is said where there are none. */
export async function showTasks(
  { todo, options, screen, now }: Bench,
  page: { readonly tasks: readonly Task[]; readonly total?: number; readonly next?: object },
  none: string,
): Promise<void> {
  const { tasks, total = tasks.length, next } = page;
  const left = total - tasks.length;
  const more =
    left > 0 || next !== undefined ? `and ${left > 0 ? `${left} ` : ""}more; --limit shows more of them` : undefined;
  if (options["--json"]) return sayJson(page);
  if (tasks.length === 0) return remark(`${none}.`);
  if (options["--quiet"]) {
    await say(tasks.map(({ id }) => id).join("\n"));
    if (more !== undefined) remark(more);
    return;
  }
  const shorten = await shortIds(
    todo,
    tasks.map(({ id }) => id),
  );
  await say(drawTasks(tasks, shorten, screen, now) + (more === undefined ? "" : `\n${screen.paint.faint(more)}`));
}
