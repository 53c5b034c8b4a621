import { type Call, ToolError } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { type CommandRequest, openCommand } from "@toolwright/kit/processes";
import type { Workstation } from "../workstation.js";
import { type BackgroundProcess, describeProcess, type ProcessOptions } from "./background-process.js";
import { ProcessOutput } from "./process-output.js";
import type { Processes } from "./processes.js";

/** A command with its time limit. */
interface TimedRequest extends CommandRequest {
  readonly timeout_ms: number;
}

/** How many characters of each stream a result shows. */
const MAX_SHOWN = 9000;

/** Runs a command to its end. Throws a `ToolError` with its output if it exceeds its time limit. */
export async function runCommand(workstation: Workstation, request: TimedRequest, call: Call) {
  const output = new ProcessOutput(call, MAX_SHOWN);
  const timeoutMs = Math.min(request.timeout_ms, workstation.settings.buildTimeoutMs);
  const { process, note } = await start(workstation, request, call, {
    timeoutMs,
    signal: call.signal,
    onOutput: (text, stream) => output.add(text, stream),
  });
  const end = await process.ended;
  call.signal.throwIfAborted();
  const { id, state: _state, pid: _pid, bytes, ...facts } = describeProcess(process);
  const [stdout, stderr] = [output.stdout.toString(), output.stderr.toString()];
  const result = {
    ...facts,
    ok: end.exitCode === 0 && !end.hasTimedOut,
    stdout,
    stderr,
    ...(output.stdout.dropped + output.stderr.dropped > 0 && { cut: true }),
    log: { id, bytes },
    ...(note !== undefined && { note }),
  };
  if (end.hasTimedOut) throw timeoutError(process, timeoutMs, "timeout_ms", stdout + stderr, result);
  return result;
}

/** The error for a program that was stopped because of its time limit. `limit` names what sets it. */
export function timeoutError(
  { id, command }: BackgroundProcess,
  timeoutMs: number,
  limit: string,
  output: string,
  details: object,
): ToolError {
  const shown =
    output.trim() === "" ? "It wrote no output." : `Its output:\n${output.trimEnd()}\nAll its processes were stopped.`;
  return new ToolError(`Stopped ${command.slice(0, 500)}: it did not end within ${timeoutMs} ms (${limit}). ${shown}`, {
    code: "TIMEOUT",
    details: { ...details },
    hint: { action: "read the whole output", tool: "process_read", arguments: { id } },
  });
}

/** Starts a command that continues after the call. */
export async function startCommand(workstation: Workstation, request: TimedRequest, call: Call) {
  const { process } = await start(workstation, request, call, { timeoutMs: request.timeout_ms });
  // Without a pid it could not be started, and its end is the error.
  if (process.pid === undefined) await process.ended;
  return describeProcess(process);
}

async function start(
  workstation: Workstation,
  request: CommandRequest,
  call: Call,
  options: Pick<ProcessOptions, "timeoutMs" | "signal" | "onOutput">,
): Promise<{ readonly process: BackgroundProcess; readonly note: string | undefined }> {
  const access = await workstation.accessFor(call);
  const { commands } = workstation.settings;
  await using command = await openCommand("packs.workstation.commands", commands, access, request);
  await workstation.confirm(call, `Run ${command.command.slice(0, 500)}`, "destructive");
  const processes = await workstation.processes();
  const { note, ...program } = command;
  return { process: await processes.start({ ...program, ...options, principal: call.principal }), note };
}

/** Which output is read. */
interface ReadRequest {
  readonly id?: string | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly wait_ms: number;
  readonly failures?: boolean | undefined;
}

/** How many bytes the failures of one result may take. */
export const FAILURES_BYTES = 24_000;

/** Reads output of a process, or the failures that were parsed from it. Without an id lists the processes. */
export async function readProcess(
  processes: Processes,
  { id, offset, limit, wait_ms: waitMs, failures }: ReadRequest,
  { principal, signal }: Pick<Call, "principal" | "signal">,
) {
  if (id === undefined) return listProcesses(processes.list(principal));
  const process = processes.find(id, principal);
  if (failures === true) {
    const { findings } = process;
    if (findings === undefined)
      throw new ToolError(`${id} has no failures: only ended runs of ci_build, ci_test and ci_lint have them.`, {
        code: "INVALID_ARGUMENT",
        details: { id },
      });
    const first = Math.max(0, offset);
    const page = fitToBudget(findings.slice(first, first + limit), FAILURES_BYTES);
    const next = first + page.length;
    return { id, failures: page, next_offset: next, left: findings.length - next };
  }
  await process.waitForOutput(offset, waitMs, signal);
  const part = await process.spool.read(offset, limit);
  const skipped = offset >= 0 ? part.offset - Math.min(offset, process.spool.bytes) : 0;
  return {
    ...describeProcess(process),
    offset: part.offset,
    text: part.text,
    next_offset: part.nextOffset,
    ...(skipped > 3 && { skipped }),
    left: Math.max(0, process.spool.bytes - part.nextOffset),
  };
}

/** How many characters of a command a list shows. */
const MAX_LISTED_COMMAND = 200;

function listProcesses(all: readonly BackgroundProcess[]) {
  const listed = all.map((each) => ({ ...describeProcess(each), command: each.command.slice(0, MAX_LISTED_COMMAND) }));
  const shown = fitToBudget(listed);
  return { processes: shown, ...(shown.length < listed.length && { left: listed.length - shown.length }) };
}
