import { prompt } from "@toolwright/engine";

/** Leads a model from a failing test to one that passes. */
export const fixFailingTest = prompt({
  name: "fix-failing-test",
  title: "Fix a failing test",
  description: "Finds out why a test fails, and repairs the cause.",
  input: {
    type: "object",
    properties: {
      project_path: { type: "string", description: "The folder of the project; the first root by default." },
      test: { type: "string", description: "The name of the test; all tests by default." },
    },
  },
  run({ project_path = ".", test }) {
    const args = JSON.stringify({ project_path, ...(test !== undefined && { test }) });
    const subject = test === undefined ? "the failing tests" : `the failing test ${JSON.stringify(test)}`;
    return `Fix ${subject} of the project in ${JSON.stringify(project_path)}. Go step by step:

1. Call ci_test with ${args}. If ok is true, say so and stop. If it is refused, say which setting a person has to change and stop. If there are no failures in the result but ok is false, read the log: process_read with the id in log.
2. Take the first failure that the others may follow from. Read the test at its file and line with fs_read_file, then the code that it tests; fs_search finds where something is defined.
3. Say in one sentence what the test expects, what happens instead, and why.
4. Repair the cause with fs_edit_file, in as few lines as possible. Change the test only if it is the test that is wrong, and say why. Never weaken, skip or delete a test to make it pass.
5. Call ci_test again with the same arguments. If another failure is left, go back to step 2. If a change made it worse, take it back with undo_last.
6. When it passes, call ci_test once for the whole project, then ci_lint if the project has a linter. Report what was wrong, what you changed, and the counts of the last run.`;
  },
});
