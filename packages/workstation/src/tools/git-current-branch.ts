import { tool } from "@toolwright/engine";
import { currentBranch, findCommit } from "@toolwright/kit/git";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { GIT_TOOL_MS, REPOSITORY, repositoryOf } from "./git-shapes.js";

const text = { type: "string" } as const;

/** Says which branch HEAD is on. */
export const gitCurrentBranch = (workstation: Workstation) =>
  tool({
    name: "git_current_branch",
    title: "Git current branch",
    description: "The current branch, or that HEAD is detached.",
    toolset: "git",
    aliases: ["git/current_branch", "GetCurrentBranchAsync"],
    input: { type: "object", properties: { repository_path: REPOSITORY } },
    output: {
      type: "object",
      properties: { branch: text, detached: { type: "boolean" }, hash: text },
      required: ["detached"],
    },
    annotations: READS,
    timeoutMs: GIT_TOOL_MS,
    async run({ repository_path: given }, call) {
      const repository = await repositoryOf(workstation, call, given);
      const branch = await currentBranch(repository);
      const hash = await findCommit(repository, "HEAD");
      return {
        ...(branch !== undefined && { branch }),
        detached: branch === undefined,
        ...(hash !== undefined && { hash }),
      };
    },
  });
