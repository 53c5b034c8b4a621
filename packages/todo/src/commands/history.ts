import { numberOf } from "@toolwright/kit/cli";
import { remark, say, sayJson } from "@toolwright/kit/terminal";
import { taskHistory } from "../tasks/history.js";
import type { Deed } from "./bench.js";
import { drawHistory } from "./draw-history.js";
import { shortIds } from "./short-ids.js";
import { MOST_SHOWN } from "./show-tasks.js";

/** `toolwright task history`: what has happened, the newest first. */
export const history: Deed = async ({ todo, options, words: [id], screen, now }) => {
  const found = await taskHistory(todo, { id, limit: numberOf(options, "--limit", 1, MOST_SHOWN) ?? 30 });
  if (options["--json"]) return sayJson(found);
  if (found.events.length === 0) return remark("Nothing has happened yet.");
  const shorten = await shortIds(
    todo,
    found.events.map((event) => event.task_id),
  );
  const more =
    found.next_before === undefined ? [] : [screen.paint.faint("and older ones; --limit shows more of them")];
  await say([drawHistory(found.events, shorten, screen, now), ...more].join("\n"));
};
