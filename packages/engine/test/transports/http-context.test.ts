import { createServer, type Server, tool } from "@toolwright/engine";
import { hashApiKey, serveHttp } from "@toolwright/engine/http";
import { serveWebSocket } from "@toolwright/engine/sockets";
import { describe, expect, onTestFinished, test } from "vitest";
import { callTool, echoed } from "../../../toolwright/test/cli/listening.js";
import { HANDSHAKE, STATELESS } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { openWebSocket, request } from "./wire.js";

const SECRET = "a-key-of-twenty-characters-and-more";

/** Returns the HTTP context of its call. */
const look = tool({
  name: "look",
  description: "Looks around.",
  run: (_input, { http, principal, scopes }) =>
    JSON.stringify({ headers: http?.headers ?? null, principal, scopes: scopes && [...scopes] }),
});

const create = (): Server => createServer({ name: "test", version: "1.0.0", tools: [look] });

const meta = {
  "io.modelcontextprotocol/protocolVersion": STATELESS,
  "io.modelcontextprotocol/clientCapabilities": {},
};

everyTransport("call.http has the request headers, if there are any", create, async (join) => {
  const client = await join();
  const [block] = (await client.callTool("look")).content;
  const { headers } = JSON.parse((block as unknown as { text: string }).text) as {
    headers: Record<string, string> | null;
  };
  // The test is named after its transport, which a tool cannot see.
  const { currentTestName = "" } = expect.getState();
  if (!/\((?:HTTP|WebSocket|a fetch)/.test(currentTestName)) expect(headers).toBeNull();
  else if (currentTestName.includes("WebSocket")) expect(headers).toMatchObject({ upgrade: "websocket" });
  else expect(headers).toMatchObject({ "content-type": expect.stringContaining("application/json") });
});

describe("call.http has", () => {
  const auth = {
    apiKeys: [{ principal: "ada", hash: hashApiKey(SECRET), scopes: ["read", "write"] }],
    selfCheck: "off",
  } as const;
  const sent = { authorization: `Bearer ${SECRET}`, cookie: `session=${SECRET}`, "x-team": "blue" };
  const known = {
    headers: { authorization: "[redacted]", cookie: "[redacted]", "x-team": "blue" },
    principal: "ada",
    scopes: ["read", "write"],
  };

  test("the headers of its request without credentials, and call.scopes is set", async () => {
    const server = create();
    const running = await serveHttp(server, { port: 0, auth });
    onTestFinished(() => server.close());
    onTestFinished(() => running.close());
    const text = await echoed(await callTool(running.url, "look", {}, sent));
    expect(JSON.parse(text)).toMatchObject(known);
    expect(text).not.toContain(SECRET);
  });

  test.each(HANDSHAKE)("the headers of each POST of a session in %s, also in a batch", async (protocolVersion) => {
    const server = create();
    const running = await serveHttp(server, { port: 0, auth });
    onTestFinished(() => server.close());
    onTestFinished(() => running.close());
    const post = (body: unknown, more: Record<string, string> = {}) =>
      fetch(running.url, {
        method: "POST",
        headers: { "content-type": "application/json", ...sent, ...more },
        body: JSON.stringify(body),
      });
    const clientInfo = { name: "test", version: "1" };
    const opened = await post({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion, capabilities: {}, clientInfo },
    });
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "look" } };
    for (const body of protocolVersion === "2025-03-26" ? [call, [call]] : [call]) {
      const answer = await post(body, { ...session, "x-team": "green" });
      const [{ result }] = [(await answer.json()) as object].flat() as [{ result: { content: { text: string }[] } }];
      expect(JSON.parse(result.content[0]?.text ?? "")).toMatchObject({
        ...known,
        headers: { ...known.headers, "x-team": "green" },
      });
    }
  });

  test("the headers of the WebSocket upgrade", async () => {
    const server = create();
    const running = await serveWebSocket(server, { port: 0, auth });
    onTestFinished(() => server.close());
    onTestFinished(() => running.close());
    const client = await openWebSocket(running.url, ["mcp"], { headers: sent });
    client.send(request(1, "tools/call", { name: "look", _meta: meta }));
    const [answer] = (await client.receive(1)) as [{ result: { content: { text: string }[] } }];
    const text = answer.result.content[0]?.text ?? "";
    expect(JSON.parse(text)).toMatchObject(known);
    expect(text).not.toContain(SECRET);
    client.ws.close();
    await client.closed;
  });
});
