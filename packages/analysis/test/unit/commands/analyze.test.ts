import { type CommandContext, runCommand } from "@toolwright/kit/cli";
import { createPaint } from "@toolwright/kit/terminal";
import { expect, test } from "vitest";
import { analyze } from "../../../src/commands/analyze.js";

const context = {
  version: "0.0.0",
  signal: new AbortController().signal,
  screen: { paint: createPaint(false), width: 80 },
  openPack: () => Promise.reject(new Error("an invalid command line opens no pack")),
} as unknown as CommandContext;

test.each([
  [["hotspts"], /hotspots/],
  [["churn", "--dyas", "3"], /--days/],
  [["churn", "--html", "x.html"], /--html/],
  [["churn", "--explain"], /--explain/],
  [["churn", "--include=*.ts"], /--include/],
  [["churn", "--days", "0"], /--days.*1/],
  [["complexity", "--format", "srif"], /sarif/],
  [["churn", "--format", "yaml"], /summary, json, markdown.*csv/],
  [["churn", "--json", "--format", "csv"], /^--json and --format csv exclude each other$/],
  [["satd", "--kind", "desing"], /design/],
  [["churn", "a", "b"], /"?b"?/],
  [["hotspots", "--html", "-"], /^--html needs a file name, such as hotspots.html$/],
  [["hotspots", "--html", "x.html", "--output", "./x.html"], /^--html and --output name the same file "x.html"$/],
])("%j is an invalid command line", async (words, message) => {
  const run = runCommand(analyze, words, () => context);
  await expect(run).rejects.toMatchObject({ name: "UsageError", message: expect.stringMatching(message) });
});
