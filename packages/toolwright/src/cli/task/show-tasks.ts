import type { Task } from "../../packs/todo/tasks/task.js";
import { remark, say, sayJson } from "../terminal/say.js";
import type { Bench } from "./bench.js";
import { drawTasks } from "./draw.js";
import { shortIds } from "./short-ids.js";

/** Prints tasks in the form that was asked for: a table, JSON, or their ids. `none` is said where there are none. */
export async function showTasks(
  { desk, options, screen, now }: Bench,
  page: { readonly tasks: readonly Task[]; readonly total?: number },
  none: string,
): Promise<void> {
  const { tasks, total = tasks.length } = page;
  if (options["--json"]) return sayJson(page);
  if (tasks.length === 0) return remark(`${none}.`);
  if (options["--quiet"]) return say(tasks.map(({ id }) => id).join("\n"));
  const shorten = await shortIds(
    desk,
    tasks.map(({ id }) => id),
  );
  const left = total - tasks.length;
  const more = left > 0 ? `\n${screen.paint.faint(`and ${left} more; --limit shows more of them`)}` : "";
  await say(drawTasks(tasks, shorten, screen, now) + more);
}
