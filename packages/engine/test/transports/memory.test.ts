import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { tool } from "../../src/server/definitions/tool.js";
import { McpServer } from "../../src/server/server.js";
import { openMemoryConnection } from "../../src/transports/memory.js";

describe("a memory connection", () => {
  test("passes messages and responses as text", async () => {
    const received: string[] = [];
    const server = new McpServer({ name: "test", version: "1.0.0" });
    const connection = await openMemoryConnection(server, (message) => void received.push(message));
    connection.send('{"jsonrpc":"2.0","id":"a","method":"ping"}');
    connection.send('{"jsonrpc":"2.0","method":"notifications/unknown"}');
    connection.send("nonsense");
    await turn();
    expect(received).toEqual([
      '{"jsonrpc":"2.0","id":"a","result":{}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: the text ends too early or is not JSON"}}',
    ]);
  });

  test("passes the principal to tools", async () => {
    const received: string[] = [];
    const whoami = tool({
      name: "whoami",
      description: "Says who calls.",
      run: (_input, call) => call.principal ?? "nobody",
    });
    const server = new McpServer({ name: "test", version: "1.0.0", tools: [whoami], compat: { lifecycle: "off" } });
    const connection = await openMemoryConnection(server, (message) => void received.push(message), "ada");
    connection.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami"}}');
    await turn();
    expect(received).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ada"}],"isError":false}}',
    ]);
  });

  test("aborts running calls on close, and delivers nothing more", async () => {
    const received: string[] = [];
    const reasons: string[] = [];
    const wait = tool({
      name: "wait",
      description: "Waits to be stopped.",
      run: (_input, { signal }) =>
        new Promise<string>((resolve) => {
          signal.addEventListener("abort", () => {
            reasons.push((signal.reason as Error).message);
            resolve("too late");
          });
        }),
    });
    const server = new McpServer({ name: "test", version: "1.0.0", tools: [wait], compat: { lifecycle: "off" } });
    const connection = await openMemoryConnection(server, (message) => void received.push(message));
    connection.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}');
    await turn();
    connection.close();
    await turn();
    expect(reasons).toEqual(["the connection was closed"]);
    expect(received).toEqual([]);
  });

  test("processes and delivers nothing after it is closed", async () => {
    const received: string[] = [];
    const runs: string[] = [];
    const late = tool({
      name: "late",
      description: "Reports once more before it is done.",
      run(_input, call) {
        runs.push("run");
        call.progress(1);
        return "done";
      },
    });
    const server = new McpServer({ name: "test", version: "1.0.0", tools: [late], compat: { lifecycle: "off" } });
    const connection = await openMemoryConnection(server, (message) => void received.push(message));
    const params = { name: "late", _meta: { progressToken: "p" } };
    connection.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    expect(received.splice(0)).toHaveLength(1);
    connection.close();
    connection.send(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params }));
    connection.send('{"jsonrpc":"2.0","id":3,"method":"ping"}');
    connection.close();
    // The response is held back after the last progress notification.
    await sleep(50);
    expect(runs).toEqual(["run"]);
    expect(received).toEqual([]);
  });

  test("closes once, also if a call was answered after the server's end", async () => {
    let ends = 0;
    let finish = (): void => undefined;
    const slow = tool({
      name: "slow",
      description: "Waits.",
      run: () =>
        new Promise<string>((resolve) => {
          finish = () => resolve("done");
        }),
    });
    const limits = { drainMs: 20 };
    const server = new McpServer({
      name: "test",
      version: "1.0.0",
      tools: [slow],
      compat: { lifecycle: "off" },
      limits,
    });
    const received: string[] = [];
    const connection = await openMemoryConnection(
      server,
      (message) => void received.push(message),
      undefined,
      () => {
        ends += 1;
      },
    );
    connection.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}');
    await turn();
    await server.close();
    finish();
    await sleep(60);
    expect(received.at(-1)).toContain('"text":"done"');
    expect(ends).toBe(1);
  });
});
