import { tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { Analysis } from "../analysis.js";
import {
  AMOUNT,
  BOOLEAN,
  COUNT,
  EXCLUDE,
  INCLUDE,
  listOf,
  PATH,
  STRING,
  toAnalysisCall,
  toContent,
} from "../schema.js";

/** The tool that checks a project against limits. */
export const qualityGate = (analysis: Analysis) =>
  tool({
    name: "quality_gate",
    title: "Quality gate",
    description:
      "Checks a project against limits for complexity, duplication, unparsed files, to-do comments and hotspots, and returns one verdict with reasons and advice.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: PATH,
        max_cyclomatic: { ...COUNT, default: 20, description: "Highest cyclomatic complexity of a function" },
        max_cognitive: { ...COUNT, default: 30, description: "Highest cognitive complexity of a function" },
        max_duplication: {
          ...AMOUNT,
          maximum: 100,
          default: 5,
          description: "Maximum share of duplicated lines, in percent",
        },
        max_severe_notes: {
          ...COUNT,
          description: "Maximum number of to-do comments of high or critical severity; unchecked by default",
        },
        max_hotspot: { ...AMOUNT, maximum: 100, description: "Highest hotspot score; unchecked by default" },
        baseline: { ...STRING, description: "Commit or branch: no function may be worse than there" },
        include: INCLUDE,
        exclude: EXCLUDE,
      },
    },
    output: {
      type: "object",
      properties: {
        passed: BOOLEAN,
        text: STRING,
        checks: listOf(
          {
            name: STRING,
            passed: BOOLEAN,
            value: AMOUNT,
            limit: AMOUNT,
            worst: listOf({ path: STRING, line: COUNT, name: STRING, value: AMOUNT }, ["path", "value"]),
            reason: STRING,
            advice: STRING,
          },
          ["name", "passed", "value", "limit", "worst", "reason"],
        ),
      },
      required: ["passed", "text", "checks"],
    },
    annotations: READ,
    timeoutMs: 120_000,
    async run({ project_path: path, ...options }, call) {
      const { runGate } = await import("../gate/gate.js");
      const gate = await runGate(analysis, toAnalysisCall(call), { path, ...options });
      return toContent(gate.text, gate);
    },
  });
