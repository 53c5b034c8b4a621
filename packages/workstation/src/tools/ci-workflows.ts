import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Workstation } from "../workstation.js";

const TEXTS = { type: "array", items: { type: "string" } } as const;

/** Reads the GitHub Actions of a project. */
export const ciWorkflows = (workstation: Workstation) =>
  tool({
    name: "ci_workflows",
    title: "Read the CI workflows",
    description: "Reads .github/workflows of a project, or one file: triggers, jobs, steps, YAML faults.",
    toolset: "builds",
    input: {
      type: "object",
      properties: {
        path: { type: "string", default: "." },
        offset: { type: "integer", minimum: 0, default: 0 },
      },
    },
    output: {
      type: "object",
      properties: {
        workflows: {
          type: "array",
          items: {
            type: "object",
            properties: {
              file: { type: "string" },
              name: { type: "string" },
              triggers: TEXTS,
              jobs: {
                type: "array",
                items: {
                  type: "object",
                  properties: {
                    id: { type: "string" },
                    name: { type: "string" },
                    runs_on: {},
                    needs: TEXTS,
                    uses: { type: "string" },
                    matrix: {},
                    steps: {
                      type: "array",
                      items: {
                        type: "object",
                        properties: { name: { type: "string" }, run: { type: "string" }, uses: { type: "string" } },
                      },
                    },
                  },
                  required: ["id", "needs", "steps"],
                },
              },
              faults: {
                type: "array",
                items: {
                  type: "object",
                  properties: { line: { type: "integer" }, message: { type: "string" } },
                  required: ["message"],
                },
              },
            },
            required: ["file", "triggers", "jobs", "faults"],
          },
        },
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
      },
      required: ["workflows"],
    },
    annotations: READS,
    async run({ path, offset }, call) {
      const { findWorkflows } = await import("../builds/find-workflows.js");
      return findWorkflows(await workstation.reach(call), path, offset);
    },
  });
