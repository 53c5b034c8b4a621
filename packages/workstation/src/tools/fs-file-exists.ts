import { tool } from "@toolwright/engine";
import { statIfExists } from "@toolwright/kit/files";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";

/** Says whether a path is a file. */
export const fsFileExists = (workstation: Workstation) =>
  tool({
    name: "fs_file_exists",
    title: "Does a file exist?",
    description: "Whether a path is a file.",
    toolset: "files",
    aliases: ["filesystem/file_exists", "FileExists"],
    input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    output: { type: "object", properties: { exists: { type: "boolean" } }, required: ["exists"] },
    annotations: READS,
    async run({ path }, call) {
      const stats = await statIfExists(await workstation.reach(call), path);
      return { exists: stats?.isFile() ?? false };
    },
  });
