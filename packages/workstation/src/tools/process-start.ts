import { tool } from "@toolwright/engine";
import { RUNS } from "../annotations.js";
import { PROCESS_PROPERTIES } from "../processes/process-result.js";
import type { Workstation } from "../workstation.js";

/** Starts a program that goes on after the call. */
export const processStart = (workstation: Workstation) =>
  tool({
    name: "process_start",
    title: "Start a background process",
    description: "Starts an allow-listed program in the background; see ci_run_command.",
    toolset: "processes",
    input: {
      type: "object",
      properties: {
        argv: { type: "array", items: { type: "string" } },
        command: { type: "string" },
        cwd: { type: "string", default: "." },
        timeout_ms: { type: "integer", minimum: 1, default: 86_400_000 },
      },
    },
    output: { type: "object", properties: PROCESS_PROPERTIES, required: ["id", "command", "state"] },
    annotations: RUNS,
    async run(request, call) {
      const { startCommand } = await import("../processes/run-command.js");
      return startCommand(workstation, request, call);
    },
  });
