import { ToolError, tool } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { REPLACES } from "../annotations.js";
import { askFirst } from "../asking.js";
import { announce, authorOf } from "../author.js";
import { LEFT, TOLD, TOTAL } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";

const MOST = 100;

/** Takes back what the caller has changed last. */
export const undoLast = (workstation: Workstation) =>
  tool({
    name: "undo_last",
    title: "Undo changes",
    description: "Undoes your last changes of files. Refuses with a diff where somebody else has changed them since.",
    toolset: "changes",
    input: {
      type: "object",
      properties: {
        count: { type: "integer", minimum: 1, maximum: MOST, default: 1 },
        to_checkpoint: { type: "string", description: "Undo all since then" },
        force: { type: "boolean", default: false },
      },
    },
    output: {
      type: "object",
      properties: { undone: { type: "array", items: TOLD }, total: TOTAL, left: LEFT, transaction: { type: "string" } },
      required: ["undone", "total"],
    },
    annotations: REPLACES,
    async run({ count, to_checkpoint: checkpoint, force }, call) {
      const { changeBefore, goBack, openBundle, placesOf, take, tell, tellLeft, undoable } = await import(
        "../changes/deeds.js"
      );
      const author = await authorOf(workstation, call, "undo_last");
      const changes = await workstation.changes();
      const deed = checkpoint === undefined ? `Undo the last ${count} changes` : `Undo all changes since ${checkpoint}`;
      await askFirst(workstation, call, force ? `${deed}, and what others did since` : deed, "destructive");
      return changes.alone(author, async (journal) => {
        const choice =
          checkpoint === undefined
            ? { count }
            : { count: Number.POSITIVE_INFINITY, after: changeBefore(journal, author, checkpoint) };
        const choose = (without: ReadonlySet<number>) =>
          take(journal, undoable(journal, author), { ...choice, without });
        const { changes: taken, left } = await goBack(journal, author, choose, { doing: "undo", force });
        if (taken.length + left.length === 0) throw new ToolError("There is nothing to undo.", { code: "NOT_FOUND" });
        announce(workstation, taken.flatMap(placesOf));
        const open = openBundle(journal, author);
        const told = await Promise.all(
          taken.slice(0, MOST).map((change) => tell(journal, author.reach, { ...change, state: "undone" }, undefined)),
        );
        const facts = { undone: fitToBudget(told), total: taken.length, ...tellLeft(author.reach, left) };
        return { ...facts, ...(open !== undefined && { transaction: open.name }) };
      });
    },
  });
