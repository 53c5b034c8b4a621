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
  title: "Results have the shape of their revision",
  group: "wire",
  async run(context) {
    const { visits } = await context.survey();
    const spoken = visits.filter(({ isSpoken }) => isSpoken);
    if (spoken.length === 0) return notApplicable("It came to no agreement.");
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
          why: "Clients check what they get: the official ones throw away a whole list for one wrong member.",
          next: "Send the member as the specification of that revision has it.",
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
    ping?.kind === "answer" && resultOf(ping) === undefined ? [["ping gives no empty result", ping.evidence]] : [];
  return [...inOpening, ...inLists, ...wrongPing];
}

function faultsOfHandshake(result: JsonObject): readonly string[] {
  const info = asObject(result["serverInfo"]);
  return [
    ...(asObject(result["capabilities"]) === undefined ? ["initialize gives no object capabilities"] : []),
    ...(typeof info?.["name"] !== "string" || typeof info["version"] !== "string"
      ? ["initialize gives no serverInfo with name and version"]
      : []),
    ...("resultType" in result ? ["initialize gives resultType, which this revision does not have"] : []),
  ];
}

function faultsOfDiscovery(result: JsonObject): readonly string[] {
  return [
    ...(asObject(result["capabilities"]) === undefined ? ["server/discover gives no object capabilities"] : []),
    ...faultsOfPage("server/discover", result, false),
  ];
}

function faultsOfPage(method: string, result: JsonObject, isHandshake: boolean): readonly string[] {
  const cursor = "nextCursor" in result && typeof result["nextCursor"] !== "string";
  const lost = isHandshake ? [] : ["resultType", "ttlMs", "cacheScope"].filter((member) => !(member in result));
  return [
    ...(cursor ? [`${method} gives a nextCursor that is no text`] : []),
    ...(lost.length > 0 ? [`${method} gives no ${lost.join(", ")}`] : []),
  ];
}

function faultsOfItem(method: ListMethod, item: JsonObject): readonly string[] {
  const named = typeof item["name"] === "string" ? ` of ${JSON.stringify(item["name"])}` : "";
  const lost = ITEM_MEMBERS[method].filter((member) => typeof item[member] !== "string");
  const schema = asObject(item["inputSchema"]);
  return [
    ...lost.map((member) => `${method} has an item without ${member}`),
    ...(method === "tools/list" && schema?.["type"] !== "object"
      ? [`tools/list: the inputSchema${named} is no object schema (type "object")`]
      : []),
  ];
}

const ECHO = {
  why: "Clients find the question of an answer by its id: an answer with another id, or another type of it, never arrives, and the call runs into its time-out.",
  next: "Send the id back as it came: the same value, and the same type.",
};

/** Do ids come back as they were sent? */
const ids: Check<Context> = {
  id: "wire.ids",
  title: "Gives every id back as it came: 0, texts, large numbers",
  group: "wire",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined) return notApplicable("It came to no agreement.");
    const talk = await context.open(best.era);
    const findings: Finding[] = [];
    for (const id of [0, "toolwright-7", Number.MAX_SAFE_INTEGER]) {
      const reply = await askBeforeAnother(talk, best.era.handshake ? "ping" : "server/discover", id);
      if (reply?.kind === "end") return [fault(`It ends at the id ${JSON.stringify(id)}.`, ECHO, reply.evidence)];
      if (reply?.kind === "answer") continue;
      const others = talk.unmatched();
      const saw = others.length === 0 ? "gets no answer" : "comes back as another one";
      findings.push(fault(`The id ${JSON.stringify(id)} ${saw}.`, ECHO, few([...(reply?.evidence ?? []), ...others])));
    }
    return findings.length > 0 ? findings : [good("0, a text and the largest number come back as they were sent.")];
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
  title: "Every message is JSON-RPC 2.0",
  group: "wire",
  async run(context) {
    const { visits } = await context.survey();
    const heard = visits.flatMap((visit) => visit.heard);
    if (heard.length === 0) return notApplicable("No message came.");
    const wrong = new Map<string, string[]>();
    for (const message of heard) {
      const saw = faultOf(message);
      if (saw !== undefined) wrong.set(saw, [...(wrong.get(saw) ?? []), came(JSON.stringify(message))]);
    }
    if (wrong.size === 0) return [good(`${heard.length} messages, each of them well-formed.`)];
    return [...wrong].map(([saw, evidence]) =>
      fault(
        `${evidence.length} of ${heard.length} messages: ${saw}.`,
        {
          why: "Strict clients refuse the message, and the official ones close the connection or wait for ever.",
          next: 'Give each message jsonrpc: "2.0", and each answer its id and either a result or an error.',
        },
        few(evidence),
      ),
    );
  },
};

