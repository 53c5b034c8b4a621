import type { CommandContext } from "@toolwright/kit/cli";
import { say, visibleLine } from "@toolwright/kit/terminal";
import { listTasks } from "../tasks/list-tasks.js";
import type { Task } from "../tasks/task.js";
import type { Deed } from "./bench.js";
import { shortIds } from "./short-ids.js";
import { withDesk } from "./with-desk.js";

const MOST = 200;

/** Offers ids that begin with what was typed so far to a shell: a line each, with what it is behind a tab; open tasks first. */
export async function completeIds([typed = "", database]: readonly string[], context: CommandContext): Promise<void> {
  const options = database === undefined ? {} : { "--database": [database] };
  const offer: Deed = async ({ todo }) => {
    const tasks: Task[] = [];
    for (const status of ["in_progress", "pending", "failed", "completed"] as const)
      tasks.push(...(await listTasks(todo, { status, limit: MOST })).tasks);
    const shorten = await shortIds(
      todo,
      tasks.map(({ id }) => id),
    );
    const lines = tasks
      .map(({ id, description }) => [typed.startsWith("task_") ? id : shorten(id), description] as const)
      .filter(([id]) => id.startsWith(typed))
      .map(([id, description]) => `${id}\t${visibleLine(description).replaceAll("\t", " ").slice(0, 60)}`);
    if (lines.length > 0) await say(lines.slice(0, MOST).join("\n"));
  };
  await withDesk(options, [], offer, context);
}
