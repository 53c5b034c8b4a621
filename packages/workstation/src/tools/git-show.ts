import { tool } from "@toolwright/engine";
import {
  emptyTree,
  PageBudget,
  type Repository,
  readDiff,
  readLog,
  resolveCommit,
  showPath,
} from "@toolwright/kit/git";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { COMMIT, FILES, GIT_TOOL_MS, OFFSET, REPOSITORY, repositoryOf } from "./git-shapes.js";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** What is left for patches beside the message of a commit. */
const PATCH_BYTES = 24 * 1024;

/** Shows a commit, or a file as it was. */
export const gitShow = (workstation: Workstation) =>
  tool({
    name: "git_show",
    title: "Git show",
    description:
      "A commit with its patch; with path, the file or folder as it was at that revision. For more, pass `next` back.",
    toolset: "git",
    aliases: ["git/show"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        revision: { type: "string", default: "HEAD" },
        path: text,
        offset: OFFSET,
        line: OFFSET,
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
        next: { type: "object", properties: { offset: count, line: count } },
      },
    },
    annotations: READS,
    timeoutMs: GIT_TOOL_MS,
    async run({ repository_path: given, revision, path, offset, line }, call) {
      const repository = await repositoryOf(workstation, call, given);
      const hash = await resolveCommit(repository, revision);
      if (path === undefined) return showCommit(repository, hash, offset, line);
      const name = await repository.nameOf(path);
      const { next, entries, ...shown } = await showPath(repository, hash, name, Math.max(line, 1));
      return {
        path: repository.show(name) ?? path,
        ...shown,
        ...(entries !== undefined && { entries: [...entries] }),
        ...(next !== undefined && { next: { line: next } }),
      };
    },
  });

async function showCommit(repository: Repository, hash: string, offset: number, line: number) {
  const about = { which: [hash], names: [], skip: 0, limit: 1, hasFiles: false, bodyCharacters: 6000 };
  const [commit] = (await readLog(repository, about)).commits;
  const between = [commit?.parents[0] ?? emptyTree(repository), hash];
  const room = new PageBudget(PATCH_BYTES);
  const { total, files, next } = await readDiff(repository, { between, names: [], offset, line, hasPatch: true, room });
  return {
    ...(commit !== undefined && { commit }),
    total,
    files: [...files],
    ...(next !== undefined && { next }),
  };
}