function faultOf(message: JsonObject): string | undefined {
  if (message["jsonrpc"] !== "2.0") return 'there is no jsonrpc: "2.0"';
  if ("method" in message) return message["id"] === null ? "a notification has an id that is null" : undefined;
  if ("result" in message === "error" in message) return "an answer has both or neither of result and error";
  if ("result" in message && typeof message["id"] !== "string" && typeof message["id"] !== "number")
    return "a result has no id";
  if (!("error" in message)) return undefined;
  const error = asObject(message["error"]);
  return Number.isInteger(error?.["code"]) && typeof error?.["message"] === "string"
    ? undefined
    : "an error has no whole number as code, or no message";
}

/** Does it answer a ping? */
const ping: Check<Context> = {
  id: "wire.ping",
  title: "Answers ping",
  group: "wire",
  async run(context) {
    const { best } = await context.survey();
    const reply = best?.replies.get("ping");
    if (reply === undefined) return notApplicable("Its revision has no ping.");
    if (reply.kind === "answer" && codeOf(reply) === undefined) return [good("It answers ping.", reply.evidence)];
    const advice = {
      why: "Clients and gateways ping to see whether a server lives, and close it when nothing comes.",
      next: "Answer ping with an empty result at any time.",
    };
    return [fault(`It gives ${sayReply(reply)} to ping.`, advice, reply.evidence)];
  },
};

/** Is a notification left without an answer? */
const notifications: Check<Context> = {
  id: "wire.notifications",
  title: "Answers no notification, and survives unknown ones",
  group: "wire",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined) return notApplicable("It came to no agreement.");
    const talk = await context.open(best.era);
    await talk.notify("notifications/toolwright-doctor");
    await talk.notify("notifications/cancelled", { requestId: "never-asked", reason: "examined" });
    const after = await talk.ask(best.era.handshake ? "ping" : "server/discover");
    await pause(QUIET_MS / 4);
    const answers = talk.unmatched();
    if (after.kind !== "answer")
      return [
        fault(
          `After an unknown notification there is ${sayReply(after)}.`,
          {
            why: "Newer clients send notifications that older servers do not know.",
            next: "Ignore unknown notifications.",
          },
          after.evidence,
        ),
      ];
    if (answers.length === 0) return [good("Unknown notifications are passed over.")];
    return [
      warning(
        "It answers notifications.",
        {
          why: "An answer that nobody has asked for ends the connection of strict clients.",
          next: "Send nothing back to a message without an id.",
        },
        few(answers),
      ),
    ];
  },
};

/** Is an unknown method refused by the right code? */
const unknownMethod: Check<Context> = {
  id: "errors.unknown-method",
  title: "Refuses an unknown method by its code",
  group: "errors",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined) return notApplicable("It came to no agreement.");
    const talk = await context.share(best.era);
    const reply = await talk.ask("toolwright/no-such-method");
    const code = codeOf(reply);
    if (code === CODES.methodNotFound) return [good(`It answers ${code}.`, reply.evidence)];
    const saw = `An unknown method gets ${sayReply(reply)}.`;
    const advice = {
      why: "Clients try newer methods and fall back when they hear that there is none; without the code they cannot tell.",
      next: `Answer unknown methods with error ${CODES.methodNotFound}.`,
    };
    return [(code === undefined ? fault : warning)(saw, advice, reply.evidence)];
  },
};

/** The checks of single messages. */
export const MESSAGE_CHECKS: readonly Check<Context>[] = [form, ids, ping, notifications, unknownMethod];
