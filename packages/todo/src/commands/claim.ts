import { relative } from "@toolwright/kit/cli";
import { say, sayJson } from "@toolwright/kit/terminal";
import { claimTask, releaseTask } from "../tasks/claims.js";
import type { Deed } from "./bench.js";
import { taskLine } from "./draw.js";
import { onEach } from "./on-each.js";
import { secondsOf } from "./options.js";
import { shortIds } from "./short-ids.js";

const DAY_S = 86_400;

/** `toolwright task claim`: takes a task, or the most urgent one that is ready. */
export const claim: Deed = async ({ todo, options, words: [id], actor, now, screen }) => {
  const task = await claimTask(todo, { id, actor, lease_s: secondsOf(options, "--lease", DAY_S) });
  if (options["--json"]) return sayJson(task);
  if (options["--quiet"]) return say(task.id);
  const shorten = await shortIds(todo, [task.id]);
  const until = task.lease_until === null ? "" : `  (${actor}, ends ${relative(task.lease_until, now)})`;
  await say(taskLine(task, shorten, screen) + screen.paint.faint(until));
};

/** `toolwright task release`: gives tasks back. */
export const release: Deed = async (bench) => {
  const { todo, options, actor, screen } = bench;
  await onEach(
    bench,
    (id) => releaseTask(todo, { id, actor, reason: options["--reason"]?.[0] }),
    async (tasks) => {
      const shorten = await shortIds(
        todo,
        tasks.map(({ id }) => id),
      );
      return tasks.map((task) => taskLine(task, shorten, screen)).join("\n");
    },
  );
};
