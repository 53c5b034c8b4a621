import { type ProgramContext, QUIET_MS } from "../context.js";
import { type Check, type Finding, fault, good, type NotApplicable, notApplicable, note, warning } from "../finding.js";
import {
  asObject,
  codeOf,
  comment,
  describeReply,
  limitFrames,
  receivedFrame,
  resultOf,
  sentFrame,
  textOf,
} from "../wire/connection.js";
import {
  addMeta,
  CODES,
  initializeParams,
  NEWEST_HANDSHAKE,
  type ProtocolRevision,
  STATELESS,
  WITH_BATCHES,
} from "../wire/protocol.js";
import type { Program } from "../wire/stdio.js";

const CLIENT_INFO = { name: "toolwright-doctor", version: "1.0.0" };

/** Sends an invalid line, and returns what was received until a later ping got its response. */
async function sendInvalidLine(
  program: Program,
  line: string,
): Promise<{
  readonly news: readonly string[];
  readonly errors: readonly number[];
  readonly exitReason: string | undefined;
  readonly isAlive: boolean;
}> {
  // Some servers respond to notifications: that of the handshake must not count.
  await program.ask("ping");
  const before = program.received.length;
  program.write(line);
  const after = await program.ask("ping");
  const others = (): typeof program.received =>
    program.received.slice(before).filter(({ message }) => message !== after.message && !("method" in message));
  await program.until(() => (others().length > 0 ? true : undefined), QUIET_MS);
  const errors = others().flatMap(({ message }) => {
    const code = asObject(message["error"])?.["code"];
    return typeof code === "number" ? [code] : [];
  });
  return {
    news: others().map(({ text }) => receivedFrame(text)),
    errors,
    exitReason: program.exitReason,
    isAlive: after.kind === "answer",
  };
}

const malformed: Check<ProgramContext> = {
  id: "wire.malformed-line",
  title: "Rejects a line that is not JSON, and keeps running",
  group: "wire",
  async run(context) {
    const { opening, program } = await context.open();
    if (resultOf(opening) === undefined) return notApplicable("It has no handshake.");
    const line = '{"jsonrpc":"2.0","id":77,"method":"ping"';
    const { news, errors, exitReason, isAlive } = await sendInvalidLine(program, line);
    const evidence = limitFrames([
      sentFrame(line),
      ...news,
      ...(exitReason === undefined ? [] : [comment(exitReason)]),
    ]);
    if (!isAlive)
      return [
        fault(
          `It does not survive a line that is not JSON: ${exitReason ?? "it does not respond any more"}.`,
          {
            why: "One stray line, from a shell or a wrapper, stops the server for the whole session.",
            next: `Respond with error ${CODES.parseError}, and read the next line.`,
          },
          evidence,
        ),
      ];
    if (errors.includes(CODES.parseError))
      return [good(`It responds with ${CODES.parseError} and keeps running.`, evidence)];
    if (errors.length > 0) return [note(`It responds with ${errors.join(", ")} and keeps running.`, evidence)];
    return [
      warning(
        "It silently ignores a line that is not JSON.",
        {
          why: "A client whose message was damaged waits until its timeout, without a reason.",
          next: `Respond with error ${CODES.parseError}.`,
        },
        evidence,
      ),
    ];
  },
};

async function runBatch(
  context: ProgramContext,
  revision: ProtocolRevision,
): Promise<{
  readonly isSupported: boolean;
  readonly answered: number;
  readonly refused: boolean;
  readonly isAlive: boolean;
  readonly evidence: readonly string[];
}> {
  const { opening, program } = await context.open(revision);
  const isSupported = resultOf(opening)?.["protocolVersion"] === revision.version;
  const line = JSON.stringify(["a", "b"].map((id) => ({ jsonrpc: "2.0", id: `batch-${id}`, method: "ping" })));
  const { news, errors, exitReason, isAlive } = await sendInvalidLine(program, line);
  const answered = program.received.filter(
    ({ message }) => textOf(message["id"]).startsWith("batch-") && "result" in message,
  );
  return {
    isSupported,
    answered: answered.length,
    refused: errors.length > 0,
    isAlive,
    evidence: limitFrames([
      sentFrame(line),
      ...news,
      comment(exitReason ?? (news.length === 0 ? "no response, but a later ping got one" : "it keeps running")),
    ]),
  };
}

