import { tool } from "@toolwright/engine";
import { FolderLists, listFolder } from "@toolwright/kit/files";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";

const count = { type: "integer", minimum: 0 } as const;

/** Lists a folder. */
export const fsListDirectory = (workstation: Workstation) => {
  const lists = new FolderLists();
  return tool({
    name: "fs_list_directory",
    title: "List a folder",
    description: "Lists the entries of a folder, hidden ones included.",
    toolset: "files",
    aliases: ["filesystem/list_directory", "ListDirectory", "list_directory"],
    input: {
      type: "object",
      properties: {
        path: { type: "string", default: "." },
        sort: { enum: ["name", "size", "modified"], default: "name" },
        offset: { ...count, default: 0 },
        limit: { type: "integer", minimum: 1, default: 1000 },
      },
    },
    output: {
      type: "object",
      properties: {
        path: { type: "string" },
        total: count,
        entries: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              kind: { type: "string" },
              size: count,
              modified: { type: "string" },
            },
            required: ["name", "kind"],
          },
        },
        next: { type: "object", properties: { offset: count }, required: ["offset"] },
      },
      required: ["path", "total", "entries"],
    },
    annotations: READS,
    async run(wish, call) {
      const reach = await workstation.reach(call);
      const { realPath: place, total, entries } = await listFolder(reach, lists, wish);
      const end = wish.offset + entries.length;
      return { path: reach.displayPath(place), total, entries, ...(end < total && { next: { offset: end } }) };
    },
  });
};
