import type { JsonObject } from "@toolwright/engine";
import type { Context } from "../context.js";
import { type Check, fault, good, notApplicable } from "../finding.js";
import type { ListMethod, Visit } from "../survey.js";
import { asObject, resultOf } from "../wire/reply.js";

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