const BATCH_ADVICE = {
  why: "The client waits for the responses of the batch until its timeout.",
  next: "Respond to each request of the batch, or reject the batch with an error.",
};

const batches: Check<ProgramContext> = {
  id: "wire.batches",
  title: `Responds to batches in ${WITH_BATCHES.version}`,
  group: "wire",
  async run(context): Promise<readonly Finding[] | NotApplicable> {
    const { isSupported, answered, refused, isAlive, evidence } = await runBatch(context, WITH_BATCHES);
    if (!isSupported) return notApplicable(`It does not support ${WITH_BATCHES.version}.`);
    if (!isAlive) return [fault("It does not survive a batch.", BATCH_ADVICE, evidence)];
    if (answered === 2) return [good("Both requests of a batch got a response.", evidence)];
    if (refused)
      return [
        warning(
          "It rejects batches, which this revision requires.",
          {
            why: "Clients of that revision that send batches cannot use the server.",
            next: "Respond to each request of the batch.",
          },
          evidence,
        ),
      ];
    return [fault("It silently ignores a batch.", BATCH_ADVICE, evidence)];
  },
};

const noBatches: Check<ProgramContext> = {
  id: "wire.batches-removed",
  title: `Rejects batches in ${NEWEST_HANDSHAKE.version}, which has none`,
  group: "wire",
  async run(context) {
    const { isSupported, answered, refused, isAlive, evidence } = await runBatch(context, NEWEST_HANDSHAKE);
    if (!isSupported) return notApplicable(`It does not support ${NEWEST_HANDSHAKE.version}.`);
    if (!isAlive) return [fault("It does not survive a batch.", BATCH_ADVICE, evidence)];
    if (refused) return [good("A batch is rejected with an error.", evidence)];
    if (answered > 0) return [note("It responds to batches, although this revision has none.", evidence)];
    return [warning("It silently ignores a batch.", BATCH_ADVICE, evidence)];
  },
};

const bothEras: Check<ProgramContext> = {
  id: "handshake.both-eras",
  title: "Accepts initialize after server/discover, in one process",
  group: "handshake",
  async run(context) {
    const { best, stateless } = await context.snapshot();
    if (best?.revision.handshake !== true) return notApplicable("It has no handshake.");
    const program = context.start();
    const probe = await program.ask("server/discover", addMeta(STATELESS, {}, CLIENT_INFO));
    const opening = await program.ask("initialize", initializeParams(best.revision.version, CLIENT_INFO));
    const evidence = [...probe.evidence, ...opening.evidence];
    if (resultOf(opening) === undefined)
      return [
        fault(
          `After server/discover, initialize gets ${describeReply(opening)}.`,
          {
            why: "Newer clients send server/discover first. They have to start this server a second time, or give up.",
            next: "Accept initialize after any other request.",
          },
          evidence,
        ),
      ];
    program.notify("notifications/initialized");
    if (stateless === undefined) return [good("The handshake works after server/discover.", evidence)];
    const alone = await program.ask("tools/list", addMeta(STATELESS, {}, CLIENT_INFO));
    if (codeOf(alone) === undefined && alone.kind === "answer")
      return [good("One process serves handshake and stateless clients.", [...evidence, ...alone.evidence])];
    return [
      note(`After initialize, a stateless request gets ${describeReply(alone)}.`, [...evidence, ...alone.evidence]),
    ];
  },
};

/** The checks of raw lines. */
export const LINE_CHECKS: readonly Check<ProgramContext>[] = [bothEras, malformed, batches, noBatches];
