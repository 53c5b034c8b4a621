import { type ProgramContext, QUIET_MS } from "../context.js";
import { type Check, type Finding, fault, good, type NotApplicable, notApplicable, note, warning } from "../finding.js";
import { codeOf, few, remark, resultOf, sayReply, sent, shorten } from "../wire/connection.js";
import type { ProgramTalk } from "../wire/stdio.js";

/** After how long users wonder, and how much a server may write beside the wire. */
const SLOW_MS = 3000;
const MUCH_STDERR = 64 * 1024;

/** How long does it take to the first answer, and how much memory? */
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
    const saw = `The first response came after ${took.toLocaleString("en")} ms${memory}.`;
    if (took <= SLOW_MS) return [good(saw)];
    return [
      warning(saw, {
        why: "Clients start all servers with every window; slow ones delay them, and some clients give up after a few seconds.",
        next: "Load modules when they are first used, and install the server instead of downloading it at each start (npx).",
      }),
    ];
  },
};

/** Is stdout left to the protocol? */
const cleanStdout: Check<ProgramContext> = {
  id: "start.clean-stdout",
  title: "Writes only messages to stdout",
  group: "start",
  async run(context) {
    const talk = await context.open();
    const { program } = talk;
    if (talk.opening.kind === "answer") await talk.ask("tools/list");
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
        few(strayLines.map((line) => `← ${line}`)),
      ),
    ];
  },
};

/** Is there little beside the wire? */
const stderr: Check<ProgramContext> = {
  id: "start.stderr",
  title: "Writes little to stderr",
  group: "start",
  async run(context) {
    const talk = await context.open();
    const { program } = talk;
    if (talk.opening.kind === "answer") await talk.ask("tools/list");
    const { stderrBytes } = program;
    const said = stderrBytes === 0 ? [] : [remark(shorten(program.stderr))];
    if (stderrBytes <= MUCH_STDERR) return [good(`${stderrBytes} bytes on stderr.`, said)];
    return [note(`${stderrBytes} bytes on stderr before the first list.`, said, "Clients log all of it.")];
  },
};

/** The checks of a start. */
export const START_CHECKS: readonly Check<ProgramContext>[] = [firstAnswer, cleanStdout, stderr];

/** How long an end may take; on a machine that is slow to start it, longer. */
const END_MS = 2000;
const patienceFor = ({ openedMs }: ProgramTalk): number => Math.max(END_MS, 4 * openedMs);

/** Does it go when its client goes? */
const endsAtEof: Check<ProgramContext> = {
  id: "start.ends-at-eof",
  title: "Exits when the client closes stdin",
  group: "start",
  async run(context) {
    const talk = await context.open();
    const { opening, program } = talk;
    if (opening.kind !== "answer") return notApplicable("It did not respond.");
    program.endInput();
    if (await program.endsWithin(patienceFor(talk))) return [good(`It exits: ${program.ending}.`)];
    return [
      fault(
        `It still runs ${END_MS / 1000} s after stdin was closed.`,
        {
          why: "Clients stop servers by closing stdin. This one keeps running, with its memory, for every window that was ever opened.",
          next: "Exit when stdin ends, even if timers, sockets or watchers are active.",
        },
        [remark(`${program.members?.length ?? 1} of its processes were running, and were stopped by the doctor`)],
      ),
    ];
  },
};

/** Does it go when it is asked to? */
const endsAtSignal: Check<ProgramContext> = {
  id: "start.ends-at-sigterm",
  title: "Exits on SIGTERM",
  group: "start",
  async run(context) {
    if (process.platform === "win32") return notApplicable("Windows has no SIGTERM.");
    const talk = await context.open();
    const { opening, program } = talk;
    if (opening.kind !== "answer") return notApplicable("It did not respond.");
    program.terminate();
    if (await program.endsWithin(patienceFor(talk))) return [good(`It exits: ${program.ending}.`)];
    return [
      warning(`It still runs ${END_MS / 1000} s after SIGTERM.`, {
        why: "Clients wait that long at each restart, and then kill it while it may be writing.",
        next: "Shut down on SIGTERM within a second or two.",
      }),
    ];
  },
};

