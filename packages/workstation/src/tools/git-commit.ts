import { type Tool, tool } from "@toolwright/engine";
import { commitStaged, createBranch, invalidGitArgument, stage } from "@toolwright/kit/git";
import { CREATE, RUN, UPDATE } from "@toolwright/kit/pack";
import type { Workstation } from "../workstation.js";
import {
  acceptGitNames,
  COMMIT,
  GIT_TOOL_MS,
  notifyStatusChanged,
  openCallRepository,
  REPOSITORY,
  text,
} from "./git-schemas.js";

const MAX_LISTED = 200;

/** The tools that change repositories. */
export const gitCommitTools = (workstation: Workstation): readonly Tool[] => [
  gitBranchCreate(workstation),
  gitAdd(workstation),
  gitCommit(workstation),
];

const gitBranchCreate = (workstation: Workstation) =>
  tool({
    name: "git_branch_create",
    title: "Create a branch",
    description: "Creates a branch, and switches to it with checkout if no file changes by that.",
    toolset: "git",
    aliases: ["git/branch_create", "git/create_branch"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        name: { type: "string", description: "The name of the branch" },
        start_point: { type: "string", default: "HEAD", description: "Commit, branch or tag" },
        checkout: { type: "boolean", default: false, description: "Switch to it" },
      },
      required: ["name"],
    },
    output: {
      type: "object",
      properties: { name: text, hash: text, current: { type: "boolean" } },
      required: ["name", "hash", "current"],
    },
    annotations: CREATE,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptGitNames({ name: ["branch_name", "branchName", "branch"] }),
    async run({ repository_path: inputPath, name, start_point: start, checkout: isCurrent }, call) {
      const repository = await openCallRepository(workstation, call, inputPath);
      const hash = await createBranch(repository, { name, start, isCurrent });
      if (isCurrent) notifyStatusChanged(workstation);
      return { name, hash, current: isCurrent };
    },
  });

const gitAdd = (workstation: Workstation) =>
  tool({
    name: "git_add",
    title: "Stage files",
    description: "Stages changed, new and deleted files for the next commit.",
    toolset: "git",
    aliases: ["git/add", "AddAsync"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        files: { type: ["array", "string"], items: text, description: 'Files and folders; ["."] for all changes' },
      },
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
    annotations: UPDATE,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptGitNames({ files: ["paths", "path", "file"] }),
    async run({ repository_path: inputPath, files }, call) {
      const wanted = typeof files === "string" ? [files] : files;
      if (wanted.length === 0)
        throw invalidGitArgument('Cannot stage nothing: name files, or use ["."] for all changes.');
      const { staged, skipped } = await stage(await openCallRepository(workstation, call, inputPath), wanted);
      notifyStatusChanged(workstation);
      return {
        total: staged.length,
        staged: staged.slice(0, MAX_LISTED),
        ...(skipped.length > 0 && { skipped: skipped.slice(0, MAX_LISTED) }),
      };
    },
  });

const gitCommit = (workstation: Workstation) =>
  tool({
    name: "git_commit",
    title: "Commit",
    description: "Commits the staged changes. Stage files with git_add first.",
    toolset: "git",
    aliases: ["git/commit", "CommitAsync"],
    input: {
      type: "object",
      properties: { repository_path: REPOSITORY, message: { type: "string", description: "The commit message" } },
      required: ["message"],
    },
    output: {
      type: "object",
      properties: { commit: COMMIT, branch: text, hooks: { enum: ["run", "skipped"] }, signed: { type: "boolean" } },
      required: ["commit", "hooks", "signed"],
    },
    annotations: workstation.settings.gitHooks ? RUN : CREATE,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptGitNames(),
    async run({ repository_path: inputPath, message }, call) {
      const isHooked = workstation.settings.gitHooks;
      const repository = await openCallRepository(workstation, call, inputPath);
      if (isHooked) await workstation.confirm(call, "Commit, and run the hooks of the repository", "destructive");
      const { commit, branch, isSigned } = await commitStaged(repository, message, { isHooked });
      notifyStatusChanged(workstation);
      return {
        commit,
        ...(branch !== undefined && { branch }),
        hooks: isHooked ? ("run" as const) : ("skipped" as const),
        signed: isSigned,
      };
    },
  });
