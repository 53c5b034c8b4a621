import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Listening, startListening } from "../support/start-listening.js";
import type { CallResult } from "./client-under-test.js";
import { officialClients } from "./official-clients.js";
import { missing } from "./other-clients.js";
import { type ClientReport, oldClients, otherClients, type Place } from "./ready-clients.js";
import { CALL, OF_EACH_PACK, prepareReadyServer } from "./ready-server.js";
import type { ExchangedMessage } from "./recorded-transport.js";
import { startRecordingProxy } from "./recording-proxy.js";
import { ServerTarget } from "./server-transport.js";
import { violationsOf } from "./violations.js";

/** Several clients run at once, each a process or two. */
const TIME_LIMIT_MS = 120_000;

const ready = prepareReadyServer();
const servers = new Map(
  (["stdio", "HTTP", "HTTP+SSE"] as const).map((transport) => [transport, new ServerTarget(ready.args, transport)]),
);
let listening: Listening;
beforeAll(async () => {
  listening = await startListening(ready.args, "--sse");
  await Promise.all([...servers.values()].map((target) => target.open()));
}, TIME_LIMIT_MS);
afterAll(async () => {
  await Promise.all([...servers.values()].map((target) => target.close()));
  expect(await listening.close()).toBe(0);
  ready.clear();
});

/** The client has listed tools of all packs and called one. */
function expectReady({ tools, task }: ClientReport): void {
  expect(tools).toEqual(expect.arrayContaining([...OF_EACH_PACK]));
  expect(task).toMatchObject({ description: "Meet Ada", status: "pending" });
}

/** The revisions that clients have requested. */
function revisionsIn(exchanged: readonly ExchangedMessage[]): unknown[] {
  const messages = exchanged.filter(({ from }) => from === "client").flatMap(({ message }) => message);
  const revisions = messages.map((message) => {
    const { method, params } = message as { method?: string; params?: Record<string, Record<string, unknown>> };
    return method === "initialize"
      ? params?.["protocolVersion"]
      : params?.["_meta"]?.["io.modelcontextprotocol/protocolVersion"];
  });
  return [...new Set(revisions.filter((revision) => revision !== undefined))];
}

/** Runs a client over HTTP through the recording proxy, and checks that the server sent only what the revision allows. */
async function meet(revision: string, endpoint: string, visit: (place: Place) => Promise<ClientReport>): Promise<void> {
  const proxy = await startRecordingProxy(listening.url);
  try {
    expectReady(await visit({ url: new URL(endpoint, proxy.url).href }));
    expect(revisionsIn(proxy.messages)).toEqual([revision]);
    expect(violationsOf(revision, proxy.messages)).toEqual([]);
  } finally {
    await proxy.close();
  }
}

const onStdio = (visit: (place: Place) => Promise<ClientReport>) =>
  visit({ command: ready.command, args: ready.args }).then(expectReady);

describe.skipIf(missing !== "").concurrent(`the ready server${missing}`, { timeout: TIME_LIMIT_MS }, () => {
  test.each(otherClients)("is listed and called by $name over stdio", ({ visit }) => onStdio(visit));

  test.each(otherClients)("is listed and called by $name over HTTP", ({ revision, visit }) =>
    meet(revision, "/mcp", visit),
  );

  test.each(oldClients)("is listed and called by release $release of the official SDK over $transport", (old) =>
    old.transport === "stdio"
      ? onStdio(old.visit)
      : meet(old.revision, old.transport === "sse" ? "/sse" : "/mcp", old.visit),
  );
});

describe.concurrent("the ready server", { timeout: TIME_LIMIT_MS }, () => {
  test.each(officialClients)("is listed and called by the official client $name", async (official) => {
    const { transport, revision } = official;
    const target = servers.get(transport) as ServerTarget;
    const { client, recorded } = await official.open(target, {
      answer: () => ({ action: "cancel" }),
      onToolsChanged: () => {},
    });
    const tools = (await client.listTools()).map(({ name }) => name);
    const { content }: CallResult = await client.callTool(CALL.name, { ...CALL.input });
    expectReady({ tools, task: JSON.parse(content[0]?.text ?? "") as ClientReport["task"] });
    await client.close();
    expect(violationsOf(revision, recorded.messages)).toEqual([]);
  });
});
