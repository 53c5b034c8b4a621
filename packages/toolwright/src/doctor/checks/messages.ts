import type { JsonObject } from "@toolwright/engine";
import { type Context, QUIET_MS } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, warning } from "../finding.js";
import type { ListMethod, RevisionSnapshot } from "../snapshot.js";
import {
  asObject,
  type Conversation,
  codeOf,
  describeReply,
  limitFrames,
  type Reply,
  receivedFrame,
  resultOf,
} from "../wire/connection.js";
import { CODES } from "../wire/protocol.js";

/** The required members of the items of a list. */
const ITEM_MEMBERS: Readonly<Record<ListMethod, readonly string[]>> = {
  "tools/list": ["name"],
  "resources/list": ["uri", "name"],
  "resources/templates/list": ["uriTemplate", "name"],
  "prompts/list": ["name"],
};

/** Validates results against their revision. */
export const shapes: Check<Context> = {
  id: "wire.shapes",
  title: "Results have the members of their revision",
  group: "wire",
  async run(context) {
    const { revisionSnapshots } = await context.snapshot();
    const spoken = revisionSnapshots.filter(({ isSupported }) => isSupported);
    if (spoken.length === 0) return notApplicable("No version was negotiated.");
    const faults = new Map<string, { versions: string[]; evidence: readonly string[] }>();
    for (const visit of spoken)
      for (const [summary, evidence] of problemsOf(visit)) {
        const one = faults.get(summary) ?? { versions: [], evidence };
        one.versions.push(visit.revision.version);
        faults.set(summary, one);
      }
    if (faults.size === 0)
      return [
        good(`Handshakes and lists are well-formed in ${spoken.map(({ revision }) => revision.version).join(", ")}.`),
      ];
    return [...faults].map(([summary, { versions, evidence }]) =>
      fault(
        `${summary} (${versions.join(", ")}).`,
        {
          why: "Clients validate results: the official ones drop a whole list because of one wrong member.",
          next: "Send the member as the specification of that revision defines it.",
        },
        evidence,
      ),
    );
  },
};

type Problem = readonly [summary: string, evidence: readonly string[]];

function problemsOf(visit: RevisionSnapshot): readonly Problem[] {
  const { revision, opening, lists, replies } = visit;
  const result = resultOf(opening) ?? {};
  const inOpening = (revision.handshake ? problemsOfHandshake(result) : problemsOfDiscovery(result)).map(
    (summary): Problem => [summary, opening.evidence],
  );
  const inLists = [...lists].flatMap(([method, { items, replies: pages }]) => {
    const evidence = pages[0]?.evidence ?? [];
    const bodies = pages.flatMap((page) => resultOf(page) ?? []);
    return [
      ...new Set([
        ...items.flatMap((item) => problemsOfItem(method, item)),
        ...bodies.flatMap((body) => problemsOfPage(method, body as JsonObject, revision.handshake)),
      ]),
    ].map((summary): Problem => [summary, evidence]);
  });
  const ping = replies.get("ping");
  const wrongPing: Problem[] =
    ping?.kind === "answer" && resultOf(ping) === undefined ? [["ping returns no empty result", ping.evidence]] : [];
  return [...inOpening, ...inLists, ...wrongPing];
}

function problemsOfHandshake(result: JsonObject): readonly string[] {
  const info = asObject(result["serverInfo"]);
  return [
    ...(asObject(result["capabilities"]) === undefined ? ["initialize returns no capabilities object"] : []),
    ...(typeof info?.["name"] !== "string" || typeof info["version"] !== "string"
      ? ["initialize returns no serverInfo with name and version"]
      : []),
    ...("resultType" in result ? ["initialize returns resultType, which this revision does not have"] : []),
  ];
}

function problemsOfDiscovery(result: JsonObject): readonly string[] {
  return [
    ...(asObject(result["capabilities"]) === undefined ? ["server/discover returns no capabilities object"] : []),
    ...problemsOfPage("server/discover", result, false),
  ];
}

function problemsOfPage(method: string, result: JsonObject, isHandshake: boolean): readonly string[] {
  const cursor = "nextCursor" in result && typeof result["nextCursor"] !== "string";
  const lost = isHandshake ? [] : ["resultType", "ttlMs", "cacheScope"].filter((member) => !(member in result));
  return [
    ...(cursor ? [`${method} returns a nextCursor that is not a string`] : []),
    ...(lost.length > 0 ? [`${method} returns no ${lost.join(", ")}`] : []),
  ];
}

function problemsOfItem(method: ListMethod, item: JsonObject): readonly string[] {
  const named = typeof item["name"] === "string" ? ` of ${JSON.stringify(item["name"])}` : "";
  const lost = ITEM_MEMBERS[method].filter((member) => typeof item[member] !== "string");
  const schema = asObject(item["inputSchema"]);
  return [
    ...lost.map((member) => `${method} has an item without ${member}`),
    ...(method === "tools/list" && schema?.["type"] !== "object"
      ? [`tools/list: the inputSchema${named} is not an object schema (type "object")`]
      : []),
  ];
}

const ID_ADVICE = {
  why: "Clients match responses to requests by id: a response with another id, or another type of it, is ignored, and the call times out.",
  next: "Return the id unchanged: the same value, and the same type.",
};

