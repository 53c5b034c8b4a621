import type { Context } from "../context.js";
import { isHandshake, NEWEST_HANDSHAKE, STATELESS, UNKNOWN_VERSION } from "../eras.js";
import { type Check, type Finding, fault, good, notApplicable, note, warning } from "../finding.js";
import type { Survey, Visit } from "../survey.js";
import { codeOf, resultOf, sayReply, textOf } from "../wire/reply.js";
import { introduceAgain } from "./introduce-again.js";

const NEGOTIATE = {
  why: "A client that gets no version it knows closes the connection: its user sees a server that does not connect.",
  next: "Answer initialize with the version that was asked for, or with the newest that the server speaks.",
};

/** Does every handshake revision come to an agreement? */
const revisions: Check<Context> = {
  id: "handshake.revisions",
  title: "Agrees on a version with the clients of every handshake revision",
  group: "handshake",
  async run(context) {
    const survey = await context.survey();
    const visits = survey.visits.filter(({ era }) => era.handshake);
    const spoken = visits.filter(({ isSpoken }) => isSpoken).map(({ era }) => era.version);
    const others = visits.flatMap((visit) => (visit.isSpoken ? [] : [judge(visit, survey)]));
    return spoken.length === 0 ? others : [good(`It speaks ${spoken.join(", ")}.`, firstEvidence(visits)), ...others];
  },
};

const firstEvidence = (visits: readonly Visit[]): readonly string[] =>
  visits.find(({ isSpoken }) => isSpoken)?.opening.evidence ?? [];

function judge({ era, opening }: Visit, { stateless }: Survey): Finding {
  const answered = resultOf(opening)?.["protocolVersion"];
  const asked = `Asked for ${era.version}, it`;
  if (isHandshake(answered))
    return note(`${asked} offered ${textOf(answered)}: clients go on with that.`, opening.evidence);
  if (opening.kind === "answer" && codeOf(opening) !== undefined && stateless !== undefined)
    return warning(
      `${asked} refused the handshake: it speaks only ${STATELESS.version}.`,
      {
        why: "Clients that have not moved to that revision cannot use this server at all.",
        next: "Serve the handshake revisions beside it until your users' clients have moved.",
      },
      opening.evidence,
    );
  const got = answered === undefined ? sayReply(opening) : `the unknown version ${JSON.stringify(answered)}`;
  return fault(`${asked} gave ${got}.`, NEGOTIATE, opening.evidence);
}

/** What does it say to a version that nobody has published? */
const unknownRevision: Check<Context> = {
  id: "handshake.unknown-revision",
  title: "Offers a version of its own to a client that asks for an unknown one",
  group: "handshake",
  async run(context) {
    const { best } = await context.survey();
    if (best?.era.handshake !== true) return notApplicable("It has no handshake.");
    const { opening } = await context.open({ version: UNKNOWN_VERSION, handshake: true });
    const answered = resultOf(opening)?.["protocolVersion"];
    if (isHandshake(answered)) return [good(`It offers ${textOf(answered)}.`, opening.evidence)];
    if (answered === UNKNOWN_VERSION)
      return [fault("It agrees to a version that does not exist.", NEGOTIATE, opening.evidence)];
    const saw = `Asked for an unknown version, it gave ${sayReply(opening)} in place of an offer.`;
    return [(opening.kind === "answer" ? warning : fault)(saw, NEGOTIATE, opening.evidence)];
  },
};

/** Does a second handshake hurt it? */
const twice: Check<Context> = {
  id: "handshake.twice",
  title: "Lives on when initialize is sent twice",
  group: "handshake",
  async run(context) {
    const { best } = await context.survey();
    if (best?.era.handshake !== true) return notApplicable("It has no handshake.");
    const talk = await context.open(best.era);
    const second = await introduceAgain(talk);
    const after = await talk.ask("ping");
    const evidence = [...second.evidence, ...after.evidence];
    if (second.kind === "end" || after.kind === "end")
      return [
        fault(
          `It does not survive a second initialize: ${sayReply(second.kind === "end" ? second : after)}.`,
          {
            why: "Clients that reconnect over the same pipe, and gateways in front of it, lose the server.",
            next: "Refuse the second initialize with an error, and go on.",
          },
          evidence,
        ),
      ];
    if (second.kind === "silence")
      return [
        warning(
          "It says nothing to a second initialize.",
          { why: "The client waits until its own time is over.", next: "Refuse the second initialize with an error." },
          evidence,
        ),
      ];
    if (codeOf(second) !== undefined) return [good("It refuses the second initialize, and goes on.", evidence)];
    return [note("It takes a second initialize as if it were the first.", evidence)];
  },
};

/** Is the newest handshake revision there? */
const newest: Check<Context> = {
  id: "handshake.newest",
  title: "Speaks the newest handshake revision",
  group: "handshake",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined) return notApplicable("It came to no agreement.");
    if (best.era.version === NEWEST_HANDSHAKE.version) return [good(`It speaks ${best.era.version}.`)];
    return [
      note(
        `The newest that it speaks is ${best.era.version}.`,
        best.opening.evidence,
        `What came with ${NEWEST_HANDSHAKE.version} cannot be used: icons, URL questions, tool names with rules.`,
      ),
    ];
  },
};

/** The checks of the handshake. */
export const HANDSHAKE_CHECKS: readonly Check<Context>[] = [revisions, newest, unknownRevision, twice];
