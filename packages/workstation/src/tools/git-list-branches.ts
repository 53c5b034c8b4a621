import { tool } from "@toolwright/engine";
import { currentBranch, listBranches } from "@toolwright/kit/git";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { GIT_TOOL_MS, OFFSET, REPOSITORY, repositoryOf } from "./git-shapes.js";

const text = { type: "string" } as const;

/** How many branches one result has at most. */
const MOST_BRANCHES = 200;

/** Lists branches. */
export const gitListBranches = (workstation: Workstation) =>
  tool({
    name: "git_list_branches",
    title: "Git branches",
    description: "Local and remote branches, each with its upstream and last commit.",
    toolset: "git",
    aliases: ["git/list_branches", "git/branches", "ListBranchesAsync"],
    input: { type: "object", properties: { repository_path: REPOSITORY, offset: OFFSET } },
    output: {
      type: "object",
      properties: {
        current: text,
        branches: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: text,
              remote: { type: "boolean" },
              current: { type: "boolean" },
              hash: text,
              date: text,
              subject: text,
              upstream: text,
              track: text,
            },
            required: ["name", "hash", "date", "subject"],
          },
        },
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
      },
      required: ["branches"],
    },
    annotations: READS,
    timeoutMs: GIT_TOOL_MS,
    async run({ repository_path: given, offset }, call) {
      const repository = await repositoryOf(workstation, call, given);
      const current = await currentBranch(repository);
      const { branches, next } = await listBranches(repository, offset, MOST_BRANCHES);
      return {
        ...(current !== undefined && { current }),
        branches: [...branches],
        ...(next !== undefined && { next: { offset: next } }),
      };
    },
  });
