import { type ProgramContext, QUIET_MS } from "../context.js";
import { type Check, type Finding, fault, good, type NotApplicable, notApplicable, note, warning } from "../finding.js";
import { codeOf, comment, describeReply, limitFrames, resultOf, sentFrame, shorten } from "../wire/connection.js";
import type { StdioConversation } from "../wire/stdio.js";

/** A start is slow after this, and stderr is long beyond this. */
const SLOW_START_MS = 3000;
const MAX_STDERR_BYTES = 64 * 1024;

const firstAnswer: Check<ProgramContext> = {
  id: "start.first-answer",
  title: "Starts quickly",
  group: "start",
  async run(context) {
    const { opening, program, openedMs } = await context.open();
    const took = Math.round(openedMs);
    if (opening.kind !== "answer") return notApplicable("It did not respond.");
    const bytes = (program.members ?? []).reduce((sum, member) => sum + member.bytes, 0);
    const memory = bytes === 0 ? "" : `, with ${Math.round(bytes / 1024 / 1024)} MB of memory`;
    const summary = `The first response came after ${took.toLocaleString("en")} ms${memory}.`;
    if (took <= SLOW_START_MS) return [good(summary)];
    return [
      warning(summary, {
        why: "Clients start all servers with every window; slow ones delay them, and some clients give up after a few seconds.",
        next: "Load modules when they are first used, and install the server instead of downloading it at each start (npx).",
      }),
    ];
  },
};

const cleanStdout: Check<ProgramContext> = {
  id: "start.clean-stdout",
  title: "Writes only messages to stdout",
  group: "start",
  async run(context) {
    const conversation = await context.open();
    const { program } = conversation;
    if (conversation.opening.kind === "answer") await conversation.ask("tools/list");
    await program.until(() => (program.strayLines.length > 0 ? true : undefined), QUIET_MS);
    const { strayLines } = program;
    if (strayLines.length === 0) return [good("Only messages were received.")];
    return [
      fault(
        `It writes ${strayLines.length} ${strayLines.length === 1 ? "line" : "lines"} to stdout that are not messages.`,
        {
          why: "stdout is the transport: clients fail to parse the line, and many close the connection.",
          next: "Write logs to stderr (console.error), including those of libraries.",
        },
        limitFrames(strayLines.map((line) => `← ${line}`)),
      ),
    ];
  },
};

const stderr: Check<ProgramContext> = {
  id: "start.stderr",
  title: "Writes little to stderr",
  group: "start",
  async run(context) {
    const conversation = await context.open();
    const { program } = conversation;
    if (conversation.opening.kind === "answer") await conversation.ask("tools/list");
    const { stderrBytes } = program;
    const said = stderrBytes === 0 ? [] : [comment(shorten(program.stderr))];
    if (stderrBytes <= MAX_STDERR_BYTES) return [good(`${stderrBytes} bytes on stderr.`, said)];
    return [note(`${stderrBytes} bytes on stderr before the first list.`, said, "Clients log all of it.")];
  },
};

/** The checks of a start. */
export const START_CHECKS: readonly Check<ProgramContext>[] = [firstAnswer, cleanStdout, stderr];

/** How long exiting may take; longer on a slow machine. */
const EXIT_TIMEOUT_MS = 2000;
const exitTimeoutFor = ({ openedMs }: StdioConversation): number => Math.max(EXIT_TIMEOUT_MS, 4 * openedMs);

const exitsAtEof: Check<ProgramContext> = {
  id: "start.ends-at-eof",
  title: "Exits when the client closes stdin",
  group: "start",
  async run(context) {
    const conversation = await context.open();
    const { opening, program } = conversation;
    if (opening.kind !== "answer") return notApplicable("It did not respond.");
    program.endInput();
    if (await program.exitsWithin(exitTimeoutFor(conversation))) return [good(`It exits: ${program.exitReason}.`)];
    return [
      fault(
        `It still runs ${EXIT_TIMEOUT_MS / 1000} s after stdin was closed.`,
        {
          why: "Clients stop servers by closing stdin. This one keeps running, with its memory, for every window that was ever opened.",
          next: "Exit when stdin ends, even if timers, sockets or watchers are active.",
        },
        [comment(`${program.members?.length ?? 1} of its processes were running, and were stopped by the doctor`)],
      ),
    ];
  },
};

const exitsAtSignal: Check<ProgramContext> = {
  id: "start.ends-at-sigterm",
  title: "Exits on SIGTERM",
  group: "start",
  async run(context) {
    if (process.platform === "win32") return notApplicable("Windows has no SIGTERM.");
    const conversation = await context.open();
    const { opening, program } = conversation;
    if (opening.kind !== "answer") return notApplicable("It did not respond.");
    program.terminate();
    if (await program.exitsWithin(exitTimeoutFor(conversation))) return [good(`It exits: ${program.exitReason}.`)];
    return [
      warning(`It still runs ${EXIT_TIMEOUT_MS / 1000} s after SIGTERM.`, {
        why: "Clients wait that long at each restart, and then kill it while it may be writing.",
        next: "Shut down on SIGTERM within a second or two.",
      }),
    ];
  },
};

