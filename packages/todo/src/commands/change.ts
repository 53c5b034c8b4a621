import { choiceOf, numberOf, UsageError } from "@toolwright/kit/cli";
import { remark } from "@toolwright/kit/terminal";
import { type UpdateTaskOptions, updateTask } from "../tasks/edit-tasks.js";
import { STATUSES, type Status } from "../tasks/task.js";
import type { Bench, Deed } from "./bench.js";
import { doneWhen } from "./done-when.js";
import { taskLine } from "./draw.js";
import { onEach } from "./on-each.js";
import { shortIds } from "./short-ids.js";
import { forPeople } from "./words.js";

/** `toolwright task start`. */
export const start: Deed = (bench) => move(bench, "in_progress");

/** `toolwright task done`. */
export const done: Deed = (bench) => move(bench, "completed");

/** `toolwright task fail`. */
export const fail: Deed = (bench) => move(bench, "failed");

/** `toolwright task edit`: changes what was named. */
export const edit: Deed = async (bench) => {
  const { options } = bench;
  const [parent] = options["--parent"] ?? [];
  const wish = {
    description: options["--description"]?.[0],
    priority: numberOf(options, "--priority", 1, 5),
    parent_id: parent === "none" ? null : parent,
    context: options["--context"]?.[0],
    status: choiceOf(options, "--status", STATUSES),
    result: options["--result"]?.[0],
    done_when: doneWhen(options, bench.todo),
  };
  if (Object.values(wish).every((value) => value === undefined))
    throw new UsageError("task edit needs what is to be changed, such as --priority 1");
  await change(bench, wish);
};

const move = (bench: Bench, status: Status): Promise<void> =>
  change(bench, { status, result: bench.options["--result"]?.[0] });

async function change(bench: Bench, wish: Omit<UpdateTaskOptions, "id">): Promise<void> {
  const { todo, actor, options, screen } = bench;
  const reason = options["--reason"]?.[0];
  const updated = await onEach(
    bench,
    (id) => updateTask(todo, { ...wish, id, reason, actor }),
    async (results) => {
      const shorten = await shortIds(
        todo,
        results.map(({ task }) => task.id),
      );
      return results.map(({ task }) => taskLine(task, shorten, screen)).join("\n");
    },
  );
  for (const { task, warnings } of updated)
    for (const warning of warnings) remark(`! ${task.id}: ${forPeople(warning)}`);
}
