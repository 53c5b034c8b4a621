import { type ProgramContext, QUIET_MS } from "../context.js";
import { type Check, type Finding, fault, good, type NotApplicable, notApplicable, warning } from "../finding.js";
import { remark, sent } from "../wire/evidence.js";
import { codeOf, resultOf, sayReply } from "../wire/reply.js";

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
          why: "A model that pastes a large file into an argument ends the server, and every other call in it, without a word.",
          next: "Set a limit, refuse what is above it with an error, and go on with the next line.",
        },
        evidence,
      ),
    ];
  const code = codeOf(reply);
  if (code !== undefined) return [good(`It refuses ${what} with error ${code}, and lives on.`, evidence)];
  if (reply.kind === "answer") return [good(`It takes ${what}, and lives on.`, evidence)];
  // A message without an id can still say that something was too long.
  const [refusal] = program.unmatched().slice(before);
  if (refusal !== undefined) return [good(`It refuses ${what} with an error, and lives on.`, [...evidence, refusal])];
  return [
    warning(
      `It lives on after ${what}, but does not answer it.`,
      { why: "The client waits until its time is over.", next: "Refuse what is too long with an error." },
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
  title: "Honours a cancelled call",
  group: "limits",
  async run(context) {
    const { mayCall } = context.limits;
    if (mayCall === undefined)
      return notApplicable(
        "Only a call that lasts can be cancelled; name a tool that takes its time with --call TOOL.",
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
      const advice = { why: "One hung call blocks every other.", next: "Read messages while a tool runs." };
      return [fault(`While ${mayCall} is cancelled, ping gets ${sayReply(after)}.`, advice, after.evidence)];
    }
    if (reply.kind === "silence") return [good(`${mayCall}: nothing comes after the cancellation.`, reply.evidence)];
    return [
      warning(
        `${mayCall}: an answer comes though the call was cancelled (${sayReply(reply)}).`,
        {
          why: "Work that nobody wants goes on; a call that ends at once may also be faster than the cancellation.",
          next: "End the work when its cancellation comes.",
        },
        reply.evidence,
      ),
    ];
  },
};

/** The checks of limits. */
export const LIMIT_CHECKS: readonly Check<ProgramContext>[] = [longLine, deepNesting, cancel];
