import type { JsonObject } from "@toolwright/engine";
import { type Context, QUIET_MS } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, warning } from "../finding.js";
import type { ListMethod, Visit } from "../snapshot.js";
import { asObject, came, codeOf, few, type Reply, resultOf, sayReply, type Talk } from "../wire/connection.js";
import { CODES } from "../wire/protocol.js";

/** What every item of a list must have. */
const ITEM_MEMBERS: Readonly<Record<ListMethod, readonly string[]>> = {
  "tools/list": ["name"],
  "resources/list": ["uri", "name"],
  "resources/templates/list": ["uriTemplate", "name"],
  "prompts/list": ["name"],
};

/** Do results have the members that their revision demands? */
export const shapes: Check<Context> = {
  id: "wire.shapes",
  title: "Results have the members of their revision",
  group: "wire",
  async run(context) {
    const { visits } = await context.survey();
    const spoken = visits.filter(({ isSpoken }) => isSpoken);
    if (spoken.length === 0) return notApplicable("No version was negotiated.");
    const faults = new Map<string, { versions: string[]; evidence: readonly string[] }>();
    for (const visit of spoken)
      for (const [saw, evidence] of faultsOf(visit)) {
        const one = faults.get(saw) ?? { versions: [], evidence };
        one.versions.push(visit.era.version);
        faults.set(saw, one);
      }
    if (faults.size === 0)
      return [good(`Handshakes and lists are well-formed in ${spoken.map(({ era }) => era.version).join(", ")}.`)];
    return [...faults].map(([saw, { versions, evidence }]) =>
      fault(
        `${saw} (${versions.join(", ")}).`,
        {
          why: "Clients validate results: the official ones drop a whole list because of one wrong member.",
          next: "Send the member as the specification of that revision defines it.",
        },
        evidence,
      ),
    );
  },
};

type Seen = readonly [saw: string, evidence: readonly string[]];

function faultsOf(visit: Visit): readonly Seen[] {
  const { era, opening, lists, replies } = visit;
  const result = resultOf(opening) ?? {};
  const inOpening = (era.handshake ? faultsOfHandshake(result) : faultsOfDiscovery(result)).map(
    (saw): Seen => [saw, opening.evidence],
  );
  const inLists = [...lists].flatMap(([method, { items, replies: pages }]) => {
    const evidence = pages[0]?.evidence ?? [];
    const bodies = pages.flatMap((page) => resultOf(page) ?? []);
    return [
      ...new Set([
        ...items.flatMap((item) => faultsOfItem(method, item)),
        ...bodies.flatMap((body) => faultsOfPage(method, body as JsonObject, era.handshake)),
      ]),
    ].map((saw): Seen => [saw, evidence]);
  });
  const ping = replies.get("ping");
  const wrongPing: Seen[] =
    ping?.kind === "answer" && resultOf(ping) === undefined ? [["ping returns no empty result", ping.evidence]] : [];
  return [...inOpening, ...inLists, ...wrongPing];
}

function faultsOfHandshake(result: JsonObject): readonly string[] {
  const info = asObject(result["serverInfo"]);
  return [
    ...(asObject(result["capabilities"]) === undefined ? ["initialize returns no capabilities object"] : []),
    ...(typeof info?.["name"] !== "string" || typeof info["version"] !== "string"
      ? ["initialize returns no serverInfo with name and version"]
      : []),
    ...("resultType" in result ? ["initialize returns resultType, which this revision does not have"] : []),
  ];
}

function faultsOfDiscovery(result: JsonObject): readonly string[] {
  return [
    ...(asObject(result["capabilities"]) === undefined ? ["server/discover returns no capabilities object"] : []),
    ...faultsOfPage("server/discover", result, false),
  ];
}

function faultsOfPage(method: string, result: JsonObject, isHandshake: boolean): readonly string[] {
  const cursor = "nextCursor" in result && typeof result["nextCursor"] !== "string";
  const lost = isHandshake ? [] : ["resultType", "ttlMs", "cacheScope"].filter((member) => !(member in result));
  return [
    ...(cursor ? [`${method} returns a nextCursor that is not a string`] : []),
    ...(lost.length > 0 ? [`${method} returns no ${lost.join(", ")}`] : []),
  ];
}

