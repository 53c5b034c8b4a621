import { prompt } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";

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