const ids: Check<Context> = {
  id: "wire.ids",
  title: "Returns every id unchanged: 0, strings, large numbers",
  group: "wire",
  async run(context) {
    const { best } = await context.snapshot();
    if (best === undefined) return notApplicable("No version was negotiated.");
    const conversation = await context.open(best.revision);
    const findings: Finding[] = [];
    for (const id of [0, "toolwright-7", Number.MAX_SAFE_INTEGER]) {
      const reply = await askWithId(conversation, best.revision.handshake ? "ping" : "server/discover", id);
      if (reply?.kind === "end") return [fault(`It exits at the id ${JSON.stringify(id)}.`, ID_ADVICE, reply.evidence)];
      if (reply?.kind === "answer") continue;
      const others = conversation.unmatchedResponses();
      const summary = others.length === 0 ? "gets no response" : "comes back changed";
      findings.push(
        fault(
          `The id ${JSON.stringify(id)} ${summary}.`,
          ID_ADVICE,
          limitFrames([...(reply?.evidence ?? []), ...others]),
        ),
      );
    }
    return findings.length > 0 ? findings : [good("0, a string and the largest number come back unchanged.")];
  },
};

/** Sends a request with an id; undefined if a later request gets a response, and this one does not. */
async function askWithId(conversation: Conversation, method: string, id: number | string): Promise<Reply | undefined> {
  const reply = conversation.ask(method, {}, id);
  const later = await conversation.ask(method);
  if (later.kind !== "answer") return reply;
  return Promise.race([reply, pause(QUIET_MS).then(() => undefined)]);
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const form: Check<Context> = {
  id: "wire.form",
  title: "All messages are JSON-RPC 2.0",
  group: "wire",
  async run(context) {
    const { revisionSnapshots } = await context.snapshot();
    const received = revisionSnapshots.flatMap((visit) => visit.received);
    if (received.length === 0) return notApplicable("No message was received.");
    const wrong = new Map<string, string[]>();
    for (const message of received) {
      const summary = problemOf(message);
      if (summary !== undefined)
        wrong.set(summary, [...(wrong.get(summary) ?? []), receivedFrame(JSON.stringify(message))]);
    }
    if (wrong.size === 0) return [good(`${received.length} messages, all well-formed.`)];
    return [...wrong].map(([summary, evidence]) =>
      fault(
        `${evidence.length} of ${received.length} messages: ${summary}.`,
        {
          why: "Strict clients reject the message, and the official ones close the connection or wait forever.",
          next: 'Send jsonrpc: "2.0" in each message, and in each response its id and either a result or an error.',
        },
        limitFrames(evidence),
      ),
    );
  },
};

function problemOf(message: JsonObject): string | undefined {
  if (message["jsonrpc"] !== "2.0") return 'jsonrpc: "2.0" is missing';
  if ("method" in message) return message["id"] === null ? "a notification has an id that is null" : undefined;
  if ("result" in message === "error" in message) return "a response has both or neither of result and error";
  if ("result" in message && typeof message["id"] !== "string" && typeof message["id"] !== "number")
    return "a result has no id";
  if (!("error" in message)) return undefined;
  const error = asObject(message["error"]);
  return Number.isInteger(error?.["code"]) && typeof error?.["message"] === "string"
    ? undefined
    : "an error has no integer code, or no message";
}

const ping: Check<Context> = {
  id: "wire.ping",
  title: "Responds to ping",
  group: "wire",
  async run(context) {
    const { best } = await context.snapshot();
    const reply = best?.replies.get("ping");
    if (reply === undefined) return notApplicable("Its revision has no ping.");
    if (reply.kind === "answer" && codeOf(reply) === undefined) return [good("It responds to ping.", reply.evidence)];
    const advice = {
      why: "Clients and gateways use ping to see whether a server is alive, and close it if there is no response.",
      next: "Respond to ping with an empty result at any time.",
    };
    return [fault(`ping gets ${describeReply(reply)}.`, advice, reply.evidence)];
  },
};

const notifications: Check<Context> = {
  id: "wire.notifications",
  title: "Ignores unknown notifications",
  group: "wire",
  async run(context) {
    const { best } = await context.snapshot();
    if (best === undefined) return notApplicable("No version was negotiated.");
    const conversation = await context.open(best.revision);
    await conversation.notify("notifications/toolwright-doctor");
    await conversation.notify("notifications/cancelled", { requestId: "never-asked", reason: "examined" });
    const after = await conversation.ask(best.revision.handshake ? "ping" : "server/discover");
    await pause(QUIET_MS / 4);
    const answers = conversation.unmatchedResponses();
    if (after.kind !== "answer")
      return [
        fault(
          `After an unknown notification, ping gets ${describeReply(after)}.`,
          {
            why: "Newer clients send notifications that older servers do not know.",
            next: "Ignore unknown notifications.",
          },
          after.evidence,
        ),
      ];
    if (answers.length === 0) return [good("Unknown notifications are ignored.")];
    return [
      warning(
        "It responds to notifications.",
        {
          why: "Strict clients close the connection after a response without a request.",
          next: "Do not respond to messages without an id.",
        },
        limitFrames(answers),
      ),
    ];
  },
};

const unknownMethod: Check<Context> = {
  id: "errors.unknown-method",
  title: "Rejects an unknown method with the right code",
  group: "errors",
  async run(context) {
    const { best } = await context.snapshot();
    if (best === undefined) return notApplicable("No version was negotiated.");
    const conversation = await context.share(best.revision);
    const reply = await conversation.ask("toolwright/no-such-method");
    const code = codeOf(reply);
    if (code === CODES.methodNotFound) return [good(`It responds with ${code}.`, reply.evidence)];
    const summary = `An unknown method gets ${describeReply(reply)}.`;
    const advice = {
      why: "Clients try newer methods and fall back after this error; without the code they cannot.",
      next: `Reject unknown methods with error ${CODES.methodNotFound}.`,
    };
    return [(code === undefined ? fault : warning)(summary, advice, reply.evidence)];
  },
};

/** The checks of single messages. */
export const MESSAGE_CHECKS: readonly Check<Context>[] = [form, ids, ping, notifications, unknownMethod];
