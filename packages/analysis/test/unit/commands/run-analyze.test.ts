import type { CommandContext } from "@toolwright/kit/cli";
import { expect, test } from "vitest";
import { runAnalyze } from "../../../src/commands/run-analyze.js";

const context = { version: "0.0.0", loadConfig: async () => ({ settings: {}, state: "" }) };

test.each([
  [[], "analyze needs one of complexity, churn, hotspots, gate, satd, duplicates, dag, context"],
  [["hotspts"], '"analyze hotspts" is unknown; did you mean hotspots?'],
  [["churn", "--dyas", "3"], '"--dyas" is unknown; did you mean --days?'],
  [["churn", "--html", "x.html"], 'analyze churn makes no page; "toolwright analyze hotspots --html FILE" does'],
  [["churn", "--explain"], "analyze churn takes no --explain"],
  [["churn", "--include=*.ts"], "analyze churn takes no --include"],
  [["churn", "--days", "0"], '--days needs a whole number from 1 to 3650, not "0"'],
  [["complexity", "--format", "srif"], 'analyze complexity has no format "srif"; did you mean sarif?'],
  [["churn", "--format", "yaml"], 'analyze churn has no format "yaml"; it can be summary, json, markdown, csv'],
  [["churn", "--json", "--format", "csv"], "--json and --format csv exclude each other"],
  [["satd", "--kind", "desing"], "--kind desing is unknown; did you mean design?"],
  [["churn", "a", "b"], 'analyze churn takes one folder or file; "b" is one too many'],
])("%j is wrong usage", async (words, fault) => {
  await expect(runAnalyze(words, context as CommandContext)).rejects.toMatchObject({
    name: "UsageError",
    message: fault,
  });
});
