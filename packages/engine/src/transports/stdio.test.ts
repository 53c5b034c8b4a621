import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { pack } from "../server/pack.js";
import { createServer, type Server } from "../server/server.js";
import { tool } from "../server/tool.js";
import { serveStdio } from "./stdio.js";

const large = tool({ name: "large", description: "Returns a megabyte.", run: () => "x".repeat(1_000_000) });
const hang = tool({ name: "hang", description: "Never ends.", run: () => new Promise<string>(() => undefined) });

function serverWith(...deeds: string[]): { server: Server; deeds: string[] } {
  const store = pack({
    name: "store",
    open: () => {
      deeds.push("opened");
      return { tools: [large, hang], close: () => void deeds.push("closed") };
    },
  });
  const server = createServer({
    name: "test",
    version: "1.0.0",
    packs: [store()],
    lifecycle: "off",
    limits: { drainMs: 50 },
  });
  return { server, deeds };
}

function streams(): { input: PassThrough; output: PassThrough } {
  return { input: new PassThrough(), output: new PassThrough({ highWaterMark: 1024 }) };
}

const call = (id: number, name: string) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name } })}\n`;
const pong = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`;
const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;

describe("serving over streams of one's own", () => {
  test("opens the packs, answers, and closes the packs when the input ends", async () => {
    const { server, deeds } = serverWith();
    const { input, output } = streams();
    const served = serveStdio(server, { input, output });
    input.write(ping(1));
    input.end(ping(2));
    await served;
    expect(deeds).toEqual(["opened", "closed"]);
    expect(String(output.read())).toBe(pong(1) + pong(2));
  });

  test("leaves the process alone", async () => {
    const events = ["SIGTERM", "SIGINT", "uncaughtException", "unhandledRejection"] as const;
    const count = () => events.map((event) => process.listenerCount(event as "SIGTERM"));
    const before = [...count(), Reflect.get(process.stdout, "write")];
    const { server } = serverWith();
    const { input, output } = streams();
    const served = serveStdio(server, { input, output });
    input.write(ping(1));
    await turn();
    expect([...count(), Reflect.get(process.stdout, "write")]).toEqual(before);
    input.end();
    await served;
    expect([...count(), Reflect.get(process.stdout, "write")]).toEqual(before);
  });

  test("takes text chunks as well as bytes", async () => {
    const { server } = serverWith();
    const input = new PassThrough().setEncoding("utf8");
    const output = new PassThrough();
    const served = serveStdio(server, { input, output });
    input.write(ping(1));
    input.end();
    await served;
    expect(String(output.read())).toBe(pong(1));
  });

  test("stops reading while the far end does not read, and goes on when it does", async () => {
    const { server } = serverWith();
    const { input, output } = streams();
    const served = serveStdio(server, { input, output });
    for (let id = 1; id <= 4; id += 1) {
      input.write(call(id, "large"));
      await turn();
      await turn();
    }
    expect(input.isPaused()).toBe(true);
    input.write(ping(5));
    let heard = "";
    output.on("data", (bytes: Buffer) => {
      heard += bytes.toString();
    });
    while (!heard.endsWith(pong(5))) await turn();
    expect(input.isPaused()).toBe(false);
    expect(heard.split("\n")).toHaveLength(6);
    input.end();
    await served;
  });

  test("ends when the output breaks, without waiting for a hanging call", async () => {
    const { server, deeds } = serverWith();
    const { input, output } = streams();
    const served = serveStdio(server, { input, output });
    input.write(call(1, "hang"));
    await turn();
    output.destroy(new Error("broken"));
    await served;
    expect(deeds).toEqual(["opened", "closed"]);
  });

  test("ends when the input breaks", async () => {
    const { server, deeds } = serverWith();
    const { input, output } = streams();
    const served = serveStdio(server, { input, output });
    input.write(`${ping(1)}{"half`);
    await turn();
    input.destroy(new Error("broken"));
    await served;
    expect(String(output.read())).toMatch(
      /^\{"jsonrpc":"2.0","id":1,"result":\{\}\}\n\{"jsonrpc":"2.0","id":null,"error":\{"code":-32700,/,
    );
    expect(deeds).toEqual(["opened", "closed"]);
  });
});
