import { tool } from "@toolwright/engine";
import { invalidGitArgument, stage } from "@toolwright/kit/git";
import { ADDS_ONCE } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { GIT_TOOL_MS, REPOSITORY, repositoryOf, statusChanged } from "./git-shapes.js";

const text = { type: "string" } as const;

/** How many files a result names. */
const MOST_NAMED = 200;

/** Stages files. */
export const gitAdd = (workstation: Workstation) =>
  tool({
    name: "git_add",
    title: "Stage files",
    description: "Stages files and folders for the next commit, deletions included.",
    toolset: "git",
    aliases: ["git/add", "AddAsync"],
    input: {
      type: "object",
      properties: { repository_path: REPOSITORY, files: { type: ["array", "string"], items: text } },
      required: ["files"],
    },
    output: {
      type: "object",
      properties: {
        total: { type: "integer" },
        staged: {
          type: "array",
          items: { type: "object", properties: { path: text, status: text }, required: ["path", "status"] },
        },
        skipped: {
          type: "array",
          items: { type: "object", properties: { path: text, reason: text }, required: ["path", "reason"] },
        },
      },
      required: ["total", "staged"],
    },
    annotations: ADDS_ONCE,
    timeoutMs: GIT_TOOL_MS,
    async run({ repository_path: given, files }, call) {
      const wanted = typeof files === "string" ? [files] : files;
      if (wanted.length === 0)
        throw invalidGitArgument('Cannot stage nothing: give files, or ["."] for all that has changed.');
      const { staged, skipped } = await stage(await repositoryOf(workstation, call, given), wanted);
      statusChanged(workstation);
      return {
        total: staged.length,
        staged: staged.slice(0, MOST_NAMED),
        ...(skipped.length > 0 && { skipped: skipped.slice(0, MOST_NAMED) }),
      };
    },
  });
