import { tool } from "@toolwright/engine";
import { REPLACES } from "../annotations.js";
import { askFirst, isAskedFor } from "../asking.js";
import { announce, authorOf } from "../author.js";
import { MADE } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";

/** Deletes a file, or a link and not what it leads to. */
export const fsDeleteFile = (workstation: Workstation) =>
  tool({
    name: "fs_delete_file",
    title: "Delete a file",
    description: "Deletes a file or a symbolic link, never a folder.",
    toolset: "files",
    aliases: ["filesystem/delete", "DeleteFile", "delete_file"],
    input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    output: { type: "object", properties: { path: { type: "string" }, ...MADE }, required: ["path"] },
    annotations: REPLACES,
    async run({ path }, call) {
      const { draftDelete, toMade } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "fs_delete_file");
      const changes = await workstation.changes();
      const draft = () => draftDelete(author.reach, path, changes.limits.fileBytes);
      if (isAskedFor(workstation, call, "irreversible")) {
        const { state } = await draft();
        const isTooLarge = state.kind === "file" && state.size > changes.limits.fileBytes;
        await askFirst(workstation, call, `Delete ${path}`, isTooLarge ? "irreversible" : "destructive");
      }
      const { drafted, made } = await changes.make(author, draft);
      announce(workstation, [drafted.place]);
      return { path: author.reach.displayPath(drafted.place), ...toMade(made) };
    },
  });
