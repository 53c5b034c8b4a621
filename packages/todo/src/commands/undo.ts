import { UsageError } from "@toolwright/kit/cli";
import { say, sayJson } from "@toolwright/kit/terminal";
import { undoLast } from "../tasks/undo-last.js";
import type { Deed } from "./bench.js";
import { deedText } from "./draw-history.js";
import { shortIds } from "./short-ids.js";

/** `toolwright task undo`: takes back the last thing that this user has done. */
export const undo: Deed = async ({ todo, options, actor, screen: { paint } }) => {
  const named = options["--by"]?.[0];
  const isAnyone = options["--anyone"] !== undefined;
  if (named !== undefined && isAnyone) throw new UsageError("--by and --anyone exclude each other");
  const by = isAnyone ? undefined : (named ?? actor);
  const done = await undoLast(todo, { by, actor, reason: options["--reason"]?.[0] });
  if (options["--json"]) return sayJson(done);
  const shorten = await shortIds(
    todo,
    done.undone.map((event) => event.task_id),
  );
  await say(
    done.undone.map((event) => `taken back: ${paint.bold(shorten(event.task_id))} ${deedText(event)}`).join("\n"),
  );
};