/** Does it take its children along? */
const leavesNothing: Check<ProgramContext> = {
  id: "start.leaves-nothing",
  title: "Leaves no child processes",
  group: "start",
  async run(context) {
    const talk = await context.open();
    const { opening, program } = talk;
    if (opening.kind !== "answer") return notApplicable("It did not respond.");
    if (program.members === undefined) return notApplicable("This system has no list of processes.");
    program.endInput();
    if (!(await program.endsWithin(patienceFor(talk)))) return notApplicable("It did not exit.");
    const isEmpty = (): true | undefined => (program.members?.length === 0 ? true : undefined);
    for (let look = 0; look < 10 && isEmpty() === undefined; look++) await pause(patienceFor(talk) / 10);
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
export const END_CHECKS: readonly Check<ProgramContext>[] = [endsAtEof, endsAtSignal, leavesNothing];

const LONG_LINE = 12 * 1024 * 1024;
const DEEP = 20_000;

/** Sends a ping with something huge in it, and looks whether the server lives on. */
async function sayHuge(
  context: ProgramContext,
  params: string,
  what: string,
): Promise<readonly Finding[] | NotApplicable> {
  const { opening, program } = await context.open();
  if (resultOf(opening) === undefined) return notApplicable("It has no handshake.");
  const text = `{"jsonrpc":"2.0","id":"huge","method":"ping","params":${params}}`;
  await program.ask("ping");
  const before = program.unmatched().length;
  program.say(text);
  const after = await program.ask("ping");
  const reply = await program.answerTo("huge", text, after.kind === "answer" ? QUIET_MS : 0);
  const evidence = [sent(text), ...reply.evidence.slice(1), remark(`afterwards: ${sayReply(after)}`)];
  if (after.kind !== "answer")
    return [
      fault(
        `It does not survive ${what}: ${sayReply(after)}.`,
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
  // A message without an id can still say that something was too long.
  const [refusal] = program.unmatched().slice(before);
  if (refusal !== undefined) return [good(`It rejects ${what} with an error, and keeps running.`, [...evidence, refusal])];
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
  run: (context) => sayHuge(context, JSON.stringify({ pad: "x".repeat(LONG_LINE) }), "a line of 12 MB"),
};

const deepNesting: Check<ProgramContext> = {
  id: "limits.deep-nesting",
  title: "Survives deep nesting",
  group: "limits",
  run: (context) =>
    sayHuge(context, `{"pad":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`, `${DEEP.toLocaleString("en")} nested arrays`),
};

/** Is a call that was given up left unanswered? */
const cancel: Check<ProgramContext> = {
  id: "limits.cancel",
  title: "Respects cancellation",
  group: "limits",
  async run(context) {
    const { mayCall } = context.limits;
    if (mayCall === undefined)
      return notApplicable(
        "Only a slow call can be cancelled. Name a slow tool with --call TOOL.",
      );
    const { program, opening } = await context.open();
    if (resultOf(opening) === undefined) return notApplicable("It has no handshake.");
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: "cancelled",
      method: "tools/call",
      params: { name: mayCall, arguments: {} },
    });
    const params = { requestId: "cancelled", reason: "examined" };
    const cancellation = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    // In one piece, or a server that is quick would sometimes have answered before it.
    program.say(`${text}\n${cancellation}`);
    const after = await program.ask("ping");
    const reply = await program.answerTo("cancelled", text, QUIET_MS * 2);
    if (after.kind !== "answer") {
      const advice = { why: "One slow call blocks all others.", next: "Read messages while a tool runs." };
      return [fault(`While ${mayCall} is cancelled, ping gets ${sayReply(after)}.`, advice, after.evidence)];
    }
    if (reply.kind === "silence") return [good(`${mayCall}: there is no response after the cancellation.`, reply.evidence)];
    return [
      warning(
        `${mayCall}: there is a response although the call was cancelled (${sayReply(reply)}).`,
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
