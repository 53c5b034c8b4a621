import { expect, test } from "vitest";
import { json, sendError, sendResult, serve } from "../../../engine/test/client/peers.js";
import { SESSION_CHECKS } from "../../src/doctor/checks/http-requests.js";
import { createHttpContext } from "../../src/doctor/context.js";
import type { Finding } from "../../src/doctor/finding.js";
import { examined } from "./examined.js";

/** A server with one session, which it takes as ended or not, and what it answers to one that is not there. */
async function inSessions(gone: number, isForgetful = true): Promise<string> {
  let live: string | undefined;
  let opened = 0;
  const { url } = await serve((one, response) => {
    const id = one.headers["mcp-session-id"]?.toString();
    if (one.message["method"] === "initialize") {
      opened += 1;
      live = String(opened);
      const { protocolVersion } = one.message["params"] as { protocolVersion: string };
      const result = { protocolVersion, capabilities: {}, serverInfo: { name: "sessions", version: "1" } };
      return sendResult(response, one, result, { "mcp-session-id": live });
    }
    if (one.message["method"] === "server/discover")
      return sendError(response, one, 400, { code: -32601, message: "No" });
    if (id === undefined) return json(response, 400, {});
    if (id !== live) return json(response, id.startsWith("toolwright-doctor") ? 404 : gone, {});
    if (one.method === "DELETE" && isForgetful) live = undefined;
    if (one.method !== "POST") return void response.writeHead(200).end();
    sendResult(response, one, {});
  });
  return url;
}

/** What the check of sessions sees. */
async function ofSessions(url: string): Promise<string[]> {
  const limits = { responseTimeoutMs: 10_000, checkMs: 60_000, totalMs: 60_000 };
  const context = createHttpContext({ url }, limits, { byCheck: new Set(), shared: new Set() });
  const found = await SESSION_CHECKS.find(({ id }) => id === "http.sessions")?.run(context);
  context.wire.close();
  return Array.isArray(found) ? found.map(({ severity, summary }: Finding) => `${severity}: ${summary}`) : [];
}

test.each([
  [404, true, "good: A deleted session gets 404."],
  [400, true, "warning: A deleted session gets 400."],
  [404, false, "warning: After DELETE the session still responds with 200."],
])(
  "a session that was ended and gets %i lives on only where it is served (forgotten: %s)",
  async (gone, isForgetful, line) => {
    expect(await ofSessions(await inSessions(gone, isForgetful))).toEqual([
      "good: An unknown session gets 404.",
      ...(isForgetful ? [line] : []),
      "good: A request without a session gets 400.",
      ...(isForgetful ? [] : [line]),
    ]);
  },
);

test("a server with HTTP+SSE is recognized", async () => {
  const { url } = await serve((one, response) => {
    if (one.method !== "GET") return void response.writeHead(405).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": welcome\n\nevent: endpoint\ndata: /messages?sessionId=1\n\n");
  });
  const { unreached } = await examined({ name: "older", url });
  expect(unreached).toMatch(/^It is an HTTP\+SSE server \(2024-11-05\), which the doctor does not check; /);
});

test("a URL that is no MCP server is reported with its status", async () => {
  const { url } = await serve((_one, response) => void response.writeHead(200, { "content-type": "text/html" }).end());
  expect((await examined({ name: "page", url })).unreached).toBe(
    "It responds with HTTP 200, but not like an MCP server. Check the path of the URL.",
  );
});

test("a header that cannot be sent is named, and its value is not shown", async () => {
  const headers = { "x-key": "s3cr3t\nx" };
  expect((await examined({ name: "x", url: "http://127.0.0.1:9/mcp", headers })).unreached).toBe(
    "No connection: the value of the header x-key has an invalid character, such as a line break.",
  );
});
