import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Listening, startListening } from "../support/start-listening.js";
import { eavesdrop } from "./eavesdropper.js";
import { faultsOf } from "./legality.js";
import { officialClients } from "./official-clients.js";
import { missing } from "./other-clients.js";
import type { Given } from "./peer.js";
import { oldClients, otherClients, type Place, type Seen } from "./ready-clients.js";
import { DEED, OF_EACH_PACK, prepareReadyServer } from "./ready-server.js";
import { Station } from "./station.js";
import type { Spoken } from "./wire.js";

/** Several clients come at once, each a process or two. */
const TIME_LIMIT_MS = 120_000;

const ready = prepareReadyServer();
const stations = new Map((["stdio", "HTTP", "HTTP+SSE"] as const).map((way) => [way, new Station(ready.args, way)]));
let listening: Listening;
beforeAll(async () => {
  listening = await startListening(ready.args, "--sse");
  await Promise.all([...stations.values()].map((station) => station.open()));
}, TIME_LIMIT_MS);
afterAll(async () => {
  await Promise.all([...stations.values()].map((station) => station.close()));
  expect(await listening.close()).toBe(0);
  ready.clear();
});

/** A client has seen the ready server: tools of all packs, and a deed that was done. */
function expectReady({ tools, task }: Seen): void {
  expect(tools).toEqual(expect.arrayContaining([...OF_EACH_PACK]));
  expect(task).toMatchObject({ description: "Meet Ada", status: "pending" });
}

/** The revisions that clients have asked for. */
function revisionsIn(spoken: readonly Spoken[]): unknown[] {
  const messages = spoken.filter(({ from }) => from === "client").flatMap(({ message }) => message);
  const asked = messages.map((message) => {
    const { method, params } = message as { method?: string; params?: Record<string, Record<string, unknown>> };
    return method === "initialize"
      ? params?.["protocolVersion"]
      : params?.["_meta"]?.["io.modelcontextprotocol/protocolVersion"];
  });
  return [...new Set(asked.filter((revision) => revision !== undefined))];
}

/** Lets a client come over HTTP, listens in, and looks whether the server said only what the revision allows. */
async function meet(revision: string, endpoint: string, visit: (place: Place) => Promise<Seen>): Promise<void> {
  const way = await eavesdrop(listening.url);
  try {
    expectReady(await visit({ url: new URL(endpoint, way.url).href }));
    expect(revisionsIn(way.spoken)).toEqual([revision]);
    expect(faultsOf(revision, way.spoken)).toEqual([]);
  } finally {
    await way.close();
  }
}

const onStdio = (visit: (place: Place) => Promise<Seen>) =>
  visit({ command: ready.command, args: ready.args }).then(expectReady);

describe.skipIf(missing !== "").concurrent(`the ready server${missing}`, { timeout: TIME_LIMIT_MS }, () => {
  test.each(otherClients)("is seen and called by $name over stdio", ({ visit }) => onStdio(visit));

  test.each(otherClients)("is seen and called by $name over HTTP", ({ revision, visit }) =>
    meet(revision, "/mcp", visit),
  );

  test.each(oldClients)("is seen and called by release $release of the official SDK over $way", (old) =>
    old.way === "stdio" ? onStdio(old.visit) : meet(old.revision, old.way === "sse" ? "/sse" : "/mcp", old.visit),
  );
});

describe.concurrent("the ready server", { timeout: TIME_LIMIT_MS }, () => {
  test.each(officialClients)("is seen and called by the official client $name", async (official) => {
    const { way, revision } = official;
    const station = stations.get(way) as Station;
    const { peer, wire } = await official.open(station, {
      answer: () => ({ action: "cancel" }),
      onToolsChanged: () => {},
    });
    const tools = (await peer.listTools()).map(({ name }) => name);
    const { content }: Given = await peer.callTool(DEED.name, { ...DEED.input });
    expectReady({ tools, task: JSON.parse(content[0]?.text ?? "") as Seen["task"] });
    await peer.close();
    expect(faultsOf(revision, wire.spoken)).toEqual([]);
  });
});
