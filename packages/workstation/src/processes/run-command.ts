import type { Call } from "@toolwright/engine";
import { type CommandRequest, type OutputStream, openCommand } from "@toolwright/kit/processes";
import { askFirst } from "../asking.js";
import type { Workstation } from "../workstation.js";
import type { BackgroundProcess } from "./background-process.js";
import { KeptText } from "./kept-text.js";
import { showProcess } from "./process-result.js";
import { Teller } from "./teller.js";

/** A command, and how long it may take. */
interface TimedRequest extends CommandRequest {
  readonly timeout_ms: number;
}

/** How much of each output a result shows, in characters. */
const SHOWN_CHARACTERS = 9000;

/** Runs a command to its end. */
export async function runCommand(workstation: Workstation, request: TimedRequest, call: Call) {
  const kept: Record<OutputStream, KeptText> = {
    stdout: new KeptText(SHOWN_CHARACTERS),
    stderr: new KeptText(SHOWN_CHARACTERS),
  };
  const teller = new Teller(call);
  const timeoutMs = Math.min(request.timeout_ms, workstation.settings.build_ms);
  const { process, note } = await start(workstation, request, call, {
    timeoutMs,
    signal: call.signal,
    hear(text, from) {
      kept[from].add(text);
      teller.hear(text);
    },
  });
  const end = await process.ended;
  call.signal.throwIfAborted();
  const { id, state: _state, pid: _pid, bytes, ...how } = showProcess(process);
  const [stdout, stderr] = [kept.stdout.take(), kept.stderr.take()];
  return {
    ...how,
    ok: end.exitCode === 0 && !end.hasTimedOut,
    stdout,
    stderr,
    ...(kept.stdout.lost + kept.stderr.lost > 0 && { cut: true }),
    log: { id, bytes },
    ...(note !== undefined && { note }),
  };
}

/** Starts a command that goes on by itself. */
export async function startCommand(workstation: Workstation, request: TimedRequest, call: Call) {
  const { process } = await start(workstation, request, call, { timeoutMs: request.timeout_ms });
  // Without a pid it could not be started, and its end says why.
  if (process.pid === undefined) await process.ended;
  return showProcess(process);
}

async function start(
  workstation: Workstation,
  request: CommandRequest,
  call: Call,
  how: {
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
    readonly hear?: (text: string, from: OutputStream) => void;
  },
): Promise<{ readonly process: BackgroundProcess; readonly note: string | undefined }> {
  const reach = await workstation.reach(call);
  await using command = await openCommand("packs.workstation.commands", workstation.settings.commands, reach, request);
  await askFirst(workstation, call, `Run ${command.command.slice(0, 500)}`, "destructive");
  const processes = await workstation.processes();
  const { note, ...what } = command;
  return { process: await processes.start({ ...what, ...how, principal: call.principal }), note };
}
