import { addBlocker, type BlockerOptions, removeBlocker } from "../tasks/blockers.js";
import type { Blocker } from "../tasks/task.js";
import type { Bench, Deed } from "./bench.js";
import { onEach } from "./on-each.js";
import { shortIds } from "./short-ids.js";

/** `toolwright task block`: the first task waits for the others. */
export const block: Deed = (bench) => tie(bench, addBlocker, "waits for");

/** `toolwright task unblock`: it no longer does. */
export const unblock: Deed = (bench) => tie(bench, removeBlocker, "no longer waits for");

async function tie(
  { todo, options, words: [task = "", ...others], actor, screen: { paint } }: Bench,
  act: (todo: Bench["todo"], wish: BlockerOptions) => Promise<Blocker>,
  verb: string,
): Promise<void> {
  const reason = options["--reason"]?.[0];
  await onEach(
    { options, words: others },
    (by) => act(todo, { task_id: task, blocked_by_id: by, actor, reason }),
    async (results) => {
      const shorten = await shortIds(
        todo,
        results.flatMap((each) => [each.task_id, each.blocked_by_id]),
      );
      return results
        .map((each) => `${paint.bold(shorten(each.task_id))} ${verb} ${paint.bold(shorten(each.blocked_by_id))}`)
        .join("\n");
    },
  );
}
