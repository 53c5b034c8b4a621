import { createServer, type LogEntry, tool } from "@toolwright/engine";
import { hashApiKey, serveHttp } from "@toolwright/engine/http";
import { expect, onTestFinished, test } from "vitest";

const KEY = "key-of-ada-0123456789";

/** Serves over HTTP with an API key, and gives a way to send a body and what is logged. */
async function serve() {
  const entries: LogEntry[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    tools: [tool({ name: "read", description: "Reads.", run: () => "text" })],
    limits: { messageBytes: 1000 },
    log: (entry) => void entries.push(entry),
  });
  const auth = { apiKeys: [{ principal: "ada", hash: hashApiKey(KEY) }] };
  const serving = await serveHttp(server, { port: 0, auth });
  onTestFinished(() => serving.close());
  const post = async (body: string, headers: Record<string, string> = {}): Promise<number> => {
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
    const response = await fetch(serving.url, { method: "POST", headers: all, body });
    await response.text();
    return response.status;
  };
  return { post, messages: () => entries.map(({ level, message }) => `${level}: ${message}`) };
}

test("requests that are not served are logged with their status and reason, without credentials", async () => {
  const { post, messages } = await serve();
  expect(await post("{}", { origin: "https://evil.example" })).toBe(403);
  expect(await post("{}", { authorization: "Bearer not-the-key-0123456789" })).toBe(401);
  expect(await post("x".repeat(1_000_000), { authorization: `Bearer ${KEY}` })).toBe(413);
  expect(messages()).toEqual([
    expect.stringMatching(/^warning: POST \/mcp rejected: 403 .*the origin "https:\/\/evil\.example" is not allowed/),
    expect.stringMatching(/^warning: POST \/mcp rejected: 401 /),
    expect.stringMatching(/^warning: POST \/mcp rejected: 413 .*larger than/),
  ]);
  expect(messages().join("\n")).not.toContain("0123456789");
});

test("a client that has yet to learn which token it needs is not logged", async () => {
  const { post, messages } = await serve();
  expect(await post("{}")).toBe(401);
  expect(messages()).toEqual([]);
});
