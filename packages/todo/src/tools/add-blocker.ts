import { tool } from "@toolwright/engine";
import { CHANGES_ONCE } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { BLOCKER_PAIR } from "./arguments.js";
import { BLOCKER } from "./output-schemas.js";

/** Makes a task wait for another. */
export const addBlockerTool = (desk: Desk) =>
  tool({
    name: "add_blocker",
    title: "Add a blocker",
    description: "Makes a task wait until another is completed. Circles are refused.",
    toolset: "tasks",
    input: BLOCKER_PAIR,
    output: BLOCKER,
    annotations: CHANGES_ONCE,
    async run(wish, call) {
      const { addBlocker } = await import("../tasks/blockers.js");
      return { ...(await addBlocker(desk, { ...wish, actor: actorOf(desk, call) })), status: "added" };
    },
  });
