import { expect, test } from "vitest";
import { ProfileServer } from "./profile-server.js";

const CLIENT = { name: "client", version: "1.0.0" };

/** Sends a message over HTTP, and gives the coding of the answer and the answer. */
async function post(url: string, body: object, headers: Record<string, string>) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
  const coding = response.headers.get("content-encoding");
  return { coding, sessionId: response.headers.get("mcp-session-id") ?? "", text: await response.text() };
}

test.each(["gzip", "br"])("the profile rag compresses large answers over HTTP: %s", async (accepted) => {
  const server = await ProfileServer.start("rag", { isHttp: true, words: [], commands: [] });
  const url = /http:\S+/.exec(server.log.join("\n"))?.[0] ?? "";
  const initialize = { method: "initialize", params: { client_info: CLIENT, capabilities: {} } };
  const small = await post(url, initialize, { "Accept-Encoding": accepted });
  const list = (coding: string) =>
    post(url, { method: "tools/list" }, { "Mcp-Session-Id": small.sessionId, "Accept-Encoding": coding });
  const [plain, compressed] = [await list("identity"), await list(accepted)];
  expect([small.coding, plain.coding, compressed.coding]).toEqual([null, null, accepted]);
  expect(compressed.text).toBe(plain.text);
  expect(await server.end()).toEqual({ code: 0, more: [] });
});
