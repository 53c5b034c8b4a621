import { tool } from "@toolwright/engine";
import { CHANGES } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { ACTOR, ID } from "./arguments.js";
import { needsActor } from "./needs-actor.js";
import { TASK } from "./output-schemas.js";

/** Takes a task, so that nobody else does. */
export const claimTaskTool = (desk: Desk) =>
  tool({
    name: "claim_task",
    title: "Claim a task",
    description: "Takes a task for you alone and starts it. Claim it again before the lease ends to keep it.",
    toolset: "tasks",
    input: {
      type: "object",
      properties: {
        id: { ...ID, description: "Task id; the most urgent ready task by default." },
        actor: ACTOR,
        lease_s: {
          type: "integer",
          minimum: 1,
          maximum: 86_400,
          default: desk.settings.lease_s,
          description: "Seconds until others may take it.",
        },
      },
      required: [],
      additionalProperties: false,
    },
    output: TASK,
    annotations: CHANGES,
    async run(wish, call) {
      const { claimTask } = await import("../tasks/claims.js");
      return { ...(await claimTask(desk, { ...wish, actor: needsActor(actorOf(desk, call, wish.actor)) })) };
    },
  });