function faultsOfItem(method: ListMethod, item: JsonObject): readonly string[] {
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

const ECHO = {
  why: "Clients match responses to requests by id: a response with another id, or another type of it, is ignored, and the call times out.",
  next: "Return the id unchanged: the same value, and the same type.",
};

/** Do ids come back as they were sent? */
const ids: Check<Context> = {
  id: "wire.ids",
  title: "Returns every id unchanged: 0, strings, large numbers",
  group: "wire",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined) return notApplicable("No version was negotiated.");
    const talk = await context.open(best.era);
    const findings: Finding[] = [];
    for (const id of [0, "toolwright-7", Number.MAX_SAFE_INTEGER]) {
      const reply = await askBeforeAnother(talk, best.era.handshake ? "ping" : "server/discover", id);
      if (reply?.kind === "end") return [fault(`It exits at the id ${JSON.stringify(id)}.`, ECHO, reply.evidence)];
      if (reply?.kind === "answer") continue;
      const others = talk.unmatched();
      const saw = others.length === 0 ? "gets no response" : "comes back changed";
      findings.push(fault(`The id ${JSON.stringify(id)} ${saw}.`, ECHO, few([...(reply?.evidence ?? []), ...others])));
    }
    return findings.length > 0 ? findings : [good("0, a string and the largest number come back unchanged.")];
  },
};

/** Asks with an id; undefined = a question that was asked later was answered, and this one was not. */
async function askBeforeAnother(talk: Talk, method: string, id: number | string): Promise<Reply | undefined> {
  const reply = talk.ask(method, {}, id);
  const later = await talk.ask(method);
  if (later.kind !== "answer") return reply;
  return Promise.race([reply, pause(QUIET_MS).then(() => undefined)]);
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Is everything that comes JSON-RPC? */
const form: Check<Context> = {
  id: "wire.form",
  title: "All messages are JSON-RPC 2.0",
  group: "wire",
  async run(context) {
    const { visits } = await context.survey();
    const heard = visits.flatMap((visit) => visit.heard);
    if (heard.length === 0) return notApplicable("No message was received.");
    const wrong = new Map<string, string[]>();
    for (const message of heard) {
      const saw = faultOf(message);
      if (saw !== undefined) wrong.set(saw, [...(wrong.get(saw) ?? []), came(JSON.stringify(message))]);
    }
    if (wrong.size === 0) return [good(`${heard.length} messages, all well-formed.`)];
    return [...wrong].map(([saw, evidence]) =>
      fault(
        `${evidence.length} of ${heard.length} messages: ${saw}.`,
        {
          why: "Strict clients reject the message, and the official ones close the connection or wait forever.",
          next: 'Send jsonrpc: "2.0" in each message, and in each response its id and either a result or an error.',
        },
        few(evidence),
      ),
    );
  },
};

function faultOf(message: JsonObject): string | undefined {
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

/** Does it answer a ping? */
const ping: Check<Context> = {
  id: "wire.ping",
  title: "Responds to ping",
  group: "wire",
  async run(context) {
    const { best } = await context.survey();
    const reply = best?.replies.get("ping");
    if (reply === undefined) return notApplicable("Its revision has no ping.");
    if (reply.kind === "answer" && codeOf(reply) === undefined) return [good("It responds to ping.", reply.evidence)];
    const advice = {
      why: "Clients and gateways use ping to see whether a server is alive, and close it if there is no response.",
      next: "Respond to ping with an empty result at any time.",
    };
    return [fault(`ping gets ${sayReply(reply)}.`, advice, reply.evidence)];
  },
};

/** Is a notification left without an answer? */
const notifications: Check<Context> = {
  id: "wire.notifications",
  title: "Ignores unknown notifications",
  group: "wire",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined) return notApplicable("No version was negotiated.");
    const talk = await context.open(best.era);
    await talk.notify("notifications/toolwright-doctor");
    await talk.notify("notifications/cancelled", { requestId: "never-asked", reason: "examined" });
    const after = await talk.ask(best.era.handshake ? "ping" : "server/discover");
    await pause(QUIET_MS / 4);
    const answers = talk.unmatched();
    if (after.kind !== "answer")
      return [
        fault(
          `After an unknown notification, ping gets ${sayReply(after)}.`,
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
        few(answers),
      ),
    ];
  },
};

/** Is an unknown method refused by the right code? */
const unknownMethod: Check<Context> = {
  id: "errors.unknown-method",
  title: "Rejects an unknown method with the right code",
  group: "errors",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined) return notApplicable("No version was negotiated.");
    const talk = await context.share(best.era);
    const reply = await talk.ask("toolwright/no-such-method");
    const code = codeOf(reply);
    if (code === CODES.methodNotFound) return [good(`It responds with ${code}.`, reply.evidence)];
    const saw = `An unknown method gets ${sayReply(reply)}.`;
    const advice = {
      why: "Clients try newer methods and fall back after this error; without the code they cannot.",
      next: `Reject unknown methods with error ${CODES.methodNotFound}.`,
    };
    return [(code === undefined ? fault : warning)(saw, advice, reply.evidence)];
  },
};

/** The checks of single messages. */
export const MESSAGE_CHECKS: readonly Check<Context>[] = [form, ids, ping, notifications, unknownMethod];
