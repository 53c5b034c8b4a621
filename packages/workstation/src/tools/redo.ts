import { ToolError, tool } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { REPLACES } from "../annotations.js";
import { askFirst } from "../asking.js";
import { announce, authorOf } from "../author.js";
import { LEFT, TOLD, TOTAL } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";

const MOST = 100;

/** Makes again what was undone, as long as nothing new was changed. */
export const redo = (workstation: Workstation) =>
  tool({
    name: "redo",
    title: "Redo changes",
    description: "Makes changes again that were undone, until you change something else.",
    toolset: "changes",
    input: {
      type: "object",
      properties: {
        count: { type: "integer", minimum: 1, maximum: MOST, default: 1 },
        force: { type: "boolean", default: false },
      },
    },
    output: {
      type: "object",
      properties: { redone: { type: "array", items: TOLD }, total: TOTAL, left: LEFT },
      required: ["redone", "total"],
    },
    annotations: REPLACES,
    async run({ count, force }, call) {
      const { goBack, placesOf, redoable, take, tell, tellLeft } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "redo");
      const changes = await workstation.changes();
      await askFirst(workstation, call, `Make ${count} undone changes again`, "destructive");
      return changes.alone(author, async (journal) => {
        const choose = (without: ReadonlySet<number>) => take(journal, redoable(journal, author), { count, without });
        const { changes: taken, left } = await goBack(journal, author, choose, { doing: "redo", force });
        if (taken.length + left.length === 0) throw new ToolError("There is nothing to redo.", { code: "NOT_FOUND" });
        for (const { bundle } of taken)
          if (bundle !== undefined && journal.bundles.find(bundle)?.state === "rolled_back")
            journal.bundles.end(bundle, "committed");
        announce(workstation, taken.flatMap(placesOf));
        const told = await Promise.all(
          taken.slice(0, MOST).map((change) => tell(journal, author.reach, { ...change, state: "done" }, undefined)),
        );
        return { redone: fitToBudget(told), total: taken.length, ...tellLeft(author.reach, left) };
      });
    },
  });
