import { type Tool, tool } from "@toolwright/engine";
import {
  currentBranch,
  emptyTree,
  findCommit,
  listBranches,
  type Repository,
  readBlame,
  readDiff,
  readLog,
  readStatus,
  resolveCommit,
  resolveCommitRange,
  resolveRange,
  showPath,
  toLogOptions,
  toStatusResult,
  workingFiles,
} from "@toolwright/kit/git";
import { CURSOR, invalidCursor, NEXT_CURSOR, nextCursor, offsetOf, READ } from "@toolwright/kit/pack";
import type { Workstation } from "../workstation.js";
import {
  acceptDiffPosition,
  acceptGitNames,
  COMMIT,
  count,
  FILES,
  GIT_TOOL_MS,
  openCallRepository,
  parseDiffCursor,
  REPOSITORY,
  text,
} from "./git-schemas.js";

/** The tools that read repositories. */
export const gitReadTools = (workstation: Workstation): readonly Tool[] => [
  gitStatus(workstation),
  gitLog(workstation),
  gitDiff(workstation),
  gitShow(workstation),
  gitBlame(workstation),
  gitListBranches(workstation),
  gitCurrentBranch(workstation),
];

const statusEntries = {
  type: "array",
  items: {
    type: "object",
    properties: { path: text, status: text, from: text, submodule: { type: "boolean" } },
    required: ["path", "status"],
  },
} as const;

const MAX_STATUS_ENTRIES = 300;

const gitStatus = (workstation: Workstation) =>
  tool({
    name: "git_status",
    title: "Git status",
    description:
      "Shows the branch and commit, upstream, a merge or rebase in progress, and staged, unstaged, untracked and conflicting files.",
    toolset: "git",
    aliases: ["git/status", "GetStatusAsync"],
    input: { type: "object", properties: { repository_path: REPOSITORY, cursor: CURSOR } },
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
        staged: statusEntries,
        unstaged: statusEntries,
        untracked: { type: "array", items: text },
        conflicts: statusEntries,
        filters_off: {
          type: "array",
          items: text,
          description: "Filters that were not run, so files may look changed",
        },
        next_cursor: NEXT_CURSOR,
      },
      required: ["repository", "detached", "clean", "counts", "staged", "unstaged", "untracked", "conflicts"],
    },
    annotations: READ,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptGitNames({}, "offset"),
    async run({ repository_path: inputPath, cursor }, call) {
      const repository = await openCallRepository(workstation, call, inputPath);
      const status = await readStatus(repository, offsetOf(cursor), MAX_STATUS_ENTRIES);
      const { next, ...result } = toStatusResult(repository, status);
      return { ...result, ...nextCursor(next?.offset) };
    },
  });

/** A position in a log, the number of commits that are left, and the revisions that the first page was about. */
const LOG_CURSOR = /^(?<skip>\d{1,9})(?::(?<left>\d{1,9}):(?<range>.+))?$/;

const gitLog = (workstation: Workstation) =>
  tool({
    name: "git_log",
    title: "Git log",
    description: "Lists commits, newest first. For the patch of a commit use git_show.",
    toolset: "git",
    aliases: ["git/log", "GetLogAsync"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        revision: { type: "string", description: "Commit, branch or range such as main..topic; HEAD by default" },
        path: { type: "string", description: "Only changes of this file or folder" },
        author: { type: "string", description: "Part of the name or email" },
        since: { type: "string", description: "Such as 2026-01-31 or 2 weeks ago" },
        until: { type: "string", description: "Such as yesterday" },
        files: { type: "boolean", default: false, description: "Include the changed files" },
        limit: { type: "integer", minimum: 1, maximum: 1000, default: 10, description: "At most this many commits" },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: { commits: { type: "array", items: COMMIT }, shallow: { type: "boolean" }, next_cursor: NEXT_CURSOR },
      required: ["commits"],
    },
    annotations: READ,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptGitNames({ limit: ["max_count", "maxCount", "n"] }, "skip"),
    async run(
      { repository_path: inputPath, limit, cursor, revision = "HEAD", path, files: hasFiles, ...filter },
      call,
    ) {
      const { skip = 0, left = limit, range: pinned } = parseLogCursor(cursor);
      const options = toLogOptions(filter);
      const repository = await openCallRepository(workstation, call, inputPath);
      if (revision === "HEAD" && (await findCommit(repository, "HEAD")) === undefined) return { commits: [] };
      // Hashes instead of names, so that the next page continues where this one ends after new commits.
      const range = await resolveRange(repository, pinned ?? revision);
      const names = path === undefined ? [] : [await repository.nameOf(path)];
      const { commits, next } = await readLog(repository, {
        which: [...options, range],
        names,
        skip,
        limit: left,
        hasFiles,
        bodyCharacters: 600,
      });
      const rest = left - commits.length;
      return {
        commits: [...commits],
        ...(repository.isShallow && { shallow: true }),
        ...(next !== undefined && { next_cursor: `${next}:${rest > 0 ? rest : limit}:${range}` }),
      };
    },
  });

