import { ToolError, tool } from "@toolwright/engine";
import { ADDS } from "../annotations.js";
import { authorOf } from "../author.js";
import type { Workstation } from "../workstation.js";

/** Names the moment, so that all after it can be looked at or undone. */
export const checkpoint = (workstation: Workstation) =>
  tool({
    name: "checkpoint",
    title: "Set a checkpoint",
    description: "Names this moment for undo_last and changes_since. The same name again moves it.",
    toolset: "changes",
    input: {
      type: "object",
      properties: { name: { type: "string", minLength: 1, maxLength: 100 } },
      required: ["name"],
    },
    output: {
      type: "object",
      properties: { name: { type: "string" }, at: { type: "string" }, change: { type: "integer" } },
      required: ["name", "at", "change"],
    },
    annotations: ADDS,
    async run({ name }, call) {
      const { isTakenForOther } = await import("../changes/deeds.js");
      if (isTakenForOther(name))
        throw new ToolError(`Cannot name a checkpoint ${JSON.stringify(name)}: it looks like a number or a time.`, {
          code: "INVALID_ARGUMENT",
        });
      const author = await authorOf(workstation, call, "checkpoint");
      return (await workstation.changes()).alone(author, async (journal) => {
        const madeAt = journal.now();
        const change = journal.table.last();
        journal.bundles.mark(author, { name, change, madeAt });
        return { name, at: new Date(madeAt).toISOString(), change };
      });
    },
  });
