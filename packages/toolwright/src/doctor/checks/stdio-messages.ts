import { type ProgramContext, QUIET_MS } from "../context.js";
import { type Check, type Finding, fault, good, type NotApplicable, notApplicable, note, warning } from "../finding.js";
import { asObject, came, codeOf, few, remark, resultOf, sayReply, sent, textOf } from "../wire/connection.js";
import { CODES, dress, type Era, introduce, NEWEST_HANDSHAKE, STATELESS, WITH_BATCHES } from "../wire/protocol.js";
import type { Program } from "../wire/stdio.js";

const SPEAKER = { name: "toolwright-doctor", version: "1.0.0" };

/** What came after an odd line, once something that was sent later has been answered. */
async function sayOddLine(
  program: Program,
  line: string,
): Promise<{
  readonly news: readonly string[];
  readonly errors: readonly number[];
  readonly ending: string | undefined;
  readonly isAlive: boolean;
}> {
  // Some answer notifications, and that of the handshake is none of an odd line.
  await program.ask("ping");
  const before = program.heard.length;
  program.say(line);
  const after = await program.ask("ping");
  const others = (): typeof program.heard =>
    program.heard.slice(before).filter(({ message }) => message !== after.message && !("method" in message));
  await program.until(() => (others().length > 0 ? true : undefined), QUIET_MS);
  const errors = others().flatMap(({ message }) => {
    const code = asObject(message["error"])?.["code"];
    return typeof code === "number" ? [code] : [];
  });
  return {
    news: others().map(({ text }) => came(text)),
    errors,
    ending: program.ending,
    isAlive: after.kind === "answer",
  };
}

/** What does it do with a line that is no JSON? */
const malformed: Check<ProgramContext> = {
  id: "wire.malformed-line",
  title: "Rejects a line that is not JSON, and keeps running",
  group: "wire",
  async run(context) {
    const { opening, program } = await context.open();
    if (resultOf(opening) === undefined) return notApplicable("It has no handshake.");
    const line = '{"jsonrpc":"2.0","id":77,"method":"ping"';
    const { news, errors, ending, isAlive } = await sayOddLine(program, line);
    const evidence = few([sent(line), ...news, ...(ending === undefined ? [] : [remark(ending)])]);
    if (!isAlive)
      return [
        fault(
          `It does not survive a line that is not JSON: ${ending ?? "it does not respond any more"}.`,
          {
            why: "One stray line, from a shell or a wrapper, stops the server for the whole session.",
            next: `Respond with error ${CODES.parseError}, and read the next line.`,
          },
          evidence,
        ),
      ];
    if (errors.includes(CODES.parseError)) return [good(`It responds with ${CODES.parseError} and keeps running.`, evidence)];
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
  era: Era,
): Promise<{
  readonly isSpoken: boolean;
  readonly answered: number;
  readonly refused: boolean;
  readonly isAlive: boolean;
  readonly evidence: readonly string[];
}> {
  const { opening, program } = await context.open(era);
  const isSpoken = resultOf(opening)?.["protocolVersion"] === era.version;
  const line = JSON.stringify(["a", "b"].map((id) => ({ jsonrpc: "2.0", id: `batch-${id}`, method: "ping" })));
  const { news, errors, ending, isAlive } = await sayOddLine(program, line);
  const answered = program.heard.filter(
    ({ message }) => textOf(message["id"]).startsWith("batch-") && "result" in message,
  );
  return {
    isSpoken,
    answered: answered.length,
    refused: errors.length > 0,
    isAlive,
    evidence: few([
      sent(line),
      ...news,
      remark(ending ?? (news.length === 0 ? "no response, but a later ping got one" : "it keeps running")),
    ]),
  };
}

const DROPPED = {
  why: "The client waits for the responses of the batch until its timeout.",
  next: "Respond to each request of the batch, or reject the batch with an error.",
};

/** Are batches served where the revision has them? */
const batches: Check<ProgramContext> = {
  id: "wire.batches",
  title: `Responds to batches in ${WITH_BATCHES.version}`,
  group: "wire",
  async run(context): Promise<readonly Finding[] | NotApplicable> {
    const { isSpoken, answered, refused, isAlive, evidence } = await runBatch(context, WITH_BATCHES);
    if (!isSpoken) return notApplicable(`It does not support ${WITH_BATCHES.version}.`);
    if (!isAlive) return [fault("It does not survive a batch.", DROPPED, evidence)];
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
    return [fault("It silently ignores a batch.", DROPPED, evidence)];
  },
};

/** Are batches refused where they are no more? */
const noBatches: Check<ProgramContext> = {
  id: "wire.batches-removed",
  title: `Rejects batches in ${NEWEST_HANDSHAKE.version}, which has none`,
  group: "wire",
  async run(context) {
    const { isSpoken, answered, refused, isAlive, evidence } = await runBatch(context, NEWEST_HANDSHAKE);
    if (!isSpoken) return notApplicable(`It does not support ${NEWEST_HANDSHAKE.version}.`);
    if (!isAlive) return [fault("It does not survive a batch.", DROPPED, evidence)];
    if (refused) return [good("A batch is rejected with an error.", evidence)];
    if (answered > 0) return [note("It responds to batches, although this revision has none.", evidence)];
    return [warning("It silently ignores a batch.", DROPPED, evidence)];
  },
};

/** Can a client probe with the newer era and go on with the older one? */
const bothEras: Check<ProgramContext> = {
  id: "handshake.both-eras",
  title: "Accepts initialize after server/discover, in one process",
  group: "handshake",
  async run(context) {
    const { best, stateless } = await context.survey();
    if (best?.era.handshake !== true) return notApplicable("It has no handshake.");
    const program = context.start();
    const probe = await program.ask("server/discover", dress(STATELESS, {}, SPEAKER));
    const opening = await program.ask("initialize", introduce(best.era.version, SPEAKER));
    const evidence = [...probe.evidence, ...opening.evidence];
    if (resultOf(opening) === undefined)
      return [
        fault(
          `After server/discover, initialize gets ${sayReply(opening)}.`,
          {
            why: "Newer clients send server/discover first. They have to start this server a second time, or give up.",
            next: "Accept initialize after any other request.",
          },
          evidence,
        ),
      ];
    program.notify("notifications/initialized");
    if (stateless === undefined)
      return [good("The handshake works after server/discover.", evidence)];
    const alone = await program.ask("tools/list", dress(STATELESS, {}, SPEAKER));
    if (codeOf(alone) === undefined && alone.kind === "answer")
      return [good("One process serves handshake and stateless clients.", [...evidence, ...alone.evidence])];
    return [
      note(`After initialize, a stateless request gets ${sayReply(alone)}.`, [...evidence, ...alone.evidence]),
    ];
  },
};

/** The checks of raw lines. */
export const LINE_CHECKS: readonly Check<ProgramContext>[] = [bothEras, malformed, batches, noBatches];
