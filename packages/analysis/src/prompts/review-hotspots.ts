import { prompt } from "@toolwright/engine";

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
