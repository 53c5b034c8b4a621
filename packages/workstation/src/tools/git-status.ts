import { tool } from "@toolwright/engine";
import { readStatus, toStatusResult } from "@toolwright/kit/git";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { GIT_TOOL_MS, OFFSET, REPOSITORY, repositoryOf } from "./git-shapes.js";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const entry = {
  type: "object",
  properties: { path: text, status: text, from: text, submodule: { type: "boolean" } },
  required: ["path", "status"],
} as const;
const entries = { type: "array", items: entry } as const;

/** How many files one result has at most. */
const MOST_ENTRIES = 300;

/** Says what differs in a working tree. */
export const gitStatus = (workstation: Workstation) =>
  tool({
    name: "git_status",
    title: "Git status",
    description: "Branch, upstream, state, and the staged, unstaged, untracked and conflicting files.",
    toolset: "git",
    aliases: ["git/status", "GetStatusAsync"],
    input: { type: "object", properties: { repository_path: REPOSITORY, offset: OFFSET } },
    output: {
      type: "object",
      properties: {
        repository: text,
        branch: text,
        detached: { type: "boolean" },
        commit: text,
        upstream: text,
        ahead: count,
        behind: count,
        state: text,
        clean: { type: "boolean" },
        counts: {
          type: "object",
          properties: { staged: count, unstaged: count, untracked: count, conflicts: count },
          required: ["staged", "unstaged", "untracked", "conflicts"],
        },
        staged: entries,
        unstaged: entries,
        untracked: { type: "array", items: text },
        conflicts: entries,
        filters_off: { type: "array", items: text },
        next: { type: "object", properties: { offset: count }, required: ["offset"] },
      },
      required: ["repository", "detached", "clean", "counts", "staged", "unstaged", "untracked", "conflicts"],
    },
    annotations: READS,
    timeoutMs: GIT_TOOL_MS,
    async run({ repository_path: given, offset }, call) {
      const repository = await repositoryOf(workstation, call, given);
      return toStatusResult(repository, await readStatus(repository, offset, MOST_ENTRIES));
    },
  });
