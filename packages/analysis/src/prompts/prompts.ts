import { type Prompt, prompt } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";

/** The prompts of the pack. */
export const prompts = (analysis: Analysis): readonly Prompt[] => [refactorFunction(analysis), reviewHotspots];

/** Guides a model from a complex function to a simpler one with the same behavior. */
const refactorFunction = (analysis: Analysis) =>
  prompt({
    name: "refactor-function",
    title: "Refactor a function",
    description: "Simplifies a function without changing its behavior.",
    requires: ["analyze_complexity"],
    input: {
      type: "object",
      properties: {
        file: { type: "string", minLength: 1, maxLength: 4096, description: "The path of the file." },
        function: {
          type: "string",
          minLength: 1,
          maxLength: 500,
          description: "The name of the function, qualified with its class: Stack.push.",
        },
      },
      required: ["file", "function"],
    },
    complete: {
      file: async (typed, _others, call) => (await import("./suggest.js")).suggestFiles(analysis, call, typed),
      function: async (typed, others, call) =>
        (await import("./suggest.js")).suggestFunctions(analysis, call, others["file"] ?? "", typed),
    },
    run({ file, function: name }) {
      const measure = JSON.stringify({ project_path: file, explain: true, format: "json" });
      const users = JSON.stringify({ project_path: ".", focus: file });
      return `Refactor the function ${JSON.stringify(name)} in ${JSON.stringify(file)}: keep its behavior, and make it easier to read. Proceed step by step:

1. Call analyze_complexity with ${measure}. Find the function by its name and note cyclomatic, cognitive, nesting and lines. If it is not there, list the functions of the file and ask which one is meant. Its increments show which line adds what: begin with the largest.
2. Read the function and the tests that cover it. If there are none, first write tests for its current behavior, including edge cases, and see them pass.
3. Find out who uses the file and who calls the function, if analyze_dag is available with ${users}. What they rely on must stay: name, parameters, results, errors, order of effects.
4. Explain in two or three sentences what makes it hard to read, and which steps you will take: return early, extract a condition or a loop body as a function with a good name, replace a chain of cases by a table. Take no step for its own sake.
5. Take one step at a time, and run the tests after each. If one fails, revert the step.
6. Call analyze_complexity again with the same arguments. Report the numbers before and after, and say so if they are not better. No new function may be more complex than the old one was.
7. If you have extracted code, check that the project does not have it already; analyze_duplicates finds copies, if it is available.`;
    },
  });

/** Guides a model to the parts of a project where refactoring pays most. */
const reviewHotspots = prompt({
  name: "review-hotspots",
  title: "Review hotspots",
  description: "Finds the code that is worth refactoring first, and explains why.",
  requires: ["analyze_hotspots"],
  input: {
    type: "object",
    properties: {
      project_path: {
        type: "string",
        maxLength: 4096,
        description: "The folder of the project; the first root by default.",
      },
    },
  },
  run({ project_path = "." }) {
    const input = JSON.stringify({ project_path });
    return `Review the project in ${JSON.stringify(project_path)}: where does refactoring pay most? Proceed step by step:

1. If you do not know the project, call generate_context with ${input}.
2. Call analyze_hotspots with ${input}. It ranks files by complexity × churn, and has a brief for the worst functions. If basis is "complexity", there is no usable history: say so.
3. Read the code of the five worst functions. Judge yourself: is a function complex because its subject is, or because of how it is written? A table of cases can be complex and still be fine.
4. Call analyze_code_churn with ${input}: files that change together although neither imports the other have a hidden dependency. Call analyze_duplicates with ${input} for copies that have to be changed together, and analyze_dag with ${input} for import cycles.
5. Report at most five findings, the most worthwhile first: path and lines, what is wrong in one sentence, the numbers that show it, the first small step, the size of the work, and what could break. Name who knows the code, if the brief says so.
6. Also say what looks bad in the numbers and is better left alone, and why. Do not change anything yet.`;
  },
});
