import { tool } from "@toolwright/engine";
import { findCommit, readLog, resolveRange, toLogOptions } from "@toolwright/kit/git";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { COMMIT, GIT_TOOL_MS, OFFSET, REPOSITORY, repositoryOf } from "./git-shapes.js";

const text = { type: "string" } as const;

/** Lists commits. */
export const gitLog = (workstation: Workstation) =>
  tool({
    name: "git_log",
    title: "Git log",
    description: "Commits, newest first. revision may be a range such as main..topic; files adds what each changed.",
    toolset: "git",
    aliases: ["git/log", "GetLogAsync"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        max_count: { type: "integer", minimum: 1, maximum: 1000, default: 10 },
        skip: OFFSET,
        revision: text,
        path: text,
        author: text,
        since: text,
        until: text,
        files: { type: "boolean", default: false },
      },
    },
    output: {
      type: "object",
      properties: {
        commits: { type: "array", items: COMMIT },
        shallow: { type: "boolean" },
        next: {
          type: "object",
          properties: { revision: text, skip: { type: "integer" }, max_count: { type: "integer" } },
          required: ["revision", "skip", "max_count"],
        },
      },
      required: ["commits"],
    },
    annotations: READS,
    timeoutMs: GIT_TOOL_MS,
    async run(
      { repository_path: given, max_count: limit, skip, revision = "HEAD", path, files: hasFiles, ...which },
      call,
    ) {
      const options = toLogOptions(which);
      const repository = await repositoryOf(workstation, call, given);
      if (revision === "HEAD" && (await findCommit(repository, "HEAD")) === undefined) return { commits: [] };
      // Hashes for names, so that the next page goes on where this one ends whatever is committed in between.
      const range = await resolveRange(repository, revision);
      const names = path === undefined ? [] : [await repository.nameOf(path)];
      const ask = { which: [...options, range], names, skip, limit, hasFiles, bodyCharacters: 600 };
      const { commits, next } = await readLog(repository, ask);
      const left = limit - commits.length;
      return {
        commits: [...commits],
        ...(repository.isShallow && { shallow: true }),
        ...(next !== undefined && { next: { revision: range, skip: next, max_count: left > 0 ? left : limit } }),
      };
    },
  });
