import { tool } from "@toolwright/engine";
import { createBranch } from "@toolwright/kit/git";
import { ADDS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { GIT_TOOL_MS, REPOSITORY, repositoryOf, statusChanged } from "./git-shapes.js";

/** Makes a branch. */
export const gitBranchCreate = (workstation: Workstation) =>
  tool({
    name: "git_branch_create",
    title: "Make a branch",
    description: "Makes a branch. checkout moves to it, where no file changes by that.",
    toolset: "git",
    aliases: ["git/branch_create", "git/create_branch"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        name: { type: "string" },
        start_point: { type: "string", default: "HEAD" },
        checkout: { type: "boolean", default: false },
      },
      required: ["name"],
    },
    output: {
      type: "object",
      properties: { name: { type: "string" }, hash: { type: "string" }, current: { type: "boolean" } },
      required: ["name", "hash", "current"],
    },
    annotations: ADDS,
    timeoutMs: GIT_TOOL_MS,
    async run({ repository_path: given, name, start_point: start, checkout: isCurrent }, call) {
      const repository = await repositoryOf(workstation, call, given);
      const hash = await createBranch(repository, { name, start, isCurrent });
      if (isCurrent) statusChanged(workstation);
      return { name, hash, current: isCurrent };
    },
  });
