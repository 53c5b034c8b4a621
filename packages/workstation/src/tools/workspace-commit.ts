import { tool } from "@toolwright/engine";
import { ADDS } from "../annotations.js";
import { authorOf } from "../author.js";
import type { Workstation } from "../workstation.js";

/** Ends a transaction and keeps its changes. */
export const workspaceCommit = (workstation: Workstation) =>
  tool({
    name: "workspace_commit",
    title: "Commit a transaction",
    description: "Ends the transaction and keeps its changes; undo_last then undoes them as one.",
    toolset: "changes",
    output: {
      type: "object",
      properties: { transaction: { type: "string" }, changes: { type: "integer" } },
      required: ["transaction", "changes"],
    },
    annotations: ADDS,
    async run(_input, call) {
      const { commitBundle } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "workspace_commit");
      return (await workstation.changes()).alone(author, async (journal) => {
        const { bundle, changes } = journal.atomically(() => commitBundle(journal, author));
        return { transaction: bundle.name, changes };
      });
    },
  });
