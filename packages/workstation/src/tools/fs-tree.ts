import { Content, text, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";

/** Shows the folders and files below a folder. */
export const fsTree = (workstation: Workstation) =>
  tool({
    name: "fs_tree",
    title: "Show a folder tree",
    description: "Shows what is below a folder as a tree. Respects .gitignore.",
    toolset: "files",
    aliases: ["filesystem/tree", "directory_tree"],
    input: {
      type: "object",
      properties: {
        path: { type: "string", default: "." },
        depth: { type: "integer", minimum: 1, default: 3 },
        limit: { type: "integer", minimum: 1, maximum: 2000, default: 500 },
        ignored: { type: "boolean", default: false, description: "Include what git ignores" },
        after: { type: "string", description: "From `next`" },
      },
    },
    output: {
      type: "object",
      properties: {
        path: { type: "string" },
        entries: {
          type: "array",
          items: { type: "string" },
          description: "Paths below it; folders end with /, links with @",
        },
        skipped: { type: "array", items: { type: "string" }, description: "Folders that could not be read" },
        next: { type: "object", properties: { after: { type: "string" } }, required: ["after"] },
      },
      required: ["path", "entries"],
    },
    annotations: READS,
    async run(wish, call) {
      const { drawTree } = await import("@toolwright/kit/files/draw-tree.js");
      const { lines, ...tree } = await drawTree(await workstation.reach(call), wish);
      const more = tree.next === undefined ? [] : [`More: ${JSON.stringify(tree.next)}`];
      return new Content([text([...lines, ...more].join("\n"))], tree);
    },
  });
