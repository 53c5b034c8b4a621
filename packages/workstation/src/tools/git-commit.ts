import { tool } from "@toolwright/engine";
import { commitStaged } from "@toolwright/kit/git";
import { ADDS, RUNS } from "../annotations.js";
import { askFirst } from "../asking.js";
import type { Workstation } from "../workstation.js";
import { COMMIT, GIT_TOOL_MS, REPOSITORY, repositoryOf, statusChanged } from "./git-shapes.js";

/** Commits what is staged. */
export const gitCommit = (workstation: Workstation) =>
  tool({
    name: "git_commit",
    title: "Commit",
    description: "Commits what is staged.",
    toolset: "git",
    aliases: ["git/commit", "CommitAsync"],
    input: {
      type: "object",
      properties: { repository_path: REPOSITORY, message: { type: "string" } },
      required: ["message"],
    },
    output: {
      type: "object",
      properties: {
        commit: COMMIT,
        branch: { type: "string" },
        hooks: { enum: ["run", "skipped"] },
        signed: { type: "boolean" },
      },
      required: ["commit", "hooks", "signed"],
    },
    annotations: workstation.settings.git_hooks ? RUNS : ADDS,
    timeoutMs: GIT_TOOL_MS,
    async run({ repository_path: given, message }, call) {
      const isHooked = workstation.settings.git_hooks;
      const repository = await repositoryOf(workstation, call, given);
      if (isHooked) await askFirst(workstation, call, "Commit, and run the hooks of the repository", "destructive");
      const { commit, branch, isSigned } = await commitStaged(repository, message, { isHooked });
      statusChanged(workstation);
      return {
        commit,
        ...(branch !== undefined && { branch }),
        hooks: isHooked ? ("run" as const) : ("skipped" as const),
        signed: isSigned,
      };
    },
  });