function parseLogCursor(cursor: string | undefined): {
  readonly skip?: number;
  readonly left?: number;
  readonly range?: string | undefined;
} {
  if (cursor === undefined) return {};
  const { skip, left, range } = LOG_CURSOR.exec(cursor)?.groups ?? {};
  if (skip === undefined) throw invalidCursor(cursor);
  return { skip: Number(skip), ...(left !== undefined && { left: Math.max(1, Number(left)) }), range };
}

const gitDiff = (workstation: Workstation) =>
  tool({
    name: "git_diff",
    title: "Git diff",
    description: "Shows changes of the working files that are not staged, staged changes, or changes between commits.",
    toolset: "git",
    aliases: ["git/diff", "GetDiffAsync"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        staged: { type: "boolean", default: false, description: "Staged changes" },
        target: {
          type: "string",
          description: "Compare with this commit or branch; a..b compares two, a...b from their common ancestor",
        },
        paths: { type: "array", items: { type: "string" }, description: "Only these files or folders" },
        stat_only: { type: "boolean", default: false, description: "Only numbers of lines, no patches" },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: { total: { type: "integer" }, files: FILES, next_cursor: NEXT_CURSOR },
      required: ["total", "files"],
    },
    annotations: READ,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptDiffPosition,
    async run({ repository_path: inputPath, staged, target, paths = [], stat_only: isStat, cursor }, call) {
      const position = parseDiffCursor(cursor);
      const repository = await openCallRepository(workstation, call, inputPath);
      const between = await diffArguments(repository, staged, target);
      const names = await Promise.all(paths.map((each) => repository.nameOf(each)));
      const { total, files, next } = await readDiff(repository, { between, names, ...position, hasPatch: !isStat });
      return { total, files: [...files], ...nextCursor(next?.offset, next?.line) };
    },
  });

async function diffArguments(
  repository: Repository,
  isStaged: boolean,
  target: string | undefined,
): Promise<readonly string[]> {
  const range = target === undefined ? undefined : await resolveCommitRange(repository, target);
  if (range?.to !== undefined) return [range.from, range.to];
  workingFiles(repository);
  if (isStaged) return ["--cached", ...(range === undefined ? [] : [range.from])];
  // Conflicting files are compared with our side.
  return range === undefined ? ["--ours"] : [range.from];
}

/** What is left for patches beside the message of a commit. */
const PATCH_BYTES = 24 * 1024;

const gitShow = (workstation: Workstation) =>
  tool({
    name: "git_show",
    title: "Git show",
    description: "Shows a commit with its patch, or with path a file or folder as it was in that commit.",
    toolset: "git",
    aliases: ["git/show"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        revision: { type: "string", default: "HEAD", description: "Commit, branch or tag" },
        path: { type: "string", description: "File or folder to show instead of the patch" },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: {
        commit: COMMIT,
        total: count,
        files: FILES,
        path: text,
        kind: text,
        hash: text,
        size: count,
        binary: { type: "boolean" },
        text,
        entries: { type: "array", items: text },
        next_cursor: NEXT_CURSOR,
      },
    },
    annotations: READ,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptDiffPosition,
    async run({ repository_path: inputPath, revision, path, cursor }, call) {
      const { offset, line } = parseDiffCursor(cursor);
      const repository = await openCallRepository(workstation, call, inputPath);
      const hash = await resolveCommit(repository, revision);
      if (path === undefined) return showCommit(repository, hash, offset, line);
      const name = await repository.nameOf(path);
      const { next, entries, ...shown } = await showPath(repository, hash, name, Math.max(line, 1));
      return {
        path: repository.show(name) ?? path,
        ...shown,
        ...(entries !== undefined && { entries: [...entries] }),
        ...(next !== undefined && nextCursor(0, next)),
      };
    },
  });

async function showCommit(repository: Repository, hash: string, offset: number, line: number) {
  const { commits } = await readLog(repository, {
    which: [hash],
    names: [],
    skip: 0,
    limit: 1,
    hasFiles: false,
    bodyCharacters: 6000,
  });
  const [commit] = commits;
  const between = [commit?.parents[0] ?? emptyTree(repository), hash];
  const { total, files, next } = await readDiff(repository, {
    between,
    names: [],
    offset,
    line,
    hasPatch: true,
    pageBytes: PATCH_BYTES,
  });
  return {
    ...(commit !== undefined && { commit }),
    total,
    files: [...files],
    ...nextCursor(next?.offset, next?.line),
  };
}

