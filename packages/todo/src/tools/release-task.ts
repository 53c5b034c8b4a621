import { tool } from "@toolwright/engine";
import { CHANGES } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { ACTOR, ID, REASON } from "./arguments.js";
import { needsActor } from "./needs-actor.js";
import { TASK } from "./output-schemas.js";

/** Gives a task back. */
export const releaseTaskTool = (desk: Desk) =>
  tool({
    name: "release_task",
    title: "Release a task",
    description: "Gives a claimed task back; it is pending again.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: { id: ID, actor: ACTOR, reason: REASON },
      required: ["id"],
      additionalProperties: false,
    },
    output: TASK,
    annotations: CHANGES,
    async run(wish, call) {
      const { releaseTask } = await import("../tasks/claims.js");
      return { ...(await releaseTask(desk, { ...wish, actor: needsActor(actorOf(desk, call, wish.actor)) })) };
    },
  });
