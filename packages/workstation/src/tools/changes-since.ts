import { tool } from "@toolwright/engine";
import { sizeInJson } from "@toolwright/kit/files";
import { READS } from "../annotations.js";
import { authorOf } from "../author.js";
import { TOLD } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";

/** How much is given at once; a result must not grow without bounds. */
const MOST_BYTES = 30_000;
const MOST_DIFF = 6000;

/** Says what the caller has changed. */
export const changesSince = (workstation: Workstation) =>
  tool({
    name: "changes_since",
    title: "What was changed",
    description:
      "Your changes of files since a checkpoint, change number or ISO time, oldest first, with added and removed lines.",
    toolset: "changes",
    input: {
      type: "object",
      properties: {
        since: { type: ["string", "integer"], description: "All by default" },
        diffs: { type: "boolean", default: false },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 50 },
      },
    },
    output: {
      type: "object",
      properties: {
        changes: { type: "array", items: TOLD },
        next: { type: "object", description: "Arguments for the next page" },
      },
      required: ["changes"],
    },
    annotations: READS,
    async run({ since = 0, diffs, limit }, call) {
      const { changeBefore, placesOf, tell } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "changes_since");
      const { principal, reach } = author;
      const journal = await (await workstation.changes()).journal();
      let after = changeBefore(journal, author, since);
      const told: Awaited<ReturnType<typeof tell>>[] = [];
      const more = () => ({ changes: told, next: { since: after, limit, ...(diffs && { diffs }) } });
      for (let length = 0; ; ) {
        const [change] = journal.table.since(principal, after, 1);
        if (change === undefined) return { changes: told };
        call.signal.throwIfAborted();
        if (placesOf(change).every((place) => reach.isVisible(place))) {
          const next = await tell(journal, reach, change, { diffs, most: MOST_DIFF });
          length += sizeInJson(next);
          if (told.length === limit || (told.length > 0 && length > MOST_BYTES)) return more();
          told.push(next);
        }
        after = change.id;
      }
    },
  });
