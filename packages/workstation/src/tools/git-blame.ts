import { tool } from "@toolwright/engine";
import { findCommit, type Repository, readBlame, resolveCommit } from "@toolwright/kit/git";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { GIT_TOOL_MS, REPOSITORY, repositoryOf } from "./git-shapes.js";

const text = { type: "string" } as const;
const number = { type: "integer", minimum: 1 } as const;

/** How many lines one result has at most. */
const MOST_LINES = 200;

/** Says who wrote lines of a file. */
export const gitBlame = (workstation: Workstation) =>
  tool({
    name: "git_blame",
    title: "Git blame",
    description: "Who last changed each line of a file, and in which commit. Lines without a hash are not committed.",
    toolset: "git",
    aliases: ["git/blame"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        path: text,
        revision: text,
        start_line: { ...number, default: 1 },
        end_line: number,
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
            properties: { line: number, hash: text, author: text, date: text, text },
            required: ["line", "text"],
          },
        },
        next: { type: "object", properties: { start_line: number }, required: ["start_line"] },
      },
      required: ["path", "lines"],
    },
    annotations: READS,
    timeoutMs: GIT_TOOL_MS,
    async run(
      { repository_path: given, path, revision, start_line: start, end_line: end = Number.MAX_SAFE_INTEGER },
      call,
    ) {
      const repository = await repositoryOf(workstation, call, given);
      const name = await repository.nameOf(path);
      const commit =
        revision === undefined ? await workingCommit(repository, name) : await resolveCommit(repository, revision);
      const limit = Math.max(1, Math.min(MOST_LINES, end - start + 1));
      const { lines, next } = await readBlame(repository, { name, commit, start, limit });
      const isMore = next !== undefined && next <= end;
      return { path: repository.show(name) ?? path, lines: [...lines], ...(isMore && { next: { start_line: next } }) };
    },
  });

/**
 * Undefined for the working file as it is. Git would follow a folder that is a link now, wherever it leads; then the lines of the
 * last commit are shown.
 */
async function workingCommit(repository: Repository, name: string): Promise<string | undefined> {
  const place = repository.place(name);
  const found = repository.isBare ? undefined : await repository.access.stat(place).catch(() => undefined);
  return found?.realPath === place ? undefined : ((await findCommit(repository, "HEAD")) ?? undefined);
}
