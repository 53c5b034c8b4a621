import { tool } from "@toolwright/engine";
import { REPLACES } from "../annotations.js";
import { askFirst } from "../asking.js";
import { announce, authorOf } from "../author.js";
import { MADE } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";
import { otherNames } from "./other-names.js";

/** Moves or renames a file, a link or a folder. */
export const fsMove = (workstation: Workstation) =>
  tool({
    name: "fs_move",
    title: "Move a file or folder",
    description: "Moves or renames a file or folder, making the folders of the new place.",
    toolset: "files",
    aliases: ["move_file"],
    input: {
      type: "object",
      properties: {
        from: { type: "string" },
        to: { type: "string", description: "The new path, with its name" },
        overwrite: { type: "boolean", default: false },
      },
      required: ["from", "to"],
    },
    output: {
      type: "object",
      properties: { from: { type: "string" }, to: { type: "string" }, replaced: { type: "boolean" }, ...MADE },
      required: ["from", "to", "replaced"],
    },
    annotations: REPLACES,
    formatValidationError: otherNames({ source: "from", destination: "to" }),
    async run({ from, to, overwrite }, call) {
      const { draftMove, toMade } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "fs_move");
      const changes = await workstation.changes();
      const most = changes.limits.fileBytes;
      const there = overwrite ? await author.reach.stat(to) : undefined;
      if (there !== undefined)
        await askFirst(
          workstation,
          call,
          `Replace ${to} by ${from}`,
          there.stats.size > most ? "irreversible" : "destructive",
        );
      const { drafted, made } = await changes.make(author, () =>
        draftMove(author.reach, { from, to }, { overwrite, most }),
      );
      announce(workstation, [drafted.from, drafted.place]);
      const { reach } = author;
      return {
        from: reach.displayPath(drafted.from),
        to: reach.displayPath(drafted.place),
        replaced: drafted.isReplaced,
        ...toMade(made),
      };
    },
  });
