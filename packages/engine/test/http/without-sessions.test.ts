import { expect, test } from "vitest";
import { Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { initialize, type Message, pause, serve, textOf, until } from "./serve.js";
import { modern } from "./stateless-request.js";
import { openWire, postText } from "./wire.js";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

test("without sessions each request is stateless, in the revision of its header [HTL-14]", async () => {
  const site = await serve({ sessions: false });
  const begun = await site.post(initialize("2025-06-18"));
  expect(begun.headers.get("mcp-session-id")).toBeNull();
  expect((await begun.json()) as Message).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
  const headers = { "mcp-protocol-version": "2025-06-18" };
  expect((await site.post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers)).status).toBe(202);
  expect((await site.post(list, headers)).status).toBe(200);
  // The id of another server's session is ignored.
  expect((await site.post(list, { ...headers, "mcp-session-id": "of-another-server" })).status).toBe(200);
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "steps", _meta: { progressToken: 1 } } };
  const messages = await Events.of(await site.post(call, headers)).messages();
  expect(messages.map(({ method, id }) => method ?? id)).toEqual([
    "notifications/progress",
    "notifications/progress",
    2,
  ]);
});

test("without sessions and version header a request is of 2025-03-26, which has batches [HTL-14]", async () => {
  const site = await serve({ sessions: false });
  const answer = await site.post(list);
  const { result } = (await answer.json()) as { result: { tools: Message[] } };
  expect(result.tools.every((tool) => !("title" in tool) && !("outputSchema" in tool))).toBe(true);
});

test("without sessions GET and DELETE get 405, and elicitation is unavailable [HTL-14]", async () => {
  const site = await serve({ sessions: false });
  for (const method of ["GET", "DELETE"])
    expect((await fetch(site.url, { method, headers: { accept: "text/event-stream" } })).status).toBe(405);
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "greet" } };
  const answer = await site.post(call, { "mcp-protocol-version": "2025-06-18" });
  expect((await answer.json()) as Message).toMatchObject({ result: { isError: true } });
});

test("without sessions a disconnect cancels nothing, and a closing server waits for the call [CANC-04]", async () => {
  const held = createHeld();
  const site = await serve({ sessions: false }, { tools: [held.tool] });
  const call = (reportProgress: boolean) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "held", arguments: { reportProgress }, _meta: { progressToken: 1 } },
  });
  const older = ["2025-03-26", "2025-06-18", "2025-11-25"].flatMap((version) =>
    [false, true].map((reportProgress) => postText(call(reportProgress), { "mcp-protocol-version": version })),
  );
  const newest = modern("tools/call", { name: "held" });
  const wires = [...older, postText(newest.body, newest.headers)].map((text) => openWire(site).write(text));
  await until(() => held.waiting === 7, "seven calls");
  for (const { socket } of wires) socket.destroy();
  await until(() => held.stopped.length === 1, "the end of the newest");
  await pause(50);
  const closed = site.serving.close();
  await pause(50);
  expect(held.stopped).toHaveLength(1);
  held.release();
  await closed;
  expect(site.entries.filter(({ level }) => level !== "debug")).toEqual([]);
});

test("a server that requires no handshake serves a call without one, with and without a stream", async () => {
  const held = createHeld();
  const site = await serve({}, { compat: { lifecycle: "off" }, tools: [held.tool] });
  const call = (args: Message) => ({
    jsonrpc: "2.0",
    id: 5,
    method: "tools/call",
    params: { name: "held", arguments: args, _meta: { progressToken: 1 } },
  });
  const plain = site.post(call({}));
  const stream = Events.of(await site.post(call({ reportProgress: true })));
  await until(() => held.waiting === 2, "two calls");
  held.release();
  expect(textOf((await (await plain).json()) as Message)).toBe("released");
  const messages = await stream.messages();
  expect(messages.map(({ method, id }) => method ?? id)).toEqual(["notifications/progress", 5]);
});
