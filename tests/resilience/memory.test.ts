import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Child } from "../../packages/engine/test/stdio/child.js";
import { HttpClient } from "./http-client.js";
import { RealServer } from "./real-server.js";

const program = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));
const MIB = 1024 * 1024;
const HUGE = { name: "x", version: "1", title: "t".repeat(9_500_000) };

/** Starts the real program, which has a heap of 512 MiB. */
async function start() {
  const configFolder = mkdtempSync(path.join(tmpdir(), "memory-"));
  const folder = path.join(configFolder, "data");
  mkdirSync(folder);
  const server = new RealServer({ program, folder, configFolder, keyNames: ["hog", "other"] });
  const open = (name: string) => new HttpClient({ name, hasKey: true, address: "127.0.0.1" }, () => server.port);
  const [hog, other] = [open("hog"), open("other")];
  onTestFinished(async () => {
    for (const client of [hog, other]) client.close();
    await server.end("SIGKILL");
    rmSync(configFolder, { recursive: true });
  });
  await server.start();
  return { server, hog, other };
}

test("70 sessions whose clients have a name of 9.5 MB do not fill the heap, and another client is served", async () => {
  const { server, hog, other } = await start();
  const sessions: unknown[] = [];
  for (let count = 0; count < 70; count += 1) sessions.push(await hog.openSession(HUGE));
  expect(sessions).toHaveLength(70);
  expect((await other.callTool("list_tasks", {}, 20_000)).status).toBe(200);
  expect(server.isRunning).toBe(true);
}, 120_000);

test("70 handshakes with 9.5 MB over stdio do not fill the heap", async () => {
  const child = new Child(
    process.execPath,
    ["--max-old-space-size=512", program, "serve", "--no-config"],
    {},
    tmpdir(),
  );
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: HUGE };
  for (let id = 1; id <= 70; id += 1) {
    child.send({ jsonrpc: "2.0", id, method: "initialize", params });
    await child.answer(id);
  }
  child.send({ jsonrpc: "2.0", id: "last", method: "ping" });
  expect(await child.answer("last")).toMatchObject({ result: {} });
}, 120_000);

test.skipIf(process.platform !== "linux")(
  "200 bodies of 8.5 MB that are never complete are bounded, and large requests of another client are served",
  async () => {
    const { server, hog, other } = await start();
    const head = Object.entries({ ...hog.headers, host: "127.0.0.1", "content-length": 9_500_000 });
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const half = `POST /mcp HTTP/1.1\r\n${lines}\r\n${"x".repeat(8_500_000)}`;
    let rejected = 0;
    const sockets = Array.from({ length: 200 }, () => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.once("data", (bytes: Buffer) => {
        if (bytes.toString().startsWith("HTTP/1.1 503")) rejected += 1;
      });
      socket.write(half);
      return socket;
    });
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // What is refused is not read, so it is known that all arrived when no more is refused.
    await expect.poll(() => rejected, { timeout: 60_000 }).toBeGreaterThan(100);
    const words = { description: "x", context: "y".repeat(20_000) };
    expect((await other.callTool("create_task", words, 20_000)).message.result).toMatchObject({});
    const large = await other.post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"y".repeat(MIB)}"}}`);
    expect(large.status).not.toBe(503);
    const [, peakKib = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
    expect(Number(peakKib) * 1024).toBeLessThan(700 * MIB);
  },
  120_000,
);
