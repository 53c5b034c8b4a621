import { numberOf, readInput, UsageError } from "@toolwright/kit/cli";
import { say, sayJson } from "@toolwright/kit/terminal";
import { type CreateTaskOptions, createTask } from "../tasks/edit-tasks.js";
import type { Task } from "../tasks/task.js";
import type { Deed } from "./bench.js";
import { doneWhen } from "./done-when.js";
import { taskLine } from "./draw.js";
import { shortIds } from "./short-ids.js";

/** `toolwright task add`: makes a task of the words, or one of each line of stdin. */
export const add: Deed = async ({ todo, options, words, actor, screen }) => {
  const isRead = words.length === 1 && words[0] === "-";
  const lines = isRead ? linesOf(await readInput()) : [words.join(" ")];
  const wish: Omit<CreateTaskOptions, "description"> = {
    priority: numberOf(options, "--priority", 1, 5),
    parent_id: options["--parent"]?.[0],
    blocked_by: options["--after"],
    context: options["--context"]?.[0],
    done_when: doneWhen(options, todo),
    actor,
  };
  const tasks: Task[] = [];
  for (const description of lines) tasks.push(await createTask(todo, { ...wish, description }));
  if (options["--json"]) return sayJson(isRead ? tasks : tasks[0]);
  if (options["--quiet"]) return say(tasks.map(({ id }) => id).join("\n"));
  const shorten = await shortIds(
    todo,
    tasks.map(({ id }) => id),
  );
  await say(tasks.map((task) => taskLine(task, shorten, screen)).join("\n"));
};

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const said = lines.filter((line) => line !== "");
  if (said.length === 0) throw new UsageError("task add - needs a task on each line of stdin, and there was none");
  return said;
}
