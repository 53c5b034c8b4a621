import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";

const words = { type: "string" } as const;
const number = { type: "number", minimum: 0 } as const;
const count = { type: "integer", minimum: 0 } as const;
const globs = { type: "array", items: words } as const;

/** Says in one verdict whether code is good enough. */
export const qualityGate = (analysis: Analysis) =>
  tool({
    name: "quality_gate",
    title: "Quality gate",
    description:
      "One verdict on a project, with reasons and what to do next: complexity, duplication (%), unparsed files; notes and hotspots where a limit is given.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: { type: "string", default: "." },
        max_cyclomatic: { ...count, default: 20 },
        max_cognitive: { ...count, default: 30 },
        max_duplication: { ...number, maximum: 100, default: 5 },
        max_severe_notes: count,
        max_hotspot: { ...number, maximum: 100 },
        baseline: { type: "string", description: "A commit: no function may be worse than there." },
        include: globs,
        exclude: globs,
      },
    },
    output: {
      type: "object",
      properties: {
        passed: { type: "boolean" },
        text: words,
        checks: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: words,
              passed: { type: "boolean" },
              value: number,
              limit: number,
              worst: {
                type: "array",
                items: {
                  type: "object",
                  properties: { path: words, line: count, name: words, value: number },
                  required: ["path", "value"],
                },
              },
              reason: words,
              advice: words,
            },
            required: ["name", "passed", "value", "limit", "worst", "reason"],
          },
        },
      },
      required: ["passed", "text", "checks"],
    },
    annotations: READS,
    timeoutMs: 120_000,
    async run({ project_path: path, ...wish }, call) {
      const { runGate } = await import("../gate/run-gate.js");
      const gate = await runGate(analysis, call, { path, ...wish });
      return new Content([text(gate.text)], gate as object as JsonObject);
    },
  });