const leavesNoChildren: Check<ProgramContext> = {
  id: "start.leaves-nothing",
  title: "Leaves no child processes",
  group: "start",
  async run(context) {
    const conversation = await context.open();
    const { opening, program } = conversation;
    if (opening.kind !== "answer") return notApplicable("It did not respond.");
    if (program.members === undefined) return notApplicable("This system has no list of processes.");
    program.endInput();
    if (!(await program.exitsWithin(exitTimeoutFor(conversation)))) return notApplicable("It did not exit.");
    const isEmpty = (): true | undefined => (program.members?.length === 0 ? true : undefined);
    for (let look = 0; look < 10 && isEmpty() === undefined; look++) await pause(exitTimeoutFor(conversation) / 10);
    const left = program.members?.length ?? 0;
    if (left === 0) return [good("No process was left.")];
    return [
      fault(`It exited, but ${left} of its child processes keep running.`, {
        why: "Each start adds more, until the machine runs out of memory.",
        next: "Stop all child processes before exiting.",
      }),
    ];
  },
};

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** The checks of an end. */
export const END_CHECKS: readonly Check<ProgramContext>[] = [exitsAtEof, exitsAtSignal, leavesNoChildren];

const LONG_LINE_BYTES = 12 * 1024 * 1024;
const NESTING_DEPTH = 20_000;

/** Sends a huge ping, and checks whether the server survives it. */
async function sendHugePing(
  context: ProgramContext,
  params: string,
  what: string,
): Promise<readonly Finding[] | NotApplicable> {
  const { opening, program } = await context.open();
  if (resultOf(opening) === undefined) return notApplicable("It has no handshake.");
  const text = `{"jsonrpc":"2.0","id":"huge","method":"ping","params":${params}}`;
  await program.ask("ping");
  const before = program.unmatchedResponses().length;
  program.write(text);
  const after = await program.ask("ping");
  const reply = await program.responseTo("huge", text, after.kind === "answer" ? QUIET_MS : 0);
  const evidence = [sentFrame(text), ...reply.evidence.slice(1), comment(`afterwards: ${describeReply(after)}`)];
  if (after.kind !== "answer")
    return [
      fault(
        `It does not survive ${what}: ${describeReply(after)}.`,
        {
          why: "A model that pastes a large file into an argument crashes the server, and with it every other call.",
          next: "Set a limit, reject larger messages with an error, and continue with the next line.",
        },
        evidence,
      ),
    ];
  const code = codeOf(reply);
  if (code !== undefined) return [good(`It rejects ${what} with error ${code}, and keeps running.`, evidence)];
  if (reply.kind === "answer") return [good(`It accepts ${what}, and keeps running.`, evidence)];
  // The error may have no id.
  const [refusal] = program.unmatchedResponses().slice(before);
  if (refusal !== undefined)
    return [good(`It rejects ${what} with an error, and keeps running.`, [...evidence, refusal])];
  return [
    warning(
      `It survives ${what}, but does not respond to it.`,
      { why: "The client waits until its timeout.", next: "Reject messages that are too long with an error." },
      evidence,
    ),
  ];
}

const longLine: Check<ProgramContext> = {
  id: "limits.long-line",
  title: "Survives a line of 12 MB",
  group: "limits",
  run: (context) => sendHugePing(context, JSON.stringify({ pad: "x".repeat(LONG_LINE_BYTES) }), "a line of 12 MB"),
};

const deepNesting: Check<ProgramContext> = {
  id: "limits.deep-nesting",
  title: "Survives deep nesting",
  group: "limits",
  run: (context) =>
    sendHugePing(
      context,
      `{"pad":${"[".repeat(NESTING_DEPTH)}${"]".repeat(NESTING_DEPTH)}}`,
      `${NESTING_DEPTH.toLocaleString("en")} nested arrays`,
    ),
};

const cancel: Check<ProgramContext> = {
  id: "limits.cancel",
  title: "Respects cancellation",
  group: "limits",
  async run(context) {
    const { allowedTool } = context.limits;
    if (allowedTool === undefined)
      return notApplicable("Only a slow call can be cancelled. Name a slow tool with --call TOOL.");
    const { program, opening } = await context.open();
    if (resultOf(opening) === undefined) return notApplicable("It has no handshake.");
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: "cancelled",
      method: "tools/call",
      params: { name: allowedTool, arguments: {} },
    });
    const params = { requestId: "cancelled", reason: "examined" };
    const cancellation = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    // In one write, so that a fast server cannot respond in between.
    program.write(`${text}\n${cancellation}`);
    const after = await program.ask("ping");
    const reply = await program.responseTo("cancelled", text, QUIET_MS * 2);
    if (after.kind !== "answer") {
      const advice = { why: "One slow call blocks all others.", next: "Read messages while a tool runs." };
      return [fault(`While ${allowedTool} is cancelled, ping gets ${describeReply(after)}.`, advice, after.evidence)];
    }
    if (reply.kind === "silence")
      return [good(`${allowedTool}: there is no response after the cancellation.`, reply.evidence)];
    return [
      warning(
        `${allowedTool}: there is a response although the call was cancelled (${describeReply(reply)}).`,
        {
          why: "Unwanted work continues. A call that is very fast may also end before the cancellation.",
          next: "Stop the work when it is cancelled.",
        },
        reply.evidence,
      ),
    ];
  },
};

/** The checks of limits. */
export const LIMIT_CHECKS: readonly Check<ProgramContext>[] = [longLine, deepNesting, cancel];
