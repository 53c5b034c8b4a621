import { untilStopped } from "@toolwright/kit/cli";
import { visible } from "@toolwright/kit/terminal";
import { checkTask } from "../tasks/done-condition.js";
import type { Deed } from "./bench.js";
import { taskLine } from "./draw.js";
import { onEach } from "./on-each.js";
import { shortIds } from "./short-ids.js";

/** `toolwright task check`: looks whether tasks are done, and completes those that are. Ends with 1 where one is not. */
export const check: Deed = async (bench) => {
  const { todo, actor, screen } = bench;
  const call = { signal: untilStopped(), supports: () => false, roots: async () => [] };
  const results = await onEach(
    bench,
    (id) => checkTask(todo, { id, actor }, call),
    async (checked) => {
      const shorten = await shortIds(
        todo,
        checked.map(({ task }) => task.id),
      );
      return checked
        .map(
          ({ task, evidence }) => `${taskLine(task, shorten, screen)}\n  ${visible(evidence).replaceAll("\n", "\n  ")}`,
        )
        .join("\n");
    },
  );
  if (results.some(({ done }) => !done)) process.exitCode = 1;
};