const lineNumber = { type: "integer", minimum: 1 } as const;

const MAX_BLAME_LINES = 200;

const gitBlame = (workstation: Workstation) =>
  tool({
    name: "git_blame",
    title: "Git blame",
    description:
      "Shows who last changed each line of a file and in which commit. Lines without a hash are not committed.",
    toolset: "git",
    aliases: ["git/blame"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        path: { type: "string", description: "The file" },
        revision: { type: "string", description: "Commit, branch or tag; the working file by default" },
        start_line: { ...lineNumber, default: 1, description: "First line" },
        end_line: { ...lineNumber, description: "Last line" },
        cursor: CURSOR,
      },
      required: ["path"],
    },
    output: {
      type: "object",
      properties: {
        path: text,
        lines: {
          type: "array",
          items: {
            type: "object",
            properties: { line: lineNumber, hash: text, author: text, date: text, text },
            required: ["line", "text"],
          },
        },
        next_cursor: NEXT_CURSOR,
      },
      required: ["path", "lines"],
    },
    annotations: READ,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptGitNames({ path: ["file", "file_path"], revision: ["commit", "ref"] }),
    async run(
      { repository_path: inputPath, path, revision, start_line, end_line: end = Number.MAX_SAFE_INTEGER, cursor },
      call,
    ) {
      const start = Math.max(start_line, offsetOf(cursor));
      const repository = await openCallRepository(workstation, call, inputPath);
      const name = await repository.nameOf(path);
      const commit =
        revision === undefined ? await workingCommit(repository, name) : await resolveCommit(repository, revision);
      const limit = Math.max(1, Math.min(MAX_BLAME_LINES, end - start + 1));
      const { lines, next } = await readBlame(repository, { name, commit, start, limit });
      const hasMore = next !== undefined && next <= end;
      return { path: repository.show(name) ?? path, lines: [...lines], ...nextCursor(hasMore ? next : undefined) };
    },
  });

/**
 * Undefined for the working file. Git would follow a folder that is a link by now, wherever it leads; then the lines of the last commit
 * are shown.
 */
async function workingCommit(repository: Repository, name: string): Promise<string | undefined> {
  const realPath = repository.place(name);
  const found = repository.isBare ? undefined : await repository.access.stat(realPath).catch(() => undefined);
  return found?.realPath === realPath ? undefined : ((await findCommit(repository, "HEAD")) ?? undefined);
}

const MAX_BRANCHES = 200;

const gitListBranches = (workstation: Workstation) =>
  tool({
    name: "git_list_branches",
    title: "Git branches",
    description: "Lists local and remote branches with their upstreams and last commits.",
    toolset: "git",
    aliases: ["git/list_branches", "git/branches", "ListBranchesAsync"],
    input: { type: "object", properties: { repository_path: REPOSITORY, cursor: CURSOR } },
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
        next_cursor: NEXT_CURSOR,
      },
      required: ["branches"],
    },
    annotations: READ,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptGitNames({}, "offset"),
    async run({ repository_path: inputPath, cursor }, call) {
      const repository = await openCallRepository(workstation, call, inputPath);
      const current = await currentBranch(repository);
      const { branches, next } = await listBranches(repository, offsetOf(cursor), MAX_BRANCHES);
      return { ...(current !== undefined && { current }), branches: [...branches], ...nextCursor(next) };
    },
  });

/** The tool that git_status replaces. */
const gitCurrentBranch = (workstation: Workstation) =>
  tool({
    name: "git_current_branch",
    replacedBy: "git_status",
    title: "Git current branch",
    description: "Shows the current branch, or that HEAD is detached.",
    toolset: "git",
    aliases: ["git/current_branch", "GetCurrentBranchAsync"],
    input: { type: "object", properties: { repository_path: REPOSITORY } },
    output: {
      type: "object",
      properties: { branch: text, detached: { type: "boolean" }, hash: text },
      required: ["detached"],
    },
    annotations: READ,
    timeoutMs: GIT_TOOL_MS,
    normalizeInput: acceptGitNames({}),
    async run({ repository_path: inputPath }, call) {
      const repository = await openCallRepository(workstation, call, inputPath);
      const branch = await currentBranch(repository);
      const hash = await findCommit(repository, "HEAD");
      return {
        ...(branch !== undefined && { branch }),
        detached: branch === undefined,
        ...(hash !== undefined && { hash }),
      };
    },
  });
