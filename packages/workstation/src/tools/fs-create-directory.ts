import { tool } from "@toolwright/engine";
import { ADDS_ONCE } from "../annotations.js";
import { authorOf } from "../author.js";
import { MADE } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";

/** Makes a folder, and those on the way to it. */
export const fsCreateDirectory = (workstation: Workstation) =>
  tool({
    name: "fs_create_directory",
    title: "Create a folder",
    description: "Makes a folder and those above it; does nothing where it exists.",
    toolset: "files",
    aliases: ["filesystem/create_directory", "CreateDirectory", "create_directory"],
    input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    output: {
      type: "object",
      properties: { path: { type: "string" }, created: { type: "boolean" }, ...MADE },
      required: ["path", "created"],
    },
    annotations: ADDS_ONCE,
    async run({ path }, call) {
      const { draftFolder, toMade } = await import("../changes/deeds.js");
      const author = await authorOf(workstation, call, "fs_create_directory");
      const changes = await workstation.changes();
      const { drafted, made } = await changes.make(author, () => draftFolder(author.reach, path));
      return { path: author.reach.displayPath(drafted.place), created: made !== undefined, ...toMade(made) };
    },
  });
