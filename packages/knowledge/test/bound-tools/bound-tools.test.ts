import path from "node:path";
import { createServer, type JsonObject, type Server } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { type ToolCalls, toolCallsOf } from "../../../../tests/support/tool-calls.js";
import { makeFolder } from "../kit.js";
import { createKnowledge, hostOf } from "../open-pack.js";

const CHANGED = "notifications/tools/list_changed";

interface Fixture extends ToolCalls {
  readonly client: TestClient;
  readonly server: Server;
  readonly names: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** A server that can change its list, as the command line makes it. */
async function open(
  state: string,
  { dynamic = true, settings = {} }: { dynamic?: boolean; settings?: JsonObject } = {},
): Promise<Fixture> {
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [createKnowledge(hostOf(state))({ embedder: "static", ...settings })],
    dynamic,
  });
  const client = await connectTestClient(server, { revision: "2025-11-25" });
  const close = async (): Promise<void> => {
    client.close();
    await server.close();
  };
  onTestFinished(close);
  const names = async (): Promise<readonly string[]> => {
    const { tools } = await client.request("tools/list", {});
    return (tools as { name: string }[]).map(({ name }) => name).filter((name) => !name.startsWith("kb_"));
  };
  return { server, client, names, close, ...toolCallsOf(client) };
}

/** Until the client has heard so often that the list is another one. */
const expectNotified = ({ client }: Fixture, times: number): Promise<void> =>
  vi.waitFor(() => expect(client.received(CHANGED).length).toBe(times), { timeout: 20_000 });

async function fill(fixture: Fixture): Promise<void> {
  await fixture.call("kb_create", { name: "docs", description: "The handbook" });
  const texts = [{ name: "a.md", text: "# Backups\n\nBackups are kept for thirty days in the cellar." }];
  await fixture.call("kb_ingest", { collection: "docs", texts });
}

test("a registered tool is listed at once, with a notification, and searches its collection", async () => {
  const fixture = await open(await makeFolder());
  await fill(fixture);
  const made = await fixture.call("kb_register_tool", {
    name: "ask_handbook",
    collection: "docs",
    operation: "answer",
  });
  expect(made).toEqual({
    name: "ask_handbook",
    collection: "docs",
    version: null,
    operation: "answer",
    status: "active",
    warnings: [],
  });
  expect(await fixture.names()).toEqual(["ask_handbook"]);
  await expectNotified(fixture, 1);
  expect(await fixture.call("ask_handbook", { query: "how long are backups kept" })).toMatchObject({ answered: true });
  await fixture.call("kb_register_tool", { name: "find", collection: "docs", defaults: { top_k: 1 } });
  const { results } = await fixture.call("find", { query: "backups" });
  expect((results as JsonObject[]).length).toBe(1);
});

test("it is taken off the list and comes back without a restart; forgotten, it does not", async () => {
  const fixture = await open(await makeFolder());
  await fill(fixture);
  await fixture.call("kb_register_tool", { name: "find", collection: "docs" });
  await expectNotified(fixture, 1);
  expect(await fixture.call("kb_deactivate_tool", { name: "find" })).toMatchObject({ status: "inactive" });
  expect(await fixture.names()).toEqual([]);
  await expectNotified(fixture, 2);
  await fixture.call("kb_activate_tool", { name: "find" });
  expect(await fixture.names()).toEqual(["find"]);
  await expectNotified(fixture, 3);
  expect(await fixture.call("kb_deactivate_tool", { name: "find", forget: true })).toMatchObject({
    status: "forgotten",
  });
  expect((await fixture.fail("kb_activate_tool", { name: "find" })).code).toBe("NOT_FOUND");
});

