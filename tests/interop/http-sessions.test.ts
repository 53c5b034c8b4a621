import type { HttpOptions } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHeld } from "../../packages/engine/test/http/example-server.js";
import { type Served, serve, until } from "../../packages/engine/test/http/serve.js";
import { eavesdrop } from "./eavesdropper.js";
import { type SessionClients, sessionClients } from "./http-clients.js";

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
  test("is taken up by another client, which gets the answer that the first one did not wait for", async () => {
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

  test("outlives its connections: the client comes back for the answer by itself", async () => {
    const { served, held } = await serveHeld();
    const way = await eavesdrop(served.url);
    onTestFinished(() => way.close());
    const client = await visit(official, way.url);
    let hasBegun = false;
    const call = client.call("held", { reportProgress: true }, { onprogress: () => (hasBegun = true) });
    await until(() => hasBegun, "the call to begin");
    way.cut();
    held.release();
    expect((await call).content).toEqual(DONE);
    expect(way.requests.filter((request) => request === "GET /mcp 200").length).toBeGreaterThan(1);
  });

  test("ends when the client says so: what runs is stopped, and nobody comes back to it", async () => {
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
  "a session of the official client $name lasts while it is sent away from a long call",
  async (official) => {
    const { served, held } = await serveHeld({ pollAfterMs: 20 });
    const way = await eavesdrop(served.url);
    onTestFinished(() => way.close());
    const client = await visit(official, way.url);
    const call = client.call("held");
    const returns = () => way.requests.filter((request) => request === "GET /mcp 200").length > 1;
    await until(returns, "the client to come back");
    held.release();
    expect((await call).content).toEqual(DONE);
  },
);
