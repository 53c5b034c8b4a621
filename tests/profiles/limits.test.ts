import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { ProfileServer } from "./profile-server.js";

const STDIO = { isHttp: false, words: [], commands: [] };

const initialize = (protocolVersion: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: "init",
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "client", version: "1.0.0" } },
  });
const READY = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

async function start(profile: string, protocolVersion: string): Promise<ProfileServer> {
  const server = await ProfileServer.start(profile, STDIO);
  await server.say([initialize(protocolVersion)], 1);
  await server.say([READY], 0);
  return server;
}

const request = (id: number, method: string, params: JsonObject = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

test("paiml serves 1000 requests at once, then 100 a second, and rejects the others", async () => {
  const server = await start("paiml", "2024-11-05");
  const requests = Array.from({ length: 3000 }, (_, id) => request(id, id % 2 === 0 ? "ping" : "prompts/list"));
  const answers = (await server.say(requests, 3000)).map((line) => JSON.parse(line) as JsonObject);
  const rejected = answers.filter(({ error }) => error !== undefined);
  // One token was for the handshake. While the server works, a hundred a second are added.
  expect(answers.length - rejected.length).toBeGreaterThanOrEqual(999);
  expect(rejected.length).toBeGreaterThan(0);
  for (const { error } of rejected)
    expect(error).toEqual({
      code: -32003,
      message: "Rate limit exceeded",
      data: {
        details: expect.stringContaining("too many requests: the limit is 100 a second") as string,
        code: "RATE_LIMITED",
        limit: "requestRate",
        retryAfterMs: expect.any(Number) as number,
      },
    });
  // A token comes every 10 ms.
  for (const { error } of rejected)
    expect(((error as JsonObject)["data"] as { retryAfterMs: number }).retryAfterMs).toBeLessThanOrEqual(10);
  expect(await server.end()).toEqual({ code: 0, more: [] });
});

test("paiml answers 128 calls that arrive at once, each with its id", async () => {
  const server = await start("paiml", "2024-11-05");
  const uri = "template://makefile/rust/cli";
  const calls = Array.from({ length: 128 }, (_, id) =>
    request(id, "validate_template", { resource_uri: uri, parameters: { project_name: `p${id}` } }),
  );
  const answers = (await server.say(calls, 128)).map((line) => JSON.parse(line) as { id: number; result: unknown });
  expect(answers.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([...calls.keys()]);
  for (const { result } of answers) expect(result).toEqual({ valid: true, errors: [] });
  await server.end();
});

test.each([
  ["paiml", "2024-11-05", request(1, "analyze_complexity", { project_path: "./", toolchain: "rust" })],
  ["tmkb", "2025-11-25", request(1, "tools/call", { name: "tmkb_query", arguments: { context: "file upload" } })],
])("%s completes calls that run when stdin ends, and ends with 0", async (profile, version, call) => {
  const server = await start(profile, version);
  await server.say([call], 0);
  const { code, more } = await server.end();
  expect(code).toBe(0);
  expect(more.map((line) => (JSON.parse(line) as JsonObject)["id"])).toEqual([1]);
});
