import { tool } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { otherNames } from "./other-names.js";

const count = { type: "integer", minimum: 0 } as const;

/** Finds files and folders by glob. */
export const fsFind = (workstation: Workstation) =>
  tool({
    name: "fs_find",
    title: "Find files",
    description:
      "Finds files by glob, such as src/**/*.{ts,js}; one without / fits names anywhere. Respects .gitignore.",
    toolset: "files",
    aliases: ["filesystem/find", "search_files"],
    input: {
      type: "object",
      properties: {
        glob: { type: "string", minLength: 1 },
        path: { type: "string", default: "." },
        kind: { enum: ["file", "directory", "any"], default: "file" },
        sort: { enum: ["name", "newest"], default: "name" },
        ignored: { type: "boolean", default: false, description: "Include what git ignores" },
        offset: { ...count, default: 0 },
        limit: { type: "integer", minimum: 1, default: 500 },
      },
      required: ["glob"],
    },
    output: {
      type: "object",
      properties: {
        found: {
          type: "array",
          items: {
            type: "object",
            properties: {
              path: { type: "string" },
              kind: { type: "string" },
              size: count,
              modified: { type: "string" },
            },
            required: ["path", "kind"],
          },
        },
        total: count,
        skipped: { type: "array", items: { type: "string" }, description: "Folders that could not be read" },
        next: { type: "object", properties: { offset: count }, required: ["offset"] },
      },
      required: ["found", "total"],
    },
    annotations: READS,
    formatValidationError: otherNames({ pattern: "glob", excludePatterns: "not there (what git ignores is left out)" }),
    async run(wish, call) {
      const { findFiles } = await import("@toolwright/kit/files/find-files.js");
      const reach = await workstation.reach(call);
      const finds = await findFiles(reach, wish, (seen) => call.progress(seen, `${seen} entries seen`));
      const found = fitToBudget(finds.found);
      const end = wish.offset + found.length;
      return {
        found,
        total: finds.total,
        ...(finds.skipped.length > 0 && { skipped: [...finds.skipped] }),
        ...(end < finds.total && found.length > 0 && { next: { offset: end } }),
      };
    },
  });
