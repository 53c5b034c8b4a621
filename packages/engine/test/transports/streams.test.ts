import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { pack } from "../../src/server/definitions/pack.js";
import { tool } from "../../src/server/definitions/tool.js";
import { McpServer, type Server } from "../../src/server/server.js";
import { serveStreams } from "../../src/transports/streams.js";

/** A server whose packs and tools record what they do. */
function serverWith(limits = { drainMs: 50 }): { server: Server; events: string[]; runs: string[] } {
  const events: string[] = [];
  const runs: string[] = [];
  const noting = (name: string, run: (principal?: string) => string | Promise<string>) =>
    tool({
      name,
      description: "d",
      run: (_input, { principal }) => {
        runs.push(name);
        return run(principal);
      },
    });
  const large = noting("large", () => "x".repeat(1_000_000));
  const hang = noting("hang", () => new Promise<string>(() => undefined));
  const whoami = noting("whoami", (principal = "nobody") => principal);
  const store = pack({
    name: "store",
    open: () => {
      events.push("opened");
      return { tools: [large, hang, whoami], close: () => void events.push("closed") };
    },
  });
  const server = new McpServer({
    name: "test",
    version: "1.0.0",
    packs: [store()],
    compat: { lifecycle: "off" },
    limits,
  });
  return { server, events, runs };
}

function streams(): { input: PassThrough; output: PassThrough } {
  return { input: new PassThrough(), output: new PassThrough({ highWaterMark: 1024 }) };
}

const call = (id: number, name: string) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name } })}\n`;
const pong = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`;
const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;

describe("serveStreams", () => {
  test("opens the packs, responds until the input ends, and leaves the server open", async () => {
    const { server, events } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.write(ping(1));
    input.end(ping(2));
    await served;
    expect(String(output.read())).toBe(pong(1) + pong(2));
    expect(events).toEqual(["opened"]);
    await server.close();
    expect(events).toEqual(["opened", "closed"]);
  });

  test("lets other clients have their turn while it rejects tens of thousands of messages, and answers all", async () => {
    const { server } = serverWith();
    const flood = streams();
    const other = streams();
    const served = [flood, other].map((client) => serveStreams(server, client));
    await turn();
    let rejections = "";
    flood.output.on("data", (chunk: Buffer) => {
      rejections += chunk.toString();
    });
    flood.input.write("x\n".repeat(30_000));
    await turn();
    other.input.write(ping(1));
    await vi.waitFor(() => expect(other.output.readableLength).toBeGreaterThan(0));
    expect(rejections.split("\n").length).toBeLessThan(20_000);
    flood.input.end();
    other.input.end();
    await Promise.all(served);
    expect(rejections.split("\n").length).toBe(30_001);
    expect(String(other.output.read())).toBe(pong(1));
  });

  test("passes the principal to tools", async () => {
    const { server } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output, principal: "ada" });
    input.end(call(1, "whoami"));
    await served;
    expect(String(output.read())).toContain('"text":"ada"');
  });

  test("rejects when a pack cannot be opened", async () => {
    const broken = pack({
      name: "broken",
      open: () => {
        throw new Error("no disk");
      },
    });
    const server = new McpServer({ name: "test", version: "1.0.0", packs: [broken()] });
    await expect(serveStreams(server, streams())).rejects.toThrow('Cannot open pack "broken": no disk');
  });

  test("resolves when the client disconnects while packs open", async () => {
    const slow = pack({ name: "slow", open: () => new Promise<never>(() => undefined) });
    const server = new McpServer({ name: "test", version: "1.0.0", packs: [slow()] });
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    await turn();
    input.destroy();
    await served;
    const gone = new PassThrough();
    gone.destroy(new Error("broken"));
    gone.on("error", () => undefined);
    await serveStreams(new McpServer({ name: "test", version: "1.0.0" }), { input: gone, output });
    await serveStreams(new McpServer({ name: "test", version: "1.0.0" }), { input: new PassThrough(), output: gone });
    expect(output.read()).toBe(null);
  });

  test("does not exit the process", async () => {
    const events = ["SIGTERM", "SIGINT", "uncaughtException", "unhandledRejection"] as const;
    const count = () => events.map((event) => process.listenerCount(event as "SIGTERM"));
    const before = [...count(), Reflect.get(process.stdout, "write")];
    const { server } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.write(ping(1));
    await turn();
    expect([...count(), Reflect.get(process.stdout, "write")]).toEqual(before);
    input.end();
    await served;
    expect([...count(), Reflect.get(process.stdout, "write")]).toEqual(before);
  });

  test("accepts strings as well as buffers", async () => {
    const { server } = serverWith();
    const input = new PassThrough().setEncoding("utf8");
    const output = new PassThrough();
    const served = serveStreams(server, { input, output });
    input.write(ping(1));
    input.end();
    await served;
    expect(String(output.read())).toBe(pong(1));
  });

  test("stops reading while the client does not read, and continues when it does", async () => {
    const { server } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    for (let id = 1; id <= 4; id += 1) {
      input.write(call(id, "large"));
      await turn();
      await turn();
    }
    expect(input.isPaused()).toBe(true);
    input.write(ping(5));
    let received = "";
    output.on("data", (bytes: Buffer) => {
      received += bytes.toString();
    });
    while (!received.endsWith(pong(5))) await turn();
    expect(input.isPaused()).toBe(false);
    expect(received.split("\n")).toHaveLength(6);
    input.end();
    await served;
  });

  test("ends when the output fails, without waiting for a hanging call", async () => {
    const { server, runs } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.write(call(1, "hang"));
    await turn();
    output.destroy(new Error("broken"));
    await served;
    expect(runs).toEqual(["hang"]);
  });

  test("ignores an incomplete last message when the output fails", async () => {
    const { server, runs } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.write(call(1, "hang").trimEnd());
    await turn();
    output.destroy(new Error("broken"));
    await served;
    expect(runs).toEqual([]);
  });

  test("ends at once when the output fails while it is ending", async () => {
    const { server, runs } = serverWith({ drainMs: 60_000 });
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.end(call(1, "hang"));
    await turn();
    output.destroy();
    await served;
    expect(runs).toEqual(["hang"]);
  });

  test("logs how many requests get no response", async () => {
    const { server } = serverWith();
    const log = vi.spyOn(server, "log").mockReturnValue();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.end(call(1, "hang") + call(2, "hang"));
    await served;
    const message = "the input has ended; unanswered requests: 2";
    expect(log.mock.calls).toEqual([[{ level: "warning", message }]]);
  });

  test("ends when the input fails, and ignores an incomplete last message", async () => {
    const { server } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.write(`${ping(1)}${ping(2).trimEnd()}`);
    await turn();
    input.destroy(new Error("broken"));
    await served;
    expect(String(output.read())).toBe(pong(1));
  });
});

