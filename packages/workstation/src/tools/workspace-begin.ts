import { tool } from "@toolwright/engine";
import { ADDS } from "../annotations.js";
import { authorOf } from "../author.js";
import type { Workstation } from "../workstation.js";

/** Begins a transaction. */
export const workspaceBegin = (workstation: Workstation) =>
  tool({
    name: "workspace_begin",
    title: "Begin a transaction",
    description:
      "Makes all your changes of files from now on one transaction. They are on the disk at once; workspace_rollback takes all back.",
    toolset: "changes",
    input: { type: "object", properties: { name: { type: "string", minLength: 1, maxLength: 100 } } },
    output: {
      type: "object",
      properties: { transaction: { type: "string" }, roots: { type: "array", items: { type: "string" } } },
      required: ["transaction", "roots"],
    },
    annotations: ADDS,
    async run({ name }, call) {
      const { beginBundle } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "workspace_begin");
      return (await workstation.changes()).alone(author, async (journal) => {
        const bundle = journal.atomically(() => beginBundle(journal, author, name));
        return { transaction: bundle.name, roots: [...bundle.roots] };
      });
    },
  });
