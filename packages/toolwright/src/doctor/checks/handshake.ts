import type { Context } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, note, warning } from "../finding.js";
import type { RevisionSnapshot, ServerSnapshot } from "../snapshot.js";
import {
  asObject,
  type Conversation,
  codeOf,
  describeReply,
  type Reply,
  resultOf,
  textOf,
} from "../wire/connection.js";
import { initializeParams, isHandshake, NEWEST_HANDSHAKE, STATELESS, UNKNOWN_VERSION } from "../wire/protocol.js";

/** Sends a second `initialize`. */
function initializeAgain(conversation: Conversation): Promise<Reply> {
  return conversation.ask(
    "initialize",
    initializeParams(conversation.revision.version, { name: "toolwright-doctor", version: "1.0.0" }),
  );
}

const NEGOTIATION_ADVICE = {
  why: "A client that gets no version it supports closes the connection: its user sees a server that does not connect.",
  next: "Respond to initialize with the requested version, or with the newest that the server supports.",
};

const revisions: Check<Context> = {
  id: "handshake.revisions",
  title: "Negotiates with clients of every handshake revision",
  group: "handshake",
  async run(context) {
    const snapshot = await context.snapshot();
    const revisionSnapshots = snapshot.revisionSnapshots.filter(({ revision }) => revision.handshake);
    const spoken = revisionSnapshots.filter(({ isSupported }) => isSupported).map(({ revision }) => revision.version);
    const others = revisionSnapshots.flatMap((visit) => (visit.isSupported ? [] : [judge(visit, snapshot)]));
    return spoken.length === 0
      ? others
      : [good(`It supports ${spoken.join(", ")}.`, firstEvidence(revisionSnapshots)), ...others];
  },
};

const firstEvidence = (revisionSnapshots: readonly RevisionSnapshot[]): readonly string[] =>
  revisionSnapshots.find(({ isSupported }) => isSupported)?.opening.evidence ?? [];

function judge({ revision, opening }: RevisionSnapshot, { stateless }: ServerSnapshot): Finding {
  const answered = resultOf(opening)?.["protocolVersion"];
  const asked = `For ${revision.version}, it`;
  if (isHandshake(answered))
    return note(`${asked} offered ${textOf(answered)}: clients continue with that.`, opening.evidence);
  if (opening.kind === "answer" && codeOf(opening) !== undefined && stateless !== undefined)
    return warning(
      `${asked} rejected the handshake: it supports only ${STATELESS.version}.`,
      {
        why: "Clients that do not support that revision cannot use this server.",
        next: "Support the handshake revisions as well until your users' clients have been updated.",
      },
      opening.evidence,
    );
  const got = answered === undefined ? describeReply(opening) : `the unknown version ${JSON.stringify(answered)}`;
  return fault(`${asked} gave ${got}.`, NEGOTIATION_ADVICE, opening.evidence);
}

const unknownRevision: Check<Context> = {
  id: "handshake.unknown-revision",
  title: "Offers a version to clients that request an unknown one",
  group: "handshake",
  async run(context) {
    const { best } = await context.snapshot();
    if (best?.revision.handshake !== true) return notApplicable("It has no handshake.");
    const { opening } = await context.open({ version: UNKNOWN_VERSION, handshake: true });
    const answered = resultOf(opening)?.["protocolVersion"];
    if (isHandshake(answered)) return [good(`It offers ${textOf(answered)}.`, opening.evidence)];
    if (answered === UNKNOWN_VERSION)
      return [fault("It accepts a version that does not exist.", NEGOTIATION_ADVICE, opening.evidence)];
    const summary = `For an unknown version, it responded with ${describeReply(opening)} instead of an offer.`;
    return [(opening.kind === "answer" ? warning : fault)(summary, NEGOTIATION_ADVICE, opening.evidence)];
  },
};

const twice: Check<Context> = {
  id: "handshake.twice",
  title: "Survives a second initialize",
  group: "handshake",
  async run(context) {
    const { best } = await context.snapshot();
    if (best?.revision.handshake !== true) return notApplicable("It has no handshake.");
    const conversation = await context.open(best.revision);
    const second = await initializeAgain(conversation);
    const after = await conversation.ask("ping");
    const evidence = [...second.evidence, ...after.evidence];
    if (second.kind === "end" || after.kind === "end")
      return [
        fault(
          `It does not survive a second initialize: ${describeReply(second.kind === "end" ? second : after)}.`,
          {
            why: "Clients that reconnect over the same pipe, and gateways, lose the server.",
            next: "Reject the second initialize with an error, and keep running.",
          },
          evidence,
        ),
      ];
    if (second.kind === "silence")
      return [
        warning(
          "It does not respond to a second initialize.",
          { why: "The client waits until its timeout.", next: "Reject the second initialize with an error." },
          evidence,
        ),
      ];
    if (codeOf(second) !== undefined) return [good("It rejects the second initialize, and keeps running.", evidence)];
    return [note("It accepts a second initialize like the first.", evidence)];
  },
};

