import { tool } from "@toolwright/engine";
import { statIfExists } from "@toolwright/kit/files";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";

/** Says whether a path is a folder. */
export const fsDirectoryExists = (workstation: Workstation) =>
  tool({
    name: "fs_directory_exists",
    title: "Does a folder exist?",
    description: "Whether a path is a folder.",
    toolset: "files",
    aliases: ["filesystem/directory_exists", "DirectoryExists"],
    input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    output: { type: "object", properties: { exists: { type: "boolean" } }, required: ["exists"] },
    annotations: READS,
    async run({ path }, call) {
      const stats = await statIfExists(await workstation.reach(call), path);
      return { exists: stats?.isDirectory() ?? false };
    },
  });
