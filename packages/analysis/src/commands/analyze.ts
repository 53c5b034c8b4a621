import { defineCommand } from "@toolwright/kit/cli";
import { churn } from "./churn.js";
import { complexity } from "./complexity.js";
import { context } from "./context.js";
import { dag } from "./dag.js";
import { duplicates } from "./duplicates.js";
import { gate } from "./gate.js";
import { hotspots } from "./hotspots.js";
import { satd } from "./satd.js";

/** The command `toolwright analyze`. */
export const analyze = defineCommand({
  name: "analyze",
  summary: "Measure code: complexity, churn, hotspots, duplicates, imports, quality gate",
  group: "working",
  description:
    "Files that .gitignore excludes, and generated and vendored files are left out. Paths in --include and --exclude are relative to PATH.",
  subcommands: [complexity, churn, hotspots, gate, satd, duplicates, dag, context],
  examples: [
    "toolwright analyze complexity src --explain",
    "toolwright analyze complexity --baseline main --fail",
    "toolwright analyze complexity --format sarif --output complexity.sarif",
    "toolwright analyze churn --days 90 --format csv > churn.csv",
    "toolwright analyze hotspots --html hotspots.html",
    "toolwright analyze gate --max-cognitive 25 --max-duplication 3",
    "toolwright analyze satd --severity high",
  ],
});
