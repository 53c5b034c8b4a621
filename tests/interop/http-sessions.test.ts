import type { HttpOptions } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHeld } from "../../packages/engine/test/http/example-server.js";
import { type Served, serve, until } from "../../packages/engine/test/http/serve.js";
import { type SessionClients, sessionClients } from "./http-clients.js";
import { startRecordingProxy } from "./recording-proxy.js";

const DONE = [{ type: "text", text: "released" }];

function serveHeld(options: HttpOptions = {}): Promise<{ served: Served; held: ReturnType<typeof createHeld> }> {
  const held = createHeld();
  return serve(options, { tools: [held.tool] }).then((served) => ({ served, held }));
}

async function visit({ open }: SessionClients, url: string, sessionId?: string) {
  const client = await open(url, sessionId);
  onTestFinished(() => client.close());
  return client;
}

describe.each(sessionClients)("a session of the official client $name", (official) => {
  test("is resumed by another client, which gets the response that the first one did not wait for", async () => {
    const { served, held } = await serveHeld();
    const first = await visit(official, served.url);
    let token = "";
    const lost = first.call(
      "held",
      { reportProgress: true },
      { onprogress: () => {}, onresumptiontoken: (now) => (token = now) },
    );
    const failed = lost.catch(() => "closed");
    await until(() => token !== "", "a place to come back to");
    await first.close();
    expect(await failed).toBe("closed");
    held.release();
    const second = await visit(official, served.url, first.sessionId());
    const { content } = await second.call("held", {}, { resumptionToken: token });
    expect(content).toEqual(DONE);
    expect(held.stopped).toEqual([]);
  });

  test("outlives its connections: the client reconnects for the response", async () => {
    const { served, held } = await serveHeld();
    const proxy = await startRecordingProxy(served.url);
    onTestFinished(() => proxy.close());
    const client = await visit(official, proxy.url);
    let hasBegun = false;
    const call = client.call("held", { reportProgress: true }, { onprogress: () => (hasBegun = true) });
    await until(() => hasBegun, "the call to begin");
    proxy.cut();
    held.release();
    expect((await call).content).toEqual(DONE);
    expect(proxy.requests.filter((request) => request === "GET /mcp 200").length).toBeGreaterThan(1);
  });

  test("ends at the client's request: running calls are cancelled, and it cannot be resumed", async () => {
    const { served, held } = await serveHeld();
    const client = await visit(official, served.url);
    const id = client.sessionId();
    const call = client.call("held").catch(() => "failed");
    await until(() => held.waiting === 1, "the call to begin");
    await client.terminate();
    expect(client.sessionId()).toBeUndefined();
    await until(() => held.stopped.length === 1, "the call to be stopped");
    const late = await visit(official, served.url, id);
    await expect(late.call("held")).rejects.toMatchObject({ message: expect.stringContaining("session") as string });
    await client.close();
    expect(await call).toBe("failed");
  });
});

test.each(sessionClients.filter(({ name }) => name.endsWith("2025-11-25")))(
  "a session of the official client $name survives disconnects by the server during a long call",
  async (official) => {
    const { served, held } = await serveHeld({ pollAfterMs: 20 });
    const proxy = await startRecordingProxy(served.url);
    onTestFinished(() => proxy.close());
    const client = await visit(official, proxy.url);
    const call = client.call("held");
    const returns = () => proxy.requests.filter((request) => request === "GET /mcp 200").length > 1;
    await until(returns, "the client to come back");
    held.release();
    expect((await call).content).toEqual(DONE);
  },
);
