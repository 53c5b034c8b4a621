import { prompt, user } from "@toolwright/engine";
import { type DiffFile, invalidGitArgument, PageBudget, readDiff } from "@toolwright/kit/git";
import { repositoryOf } from "../tools/git-shapes.js";
import type { Workstation } from "../workstation.js";

/** How much of the change is shown. */
const PATCH_BYTES = 24 * 1024;

const STYLES = {
  plain:
    "a subject of at most 72 characters in the imperative, then a blank line and why it was done, if that is not clear",
  conventional:
    "a Conventional Commits subject (type(scope): what, at most 72 characters), then a blank line and why it was done, if that is not clear",
  short: "one line of at most 72 characters in the imperative",
} as const;

/** Asks for the message of a commit of what is staged. */
export const commitMessage = (workstation: Workstation) =>
  prompt({
    name: "commit-message",
    title: "Write a commit message",
    description: "Writes the message for what is staged.",
    input: {
      type: "object",
      properties: {
        style: { enum: ["plain", "conventional", "short"], default: "plain" },
        repository_path: { type: "string", default: "." },
      },
    },
    async run({ style, repository_path: given }, call) {
      const repository = await repositoryOf(workstation, call, given);
      const { files, total, next } = await readDiff(repository, {
        between: ["--cached"],
        names: [],
        offset: 0,
        line: 0,
        hasPatch: true,
        room: new PageBudget(PATCH_BYTES),
      });
      if (total === 0)
        throw invalidGitArgument("Nothing is staged, so there is nothing to describe. Stage files with git_add first.");
      const more = next === undefined ? "" : `\n\nThis is a part of it: ${total} files differ in all.`;
      return [
        user(
          `Write the message of a commit: ${STYLES[style]}. Say what changed and why, not how. Answer with the message alone.`,
        ),
        user(`${files.map(toText).join("\n")}${more}`),
      ];
    },
  });

function toText({ path, from, status, additions = 0, deletions = 0, binary, patch }: DiffFile): string {
  const name = from === undefined ? path : `${from} → ${path}`;
  const size = binary === true ? "binary" : `+${additions} −${deletions}`;
  return `${status} ${name} (${size})\n${patch ?? ""}`;
}
