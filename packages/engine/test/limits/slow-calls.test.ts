import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer } from "@toolwright/engine";
import { type Client, connect } from "@toolwright/engine/client";
import { hashApiKey, serveHttp } from "@toolwright/engine/http";
import { serveUnixSocket, serveWebSocket } from "@toolwright/engine/sockets";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBlockingTool } from "./limited-server.js";

const KEYS = { hog: "h".repeat(40), other: "o".repeat(40) };
const auth = {
  apiKeys: Object.entries(KEYS).map(([principal, key]) => ({ principal, hash: hashApiKey(key) })),
  selfCheck: "off",
} as const;

const WAYS = ["HTTP without sessions", "HTTP sessions", "WebSocket", "a Unix socket"] as const;
const PAIRS = WAYS.flatMap((hog) => WAYS.map((other) => [hog, other] as const));

/** Serves a blocking tool over every transport. */
async function serveEverywhere(hasKeys: boolean) {
  const blocking = createBlockingTool();
  const server = createServer({ name: "test", version: "1.0.0", tools: [blocking.tool], log: () => undefined });
  const folder = mkdtempSync(path.join(tmpdir(), "slow-"));
  const socket = path.join(folder, "s");
  const options = { port: 0, rate: false, ...(hasKeys && { auth }) } as const;
  const running = [
    await serveHttp(server, options),
    await serveWebSocket(server, options),
    await serveUnixSocket(server, socket),
  ] as const;
  onTestFinished(async () => {
    await server.close();
    await Promise.all(running.map((each) => each.close()));
    rmSync(folder, { recursive: true });
  });
  const [{ url: http }, { url: ws }] = running;
  const open = async (way: (typeof WAYS)[number], who: keyof typeof KEYS): Promise<Client> => {
    const token = hasKeys && way !== "a Unix socket" ? { token: KEYS[who] } : {};
    const revision = way === "HTTP sessions" ? "2025-11-25" : "2026-07-28";
    const target = way === "WebSocket" ? { url: ws } : way === "a Unix socket" ? { socket } : { url: http };
    const client = await connect(target, { ...token, revision });
    onTestFinished(() => client.close());
    return client;
  };
  return { blocking, open };
}

describe.each([
  ["with", true],
  ["without", false],
] as const)("%s authentication, while one client holds all 128 places with slow calls", (_how, hasKeys) => {
  test.each(PAIRS)("over %s, another client over %s is served at once", async (hogWay, otherWay) => {
    const { blocking, open } = await serveEverywhere(hasKeys);
    const hog = await open(hogWay, "hog");
    // Requests of one address that have neither a session nor a principal cannot be told apart once there are more.
    const isSame = !hasKeys && hogWay === "HTTP without sessions" && otherWay === hogWay;
    const slow = Array.from({ length: isSame ? 128 : 140 }, () => hog.callTool("blocking", { id: "hog" }));
    await expect.poll(() => blocking.started.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(128);
    const other = await open(otherWay, "other");
    const call = other.callTool("blocking", { id: "other" });
    await expect.poll(() => blocking.started.includes("other"), { timeout: 20_000 }).toBe(true);
    await blocking.drain(slow.length + 1);
    await Promise.all([...slow, call]);
  });
});
