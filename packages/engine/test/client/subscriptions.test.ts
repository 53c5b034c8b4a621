import { createServer, resource, type Server, tool } from "@toolwright/engine";
import { type Client, connect } from "@toolwright/engine/client";
import { serveHttp } from "@toolwright/engine/http";
import { expect, onTestFinished, test } from "vitest";
import { ALL } from "../support/every-revision.js";
import { connected, until } from "./targets.js";

const holds: (() => void)[] = [];
const held = tool({
  name: "held",
  description: "Ends when the test releases it.",
  run: (_input, call) =>
    new Promise<string>((resolve) => {
      holds.push(() => {
        call.progress(1);
        resolve("done");
      });
    }),
});
const note = resource({ uri: "note:a", name: "a", read: () => "" });
const create = (): Server =>
  createServer({
    name: "test",
    version: "1.0.0",
    log: () => undefined,
    dynamic: true,
    limits: { changeIntervalMs: 1 },
    tools: [held],
    resources: [note],
  });
const uris = ["note:a"];
const closeReason = ({ closed }: Client) => closed.then(({ message }) => message);

test.each(ALL)("in %s, closing one of two subscriptions does not end the other", async (revision) => {
  const server = create();
  const client = await connected({ server }, { revision });
  let changes = 0;
  const [first] = await Promise.all([
    client.listen({ uris }, () => undefined),
    client.listen({ uris }, () => {
      changes += 1;
    }),
  ]);
  await first?.close();
  server.notifyResourceUpdated("note:a");
  await until(() => changes > 0);
});

test.each(ALL)("in %s, a subscription can be closed after the client", async (revision) => {
  const client = await connect({ server: create() }, { revision });
  const listening = await client.listen({ uris }, () => undefined);
  await client.close();
  await listening.close();
});

test.each(ALL)("in %s, closing a server in the same process ends the connection", async (revision) => {
  const server = create();
  const client = await connected({ server }, { revision });
  const listening = await client.listen({ uris }, () => undefined);
  await server.close();
  expect(await closeReason(client)).toBe("The server was closed");
  await listening.closed;
  await expect(client.ping()).rejects.toThrow("The server was closed");
});

test.each(ALL)("in %s, a request to a closed server rejects after running calls have ended", async (revision) => {
  const server = create();
  const client = await connected({ server }, { revision });
  const running = client.callTool("held");
  await until(() => holds.length > 0);
  await server.close();
  const more = client.ping();
  holds.shift()?.();
  expect((await running).content).toEqual([{ type: "text", text: "done" }]);
  await expect(more).rejects.toThrow("The server was closed");
});

test.each(ALL)("in %s, a call that never ends rejects after the drain timeout of a closed server", async (revision) => {
  let signal: AbortSignal | undefined;
  const never = tool({
    name: "never",
    description: "Never ends.",
    run: (_input, call) => {
      signal = call.signal;
      return new Promise<string>(() => undefined);
    },
  });
  const options = { name: "test", version: "1.0.0", log: () => undefined, limits: { drainMs: 50 } };
  const server = createServer({ ...options, tools: [never] });
  const client = await connected({ server }, { revision });
  const running = client.callTool("never", {}, { timeoutMs: 5000 });
  await until(() => signal !== undefined);
  await server.close();
  await expect(running).rejects.toMatchObject({ name: "ConnectionError", message: "The server was closed" });
  expect(signal?.aborted).toBe(true);
});

test("a response that waits for its progress notifications is not lost when the server closes", async () => {
  const server = create();
  const client = await connected({ server }, { revision: "2025-11-25" });
  const running = client.callTool("held", {}, { onProgress: () => undefined });
  await until(() => holds.length > 0);
  holds.shift()?.();
  await new Promise(setImmediate);
  await server.close();
  expect((await running).content).toEqual([{ type: "text", text: "done" }]);
});

test("the end of a session over HTTP ends its subscriptions", async () => {
  const first = await serveHttp(create(), { port: 0 });
  const client = await connected({ url: first.url }, { revision: "2025-11-25" });
  const listening = await client.listen({ uris }, () => undefined);
  await first.close();
  const second = await serveHttp(create(), { port: Number(new URL(first.url).port) });
  onTestFinished(() => second.close());
  const message = `The server at ${first.url} ended the session (404). Connect again to continue`;
  expect((await listening.closed)?.message).toBe(message);
  expect(await closeReason(client)).toBe(message);
});
