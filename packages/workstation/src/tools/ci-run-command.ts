import { tool } from "@toolwright/engine";
import { RUNS } from "../annotations.js";
import type { Workstation } from "../workstation.js";

/** Runs one program that the settings allow. */
export const ciRunCommand = (workstation: Workstation) =>
  tool({
    name: "ci_run_command",
    title: "Run a command",
    description: "Runs one allow-listed program to its end, without a shell. Give argv, or command with quotes.",
    toolset: "builds",
    aliases: ["RunCommandAsync"],
    input: {
      type: "object",
      properties: {
        argv: { type: "array", items: { type: "string" } },
        command: { type: "string" },
        cwd: { type: "string", default: "." },
        workingDirectory: { type: "string" },
        timeout_ms: { type: "integer", minimum: 1, default: 120_000 },
      },
    },
    output: {
      type: "object",
      properties: {
        command: { type: "string" },
        ok: { type: "boolean" },
        exit_code: { type: "integer" },
        signal: { type: "string" },
        timed_out: { type: "boolean" },
        duration_ms: { type: "integer" },
        stdout: { type: "string" },
        stderr: { type: "string" },
        cut: { type: "boolean", description: "The middle of the output is left out; process_read has more of it." },
        log: { type: "object", properties: { id: { type: "string" }, bytes: { type: "integer" } } },
        note: { type: "string" },
      },
      required: ["command", "ok", "duration_ms", "stdout", "stderr", "log"],
    },
    annotations: RUNS,
    timeoutMs: workstation.settings.build_ms + 30_000,
    taskSupport: "optional",
    async run({ workingDirectory, ...given }, call) {
      const request = { ...given, cwd: workingDirectory ?? given.cwd };
      const { runCommand } = await import("../processes/run-command.js");
      return runCommand(workstation, request, call);
    },
  });