const newest: Check<Context> = {
  id: "handshake.newest",
  title: "Supports the newest handshake revision",
  group: "handshake",
  async run(context) {
    const { best } = await context.snapshot();
    if (best === undefined) return notApplicable("No version was negotiated.");
    if (best.revision.version === NEWEST_HANDSHAKE.version) return [good(`It supports ${best.revision.version}.`)];
    return [
      note(
        `The newest it supports is ${best.revision.version}.`,
        best.opening.evidence,
        `Features of ${NEWEST_HANDSHAKE.version} are unavailable: icons, URL elicitation, rules for tool names.`,
      ),
    ];
  },
};

/** The checks of the handshake. */
export const HANDSHAKE_CHECKS: readonly Check<Context>[] = [revisions, newest, unknownRevision, twice];

const DISCOVER_ADVICE = {
  why: "Newer clients send server/discover first, and fall back to initialize if it is rejected. A server that crashes or does not respond looks broken, or is started twice.",
  next: "Respond to server/discover, or reject it like any unknown method, and then accept initialize.",
};

const discoverFirst: Check<Context> = {
  id: "handshake.discover-first",
  title: "Survives server/discover before initialize",
  group: "handshake",
  async run(context) {
    const { opening } = await context.open(STATELESS);
    if (opening.kind === "end")
      return [fault(`It crashes on server/discover: ${describeReply(opening)}.`, DISCOVER_ADVICE, opening.evidence)];
    if (opening.kind === "silence" && opening.status === undefined)
      return [fault("It does not respond to server/discover.", DISCOVER_ADVICE, opening.evidence)];
    if (opening.kind === "silence")
      return [
        warning(
          `It refuses server/discover without a JSON-RPC error: ${opening.reason}.`,
          DISCOVER_ADVICE,
          opening.evidence,
        ),
      ];
    const code = codeOf(opening);
    if (code === undefined) return [good("It answers server/discover.", opening.evidence)];
    return [
      good(`It rejects server/discover with error ${code}, as clients expect of older servers.`, opening.evidence),
    ];
  },
};

const alone: Check<Context> = {
  id: "handshake.stateless",
  title: `Serves stateless requests (${STATELESS.version})`,
  group: "handshake",
  async run(context) {
    const { revisionSnapshots, stateless } = await context.snapshot();
    const visit = revisionSnapshots.find(({ revision }) => !revision.handshake);
    if (stateless === undefined)
      return [
        note(
          `It does not support ${STATELESS.version}; clients of that revision fall back to initialize.`,
          visit?.opening.evidence ?? [],
        ),
      ];
    const problems = [...stateless.lists.values()].flatMap(({ problem }) => problem ?? []);
    if (problems.length === 0)
      return [good(`It supports ${STATELESS.version}, and its lists work without a handshake.`)];
    return [
      fault(
        `It declares support for ${STATELESS.version}, but ${problems.join("; ")}.`,
        {
          why: "Clients that rely on server/discover never send initialize, and see nothing.",
          next: "Serve every method without a handshake, or leave the version out of supportedVersions.",
        },
        [...stateless.lists.values()].flatMap(({ replies }) => replies.flatMap(({ evidence }) => evidence)),
      ),
    ];
  },
};

const capabilities: Check<Context> = {
  id: "handshake.capabilities",
  title: "Supports exactly the capabilities that it declares",
  group: "handshake",
  async run(context) {
    const { best } = await context.snapshot();
    if (best === undefined) return notApplicable("No version was negotiated.");
    const broken = [...best.lists].filter(([, { problem }]) => problem !== undefined);
    const hidden = [...best.replies].filter(([method, reply]) => method !== "ping" && resultOf(reply) !== undefined);
    const mute = [...best.replies].filter(([, { kind, status }]) => kind !== "answer" && status === undefined);
    return [
      ...broken.map(([, { problem, replies }]) =>
        fault(
          `It declares the capability, but ${problem}.`,
          {
            why: "Clients request every declared list, and many drop the whole server if one fails.",
            next: "Return the list, even if it is empty, or do not declare the capability.",
          },
          replies.flatMap(({ evidence }) => evidence),
        ),
      ),
      ...mute.map(([method, reply]) =>
        fault(
          `It does not respond to ${method}, which it has not declared.`,
          {
            why: "A client that requests it anyway waits until its timeout.",
            next: "Reject unknown methods with the error for that.",
          },
          reply.evidence,
        ),
      ),
      ...hidden
        .filter(([, reply]) => hasItems(resultOf(reply)))
        .map(([method, reply]) =>
          warning(
            `${method} returns items, but the capability is not declared.`,
            { why: "No client requests it.", next: "Declare the capability." },
            reply.evidence,
          ),
        ),
      ...(broken.length + mute.length === 0
        ? [good(`It declares ${Object.keys(best.capabilities).sort().join(", ") || "nothing"}, and supports that.`)]
        : []),
    ];
  },
};

const hasItems = (result: unknown): boolean =>
  Object.values(asObject(result) ?? {}).some((value) => Array.isArray(value) && value.length > 0);

/** The checks of eras and capabilities. */
export const ERA_CHECKS: readonly Check<Context>[] = [discoverFirst, alone, capabilities];
