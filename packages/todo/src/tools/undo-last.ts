import { tool } from "@toolwright/engine";
import { REPLACES } from "../annotations.js";
import type { Desk } from "../desk.js";
import { actorOf } from "./actor.js";
import { REASON } from "./arguments.js";
import { HISTORY } from "./output-schemas.js";
import { fitting, toListedEntry } from "./shown.js";

/** Takes the last deed back. */
export const undoLastTool = (desk: Desk, hasUndo: boolean) =>
  tool({
    name: "undo_last_task",
    title: "Undo the last change of a task",
    description: "Takes back the last change of tasks that was not taken back yet.",
    toolset: "tasks",
    ...(hasUndo && { aliases: ["undo_last"] }),
    input: {
      type: "object",
      properties: {
        by: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "Whose change; yours by default, * anybody's.",
        },
        reason: REASON,
      },
      required: [],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { undone: HISTORY, total: { type: "integer" } },
      required: ["undone", "total"],
    },
    annotations: REPLACES,
    async run({ by, reason }, call) {
      const { undoLast } = await import("../tasks/undo-last.js");
      const actor = actorOf(desk, call);
      const { undone } = await undoLast(desk, { by: by === "*" ? undefined : (by ?? actor), actor, reason });
      return { undone: [...fitting(undone.map(toListedEntry))], total: undone.length };
    },
  });
