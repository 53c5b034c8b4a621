import { type Prompt, prompt } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";

/** What people can start with one word. */
export const prompts = (analysis: Analysis): readonly Prompt[] => [refactorFunction(analysis), reviewHotspots];

/** Leads a model from a complex function to a simpler one that does the same. */
export const refactorFunction = (analysis: Analysis) =>
  prompt({
    name: "refactor-function",
    title: "Refactor a function",
    description: "Makes a function simpler without changing what it does.",
    input: {
      type: "object",
      properties: {
        file: { type: "string", minLength: 1, maxLength: 4096, description: "The path of the file." },
        function: {
          type: "string",
          minLength: 1,
          maxLength: 500,
          description: "Its name, with that of its class: Stack.push.",
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
      const measured = JSON.stringify({ project_path: file, explain: true, format: "json" });
      const around = JSON.stringify({ project_path: ".", focus: file });
      return `Refactor the function ${JSON.stringify(name)} in ${JSON.stringify(file)}: it shall do the same, and be easier to read. Go step by step:

1. Call analyze_complexity with ${measured}. Find the function by its name and note cyclomatic, cognitive, nesting and lines. If it is not there, name the functions that are, and ask which is meant. Its increments say which line adds what: those that add most are where to begin.
2. Read the function, and the tests that touch it. If there are none, write tests first that hold fast what it does now, also at the edges, and see them pass.
3. Call analyze_dag with ${around} to see who uses the file, and find the callers of the function. What they rely on must stay: name, parameters, results, errors, order of effects.
4. Say in two or three sentences what makes it hard to read, and which steps you will take: return early, take a condition or a loop body out into a function with a good name, replace a chain of cases by a table. No step for its own sake.
5. Take one step at a time, and run the tests after each. If one fails, take the step back.
6. Call analyze_complexity again with the same arguments. Report the numbers before and after, and say so plainly if they are not better. No new function may be worse than the old one was.
7. Call analyze_duplicates for the folder if you have taken code out: it may be there already.`;
    },
  });

/** Leads a model to the few places of a project where work on the code pays. */
export const reviewHotspots = prompt({
  name: "review-hotspots",
  title: "Review hotspots",
  description: "Finds the code that is worth refactoring first, and says why.",
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
    const place = JSON.stringify({ project_path });
    return `Review the project in ${JSON.stringify(project_path)}: where does refactoring pay first? Go step by step:

1. If you do not know the project, call generate_context with ${place}.
2. Call analyze_hotspots with ${place}. It ranks files by complexity × churn, and has a brief for the worst functions. If basis is "complexity", there is no history to go by: say so.
3. For each of the worst five functions read the code. Judge for yourself: is it hard because its subject is hard, or because of how it is written? A table of cases can be complex and fine.
4. Call analyze_code_churn with ${place}: files that change together although neither uses the other hide a dependency. Call analyze_duplicates with ${place} for copies that have to be changed together, and analyze_dag with ${place} for circles.
5. Report at most five places, the most worthwhile first: path and lines, what is wrong in one sentence, the numbers that show it, what to do as the first small step, how large the work is, and what could break. Name who knows the code, if the brief says so.
6. Say also what looks bad in the numbers and is better left alone, and why. Change nothing yet.`;
  },
});
