import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { ID } from "./arguments.js";
import { BLOCKER } from "./output-schemas.js";

/** Lets a task no longer wait for another. */
export const removeBlockerTool = (desk: Desk) =>
  tool({
    name: "remove_blocker",
    title: "Remove a blocker",
    description: "Lets a task no longer wait for another.",
    input: {
      type: "object",
      properties: { task_id: ID, blocked_by_id: { ...ID, description: "Task that it waits for." } },
      required: ["task_id", "blocked_by_id"],
      additionalProperties: false,
    },
    output: BLOCKER,
    annotations: CHANGES_ONCE,
    async run(wish, call) {
      const { removeBlocker } = await import("../tasks/blockers.js");
      return { ...(await removeBlocker(desk, { ...wish, actor: actorOf(desk, call) })), status: "removed" };
    },
  });