test("names are those that every client takes, and a taken one comes with a suggestion", async () => {
  const fixture = await open(await makeFolder());
  await fill(fixture);
  await fixture.call("kb_register_tool", { name: "find", collection: "docs" });
  const refuse = async (name: string) => fixture.fail("kb_register_tool", { name, collection: "docs" });
  expect((await refuse("find")).details).toMatchObject({ code: "ALREADY_EXISTS", suggestion: "find_2" });
  expect((await refuse("kb_answer")).details).toMatchObject({ code: "ALREADY_EXISTS", suggestion: "kb_answer_2" });
  expect((await refuse("kb.answer")).details).toMatchObject({ code: "INVALID_ARGUMENT", suggestion: "kb_answer" });
  expect((await refuse("find all of it")).details).toMatchObject({ suggestion: "find_all_of_it" });
  expect((await fixture.fail("kb_register_tool", { name: "x", collection: "dcos" })).text).toContain(
    'Did you mean "docs"?',
  );
  expect((await fixture.fail("kb_register_tool", { name: "x", collection: "docs", version: 7 })).code).toBe(
    "NOT_FOUND",
  );
});

test("arguments by default are checked before a tool has them, and a filter is one of them", async () => {
  const fixture = await open(await makeFolder());
  await fill(fixture);
  const register = { name: "find", collection: "docs" };
  for (const defaults of [{ top_k: 101 }, { top_k: "5" }, { mode: "all" }, { filters: { kind: 1 } }, { query: "x" }])
    expect((await fixture.fail("kb_register_tool", { ...register, defaults })).code).toBe("INVALID_ARGUMENT");
  expect((await fixture.fail("kb_register_tool", { ...register, description: "x".repeat(1001) })).text).toContain(
    "more than 1000 characters",
  );
  await fixture.call("kb_register_tool", { ...register, defaults: { filters: { document_types: ["pdf"] } } });
  expect(await fixture.call("find", { query: "lion" })).toMatchObject({ results: [] });
});

test("a server that is started later lists them from the first moment", async () => {
  const state = await makeFolder();
  const first = await open(state);
  await fill(first);
  await first.call("kb_register_tool", { name: "find", collection: "docs", version: 1 });
  await first.close();
  const second = await open(state);
  expect(await second.names()).toEqual(["find"]);
  const { results } = await second.call("find", { query: "backups" });
  expect((results as JsonObject[])[0]).toMatchObject({ collection_id: "docs", version: 1 });
});

test("another server on the same database lists what this one registers, and loses what it deletes", async () => {
  const state = await makeFolder();
  const one = await open(state);
  await fill(one);
  const other = await open(await makeFolder(), { settings: { database: path.join(state, "knowledge.db") } });
  await one.call("kb_register_tool", { name: "find", collection: "docs" });
  await vi.waitFor(async () => expect(await other.names()).toEqual(["find"]), { timeout: 20_000 });
  await expectNotified(other, 1);
  await one.call("kb_delete", { collection: "docs" });
  await vi.waitFor(async () => expect(await other.names()).toEqual([]), { timeout: 20_000 });
  await vi.waitFor(async () => expect(await one.names()).toEqual([]), { timeout: 20_000 });
});

test("a server that cannot change its list says that a restart is needed", async () => {
  const fixture = await open(await makeFolder(), { dynamic: false });
  await fill(fixture);
  expect(await fixture.call("kb_register_tool", { name: "find", collection: "docs" })).toMatchObject({
    status: "active",
    warnings: ["This server cannot change its list of tools while it runs. Restart it to see the change."],
  });
});

test("whoever withdraws the pack finds the tools that came later among its contents", async () => {
  const fixture = await open(await makeFolder());
  await fill(fixture);
  const pack = createKnowledge(hostOf(await makeFolder()))({});
  const contents = await pack.open(fixture.server);
  onTestFinished(() => contents.close?.());
  // It is not offered, so that it leaves the list alone.
  await fixture.call("kb_register_tool", { name: "find", collection: "docs" });
  expect(contents.tools?.map(({ name }) => name)).not.toContain("find");
  expect(await fixture.names()).toEqual(["find"]);
});
