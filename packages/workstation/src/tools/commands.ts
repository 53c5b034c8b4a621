import { type Tool, tool } from "@toolwright/engine";
import { OVERWRITE, READ, RUN } from "@toolwright/kit/pack";
import type { Workstation } from "../workstation.js";
import { acceptNames } from "./arguments.js";

/** The longest wait for output. */
const MAX_WAIT_MS = 60_000;

const COMMAND_PROPERTIES = {
  argv: { type: "array", items: { type: "string" }, description: "The program and its arguments" },
  command: { type: "string", description: "The same as one line with quotes, instead of argv. There is no shell" },
  cwd: { type: "string", default: ".", description: "The folder to run it in" },
} as const;

const COMMAND_NAMES = { cwd: ["workingDirectory", "working_directory"], timeout_ms: ["timeout", "timeoutMs"] } as const;

const PROCESS_PROPERTIES = {
  id: { type: "string" },
  command: { type: "string" },
  state: { enum: ["running", "ended"] },
  pid: { type: "integer" },
  bytes: { type: "integer", description: "The length of the whole output" },
  exit_code: { type: "integer" },
  signal: { type: "string" },
  timed_out: { type: "boolean" },
  duration_ms: { type: "integer" },
  lost: { type: "string", description: "Why output is missing" },
} as const;

/** The tools that run the commands which the settings allow. */
export const commandTools = (workstation: Workstation): readonly Tool[] => [
  ciRunCommand(workstation),
  processStart(workstation),
  processRead(workstation),
  processStop(workstation),
];

const ciRunCommand = (workstation: Workstation) =>
  tool({
    name: "ci_run_command",
    title: "Run a command",
    description:
      "Runs a program that the settings allow, and waits for its end. For servers and watchers use process_start.",
    toolset: "builds",
    aliases: ["RunCommandAsync"],
    input: {
      type: "object",
      properties: {
        ...COMMAND_PROPERTIES,
        timeout_ms: {
          type: "integer",
          minimum: 1,
          default: 120_000,
          description: "Time limit; a program that exceeds it is stopped, and the call fails",
        },
      },
    },
    output: {
      type: "object",
      properties: {
        command: { type: "string" },
        ok: { type: "boolean" },
        exit_code: { type: "integer" },
        signal: { type: "string" },
        duration_ms: { type: "integer" },
        stdout: { type: "string" },
        stderr: { type: "string" },
        cut: { type: "boolean", description: "The middle of the output is missing; process_read has it" },
        log: { type: "object", properties: { id: { type: "string" }, bytes: { type: "integer" } } },
        note: { type: "string" },
      },
      required: ["command", "ok", "duration_ms", "stdout", "stderr", "log"],
    },
    annotations: RUN,
    timeoutMs: workstation.settings.buildTimeoutMs + 30_000,
    taskSupport: "optional",
    normalizeInput: acceptNames(COMMAND_NAMES),
    async run(request, call) {
      const { runCommand } = await import("../processes/run-command.js");
      return runCommand(workstation, request, call);
    },
  });

const processStart = (workstation: Workstation) =>
  tool({
    name: "process_start",
    title: "Start a background process",
    description: "Starts a program that the settings allow, such as a server, and returns at once with its id.",
    toolset: "processes",
    input: {
      type: "object",
      properties: {
        ...COMMAND_PROPERTIES,
        timeout_ms: { type: "integer", minimum: 1, default: 86_400_000, description: "Stops it after this time" },
      },
    },
    output: { type: "object", properties: PROCESS_PROPERTIES, required: ["id", "command", "state"] },
    annotations: RUN,
    normalizeInput: acceptNames(COMMAND_NAMES),
    async run(request, call) {
      const { startCommand } = await import("../processes/run-command.js");
      return startCommand(workstation, request, call);
    },
  });

const processRead = (workstation: Workstation) =>
  tool({
    name: "process_read",
    title: "Read the output of a process",
    description: "Reads output of a background process or the log of a ci_ tool, or lists both if id is missing.",
    toolset: "processes",
    input: {
      type: "object",
      properties: {
        id: { type: "string", description: "The id of the process or log" },
        offset: { type: "integer", default: 0, description: "First byte; negative counts from the end" },
        limit: { type: "integer", minimum: 1, maximum: 40_000, default: 20_000, description: "Number of bytes" },
        wait_ms: {
          type: "integer",
          minimum: 0,
          maximum: MAX_WAIT_MS,
          default: 0,
          description: "Waits this long for more output",
        },
        failures: { type: "boolean", description: "Parsed failures of a ci_ log instead; offset and limit count them" },
      },
    },
    output: {
      type: "object",
      properties: {
        ...PROCESS_PROPERTIES,
        offset: { type: "integer" },
        text: { type: "string" },
        next_offset: { type: "integer" },
        skipped: { type: "integer", description: "Bytes before the text that are not kept any more" },
        left: { type: "integer" },
        failures: { type: "array", items: { type: "object" } },
        processes: { type: "array", items: { type: "object", properties: PROCESS_PROPERTIES } },
      },
    },
    annotations: READ,
    timeoutMs: MAX_WAIT_MS + 30_000,
    async run(request, call) {
      const { readProcess } = await import("../processes/run-command.js");
      return readProcess(await workstation.processes(), request, call);
    },
  });

const processStop = (workstation: Workstation) =>
  tool({
    name: "process_stop",
    title: "Stop a process",
    description: "Stops a background process and all processes that it has started.",
    toolset: "processes",
    input: {
      type: "object",
      properties: { id: { type: "string", description: "The id of the process" } },
      required: ["id"],
    },
    output: { type: "object", properties: PROCESS_PROPERTIES, required: ["id", "command", "state"] },
    annotations: OVERWRITE,
    async run({ id }, call) {
      const [{ describeProcess }, processes] = await Promise.all([
        import("../processes/background-process.js"),
        workstation.processes(),
      ]);
      const process = processes.find(id, call.principal);
      if (process.isRunning) await workstation.confirm(call, `Stop ${process.command.slice(0, 500)}`, "destructive");
      process.stop();
      await process.ended;
      return describeProcess(process);
    },
  });
