import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";

const count = { type: "integer", minimum: 0 } as const;
const lines = { type: "array", items: { type: "string" } } as const;

/** Searches the contents of files. */
export const fsSearch = (workstation: Workstation) =>
  tool({
    name: "fs_search",
    title: "Search in files",
    description:
      "Searches lines by regular expression (no lookaround or back-references) or literal text. Respects .gitignore.",
    toolset: "files",
    aliases: ["filesystem/search", "grep"],
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1 },
        path: { type: "string", default: "." },
        literal: { type: "boolean", default: false },
        ignore_case: { type: "boolean", default: false },
        glob: { type: "string", description: "Which files; a first ! excludes" },
        context: { ...count, maximum: 20, default: 0 },
        limit: { type: "integer", minimum: 1, default: 100 },
        per_file: { type: "integer", minimum: 1 },
        counts: { type: "boolean", default: false, description: "Only how many lines match in each file" },
        ignored: { type: "boolean", default: false, description: "Include what git ignores" },
        after: { type: "string", description: "From `next`" },
      },
      required: ["pattern"],
    },
    output: {
      type: "object",
      properties: {
        files: {
          type: "array",
          items: {
            type: "object",
            properties: {
              path: { type: "string" },
              count,
              matches: {
                type: "array",
                items: {
                  type: "object",
                  properties: { line: count, column: count, text: { type: "string" }, before: lines, after: lines },
                  required: ["line", "column", "text"],
                },
              },
            },
            required: ["path"],
          },
        },
        matches: { ...count, description: "Lines that match, on this page" },
        searched: { ...count, description: "Files searched for this page" },
        skipped: { ...lines, description: "What could not be read" },
        next: { type: "object", properties: { after: { type: "string" } }, required: ["after"] },
      },
      required: ["files", "matches", "searched"],
    },
    annotations: READS,
    async run(wish, call) {
      const [{ searchFiles }, { findRipgrep }] = await Promise.all([
        import("@toolwright/kit/files/search.js"),
        import("@toolwright/kit/files/ripgrep.js"),
      ]);
      return searchFiles(await workstation.reach(call), wish, {
        ripgrep: await findRipgrep(),
        onProgress: (searched) => call.progress(searched, `${searched} files searched`),
      });
    },
  });
