import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";

const word = { type: "string" } as const;

/** Tells what there is to know of a file or folder without its content. */
export const fsInfo = (workstation: Workstation) =>
  tool({
    name: "fs_info",
    title: "Look at a file or folder",
    description: "Kind, size, times, permissions, encoding, hash and lines of a path, and whether git ignores it.",
    toolset: "files",
    aliases: ["filesystem/info", "get_file_info"],
    input: { type: "object", properties: { path: word }, required: ["path"] },
    output: {
      type: "object",
      properties: {
        path: word,
        kind: word,
        size: { type: "integer" },
        modified: word,
        created: word,
        accessed: word,
        mode: word,
        link_target: { ...word, description: "Where the path leads, if it is a symbolic link" },
        mime: word,
        encoding: word,
        total_lines: { type: "integer" },
        hash: word,
        git_ignored: { type: "boolean" },
      },
      required: ["path", "kind", "size", "modified", "created", "accessed", "mode", "git_ignored"],
    },
    annotations: READS,
    async run({ path }, call) {
      const { describeFile } = await import("@toolwright/kit/files/describe-file.js");
      return describeFile(await workstation.reach(call), path);
    },
  });