describe("a client that does not read", () => {
  /** Lets pending callbacks run. */
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
  };

  test("gets no more than its buffer holds, even with many requests in one chunk, and each response once", async () => {
    const { server, runs } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.write(Array.from({ length: 100 }, (_, at) => call(at, "large")).join(""));
    input.end(ping(100).trimEnd());
    await settle();
    expect(runs.length).toBeLessThan(5);
    expect(output.writableLength).toBeLessThan(4_000_000);
    const ids: unknown[] = [];
    let rest = "";
    output.on("data", (bytes: Buffer) => {
      const lines = (rest + bytes.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) ids.push((JSON.parse(line) as { id: unknown }).id);
    });
    await served;
    expect(ids).toEqual(Array.from({ length: 101 }, (_, at) => at));
  });

  test("is served again when it reads, whatever the size of its buffer", async () => {
    const { server } = serverWith();
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 3_000_000 });
    const served = serveStreams(server, { input, output });
    for (let id = 1; id <= 2; id += 1) {
      input.write(call(id, "large"));
      await settle();
    }
    input.end(ping(3));
    await served;
    let text = "";
    // The runtime decides how much comes at once.
    for (let bytes = output.read() as Buffer | null; bytes !== null; bytes = output.read() as Buffer | null)
      text += bytes.toString();
    expect(text.endsWith(pong(3))).toBe(true);
  });

  test("does not delay the end: what does not fit is dropped after a while", async () => {
    const { server, runs } = serverWith();
    const { input, output } = streams();
    const served = serveStreams(server, { input, output });
    input.write(Array.from({ length: 100 }, (_, at) => call(at, "large")).join(""));
    await settle();
    input.destroy();
    await served;
    expect(runs.length).toBeLessThan(5);
  });
});
