import { prompt, user } from "@toolwright/engine";
import { type DiffFile, invalidGitArgument, readDiff } from "@toolwright/kit/git";
import { openCallRepository } from "./tools/git-schemas.js";
import type { Workstation } from "./workstation.js";

/** How many bytes of patches the prompt contains. */
const PATCH_BYTES = 24 * 1024;

const STYLES = {
  plain:
    "an imperative subject of at most 72 characters, then a blank line and the reason for the change, if it is not obvious",
  conventional:
    "a Conventional Commits subject (type(scope): summary, at most 72 characters), then a blank line and the reason for the change, if it is not obvious",
  short: "one imperative line of at most 72 characters",
} as const;

/** Asks for a commit message for the staged changes. */
export const commitMessage = (workstation: Workstation) =>
  prompt({
    name: "commit-message",
    title: "Write a commit message",
    description: "Writes a commit message for the staged changes.",
    requires: ["git_diff"],
    input: {
      type: "object",
      properties: {
        style: { enum: ["plain", "conventional", "short"], default: "plain", description: "The form of the message" },
        repository_path: { type: "string", default: ".", description: "A folder in the repository" },
      },
    },
    async run({ style, repository_path: inputPath }, call) {
      const repository = await openCallRepository(workstation, call, inputPath);
      const { files, total, next } = await readDiff(repository, {
        between: ["--cached"],
        names: [],
        offset: 0,
        line: 0,
        hasPatch: true,
        pageBytes: PATCH_BYTES,
      });
      if (total === 0) throw invalidGitArgument("Nothing is staged.", {}, { action: "stage files", tool: "git_add" });
      const more = next === undefined ? "" : `\n\nThis is only a part: ${total} files differ in all.`;
      return [
        user(
          `Write a commit message: ${STYLES[style]}. Say what changed and why, not how. Answer with the message only.`,
        ),
        user(`${files.map(describeFile).join("\n")}${more}`),
      ];
    },
  });

function describeFile({ path, from, status, additions = 0, deletions = 0, binary, patch }: DiffFile): string {
  const name = from === undefined ? path : `${from} → ${path}`;
  const size = binary === true ? "binary" : `+${additions} −${deletions}`;
  return `${status} ${name} (${size})\n${patch ?? ""}`;
}

/** Guides a model from a failing test to a fix. */
export const fixFailingTest = prompt({
  name: "fix-failing-test",
  title: "Fix a failing test",
  description: "Finds out why a test fails, and fixes the cause.",
  requires: ["ci_test", "fs_read_file", "fs_edit_file"],
  input: {
    type: "object",
    properties: {
      project_path: { type: "string", description: "The folder of the project; the first allowed folder by default" },
      test: { type: "string", description: "The name of the test; all tests by default" },
    },
  },
  run({ project_path = ".", test }) {
    const args = JSON.stringify({ project_path, ...(test !== undefined && { test }) });
    const subject = test === undefined ? "the failing tests" : `the failing test ${JSON.stringify(test)}`;
    return `Fix ${subject} of the project in ${JSON.stringify(project_path)}. Work step by step:

1. Call ci_test with ${args}. If ok is true, say so and stop. If the settings do not allow it, say which setting a person has to change and stop. If ok is false without failures, read the log: process_read with the id in log.
2. Start with a failure that may have caused the others. Read the test at its file and line with fs_read_file, then the code under test; fs_search finds definitions.
3. Say in one sentence what the test expects, what happens instead, and why.
4. Fix the cause with fs_edit_file, in as few lines as possible. Change the test only if the test is wrong, and say why. Never weaken, skip or delete a test to make it pass.
5. Call ci_test again with the same arguments. If another failure is left, go back to step 2. If a change made it worse, undo it with undo_last.
6. When it passes, call ci_test once for the whole project, then ci_lint if the project has a linter. Report what was wrong, what you changed, and the counts of the last run.`;
  },
});
