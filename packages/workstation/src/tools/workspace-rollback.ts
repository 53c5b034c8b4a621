import { tool } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { REPLACES } from "../annotations.js";
import { askFirst } from "../asking.js";
import { announce, authorOf } from "../author.js";
import { LEFT, TOLD, TOTAL } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";

const MOST = 100;

/** Ends a transaction and takes its changes back. */
export const workspaceRollback = (workstation: Workstation) =>
  tool({
    name: "workspace_rollback",
    title: "Roll back a transaction",
    description:
      "Undoes all changes of the transaction and ends it. Refuses where somebody else has changed the files since.",
    toolset: "changes",
    input: { type: "object", properties: { force: { type: "boolean", default: false } } },
    output: {
      type: "object",
      properties: {
        transaction: { type: "string" },
        changes: TOTAL,
        undone: { type: "array", items: TOLD },
        left: LEFT,
      },
      required: ["transaction", "changes", "undone"],
    },
    annotations: REPLACES,
    async run({ force }, call) {
      const { placesOf, rollBackBundle, tell, tellLeft } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "workspace_rollback");
      const changes = await workstation.changes();
      const deed = "Undo all changes of the transaction";
      await askFirst(workstation, call, force ? `${deed}, and what others did since` : deed, "destructive");
      return changes.alone(author, async (journal) => {
        const { bundle, changes: undone, left } = await rollBackBundle(journal, author, force);
        announce(workstation, undone.flatMap(placesOf));
        const told = undone
          .slice(0, MOST)
          .map((change) => tell(journal, author.reach, { ...change, state: "undone" }, undefined));
        const facts = {
          transaction: bundle.name,
          changes: undone.length,
          undone: fitToBudget(await Promise.all(told)),
        };
        return { ...facts, ...tellLeft(author.reach, left) };
      });
    },
  });
