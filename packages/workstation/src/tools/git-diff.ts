import { tool } from "@toolwright/engine";
import { type Repository, readDiff, resolveCommitRange, workingFiles } from "@toolwright/kit/git";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";
import { FILES, GIT_TOOL_MS, NEXT_PART, OFFSET, REPOSITORY, repositoryOf } from "./git-shapes.js";

const text = { type: "string" } as const;

/** Shows how files differ. */
export const gitDiff = (workstation: Workstation) =>
  tool({
    name: "git_diff",
    title: "Git diff",
    description:
      "Changes of the working files, or the staged ones, against the index, a revision, or between revisions (target a..b or a...b). For more, pass `next` back.",
    toolset: "git",
    aliases: ["git/diff", "GetDiffAsync"],
    input: {
      type: "object",
      properties: {
        repository_path: REPOSITORY,
        staged: { type: "boolean", default: false },
        target: text,
        paths: { type: "array", items: text },
        stat_only: { type: "boolean", default: false },
        offset: OFFSET,
        line: OFFSET,
      },
    },
    output: {
      type: "object",
      properties: { total: { type: "integer" }, files: FILES, next: NEXT_PART },
      required: ["total", "files"],
    },
    annotations: READS,
    timeoutMs: GIT_TOOL_MS,
    async run({ repository_path: given, staged, target, paths = [], stat_only: isStat, offset, line }, call) {
      const repository = await repositoryOf(workstation, call, given);
      const between = await toBetween(repository, staged, target);
      const names = await Promise.all(paths.map((each) => repository.nameOf(each)));
      const { total, files, next } = await readDiff(repository, { between, names, offset, line, hasPatch: !isStat });
      return { total, files: [...files], ...(next !== undefined && { next }) };
    },
  });

async function toBetween(
  repository: Repository,
  isStaged: boolean,
  target: string | undefined,
): Promise<readonly string[]> {
  const span = target === undefined ? undefined : await resolveCommitRange(repository, target);
  if (span?.to !== undefined) return [span.from, span.to];
  workingFiles(repository);
  if (isStaged) return ["--cached", ...(span === undefined ? [] : [span.from])];
  // Of files in conflict it is shown what differs from our side.
  return span === undefined ? ["--ours"] : [span.from];
}
