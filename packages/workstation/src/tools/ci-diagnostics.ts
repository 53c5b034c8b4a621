import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { installedPrograms } from "../machine/installed-programs.js";
import { machineFacts } from "../machine/machine-facts.js";
import { describePolicy } from "../machine/policy.js";
import type { Workstation } from "../workstation.js";

/** Tells what this machine can build with, and what the settings allow. */
export const ciDiagnostics = (workstation: Workstation) =>
  tool({
    name: "ci_diagnostics",
    title: "Diagnostics",
    description: "The machine, the installed build tools with their versions, the roots, and what the settings allow.",
    toolset: "builds",
    aliases: ["GetDiagnostics"],
    input: { type: "object", properties: {} },
    output: {
      type: "object",
      properties: {
        os: { type: "object" },
        arch: { type: "string" },
        is_64_bit: { type: "boolean" },
        cpus: { type: "integer" },
        memory: { type: "object" },
        cwd: { type: ["string", "null"] },
        runtime: { type: "object" },
        programs: { type: "object", additionalProperties: { type: ["string", "null"] } },
        roots: { type: "array", items: { type: "string" } },
        policy: {
          type: "object",
          properties: {
            allowed: { type: "array", items: { type: "string" } },
            refused: {
              type: "array",
              items: { type: "object", properties: { what: { type: "string" }, setting: { type: "string" } } },
            },
          },
        },
      },
      required: ["os", "arch", "is_64_bit", "cpus", "memory", "runtime", "programs", "roots", "policy"],
    },
    annotations: READS,
    async run(_input, call) {
      const { roots } = await workstation.reach(call);
      const programs = await installedPrograms(call, roots);
      const policy = describePolicy(workstation.settings, roots);
      return { ...machineFacts(), programs, roots: [...roots], policy: { ...policy } };
    },
  });
