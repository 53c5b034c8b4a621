import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createServer } from "../server/server.js";
import { tool } from "../server/tool.js";
import { openMemory } from "./memory.js";

describe("a conversation in memory", () => {
  test("hands each message over as text, and each answer back", async () => {
    const heard: string[] = [];
    const server = createServer({ name: "test", version: "1.0.0" });
    const connection = await openMemory(server, (message) => void heard.push(message));
    connection.send('{"jsonrpc":"2.0","id":"a","method":"ping"}');
    connection.send('{"jsonrpc":"2.0","method":"notifications/unknown"}');
    connection.send("nonsense");
    await turn();
    expect(heard).toEqual([
      '{"jsonrpc":"2.0","id":"a","result":{}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: the text ends too early or is not JSON"}}',
    ]);
  });

  test("tells the tools who calls", async () => {
    const heard: string[] = [];
    const whoami = tool({
      name: "whoami",
      description: "Says who calls.",
      run: (_input, call) => call.principal ?? "nobody",
    });
    const server = createServer({ name: "test", version: "1.0.0", tools: [whoami], lifecycle: "off" });
    const connection = await openMemory(server, (message) => void heard.push(message), "ada");
    connection.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami"}}');
    await turn();
    expect(heard).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ada"}],"isError":false}}',
    ]);
  });

  test("stops what runs when it is closed, and says nothing more", async () => {
    const heard: string[] = [];
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
    const server = createServer({ name: "test", version: "1.0.0", tools: [wait], lifecycle: "off" });
    const connection = await openMemory(server, (message) => void heard.push(message));
    connection.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}');
    await turn();
    connection.close();
    await turn();
    expect(reasons).toEqual(["the connection was closed"]);
    expect(heard).toEqual([]);
  });

  test("serves nothing after it is closed, and nothing is heard any more", async () => {
    const heard: string[] = [];
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
    const server = createServer({ name: "test", version: "1.0.0", tools: [late], lifecycle: "off" });
    const connection = await openMemory(server, (message) => void heard.push(message));
    const params = { name: "late", _meta: { progressToken: "p" } };
    connection.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    expect(heard.splice(0)).toHaveLength(1);
    connection.close();
    connection.send(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params }));
    connection.send('{"jsonrpc":"2.0","id":3,"method":"ping"}');
    connection.close();
    // The answer waits a while after the last report.
    await sleep(50);
    expect(runs).toEqual(["run"]);
    expect(heard).toEqual([]);
  });

  test("ends once, also where a call was still answered after the server's end", async () => {
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
    const server = createServer({ name: "test", version: "1.0.0", tools: [slow], lifecycle: "off", limits });
    const heard: string[] = [];
    const connection = await openMemory(
      server,
      (message) => void heard.push(message),
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
    expect(heard.at(-1)).toContain('"text":"done"');
    expect(ends).toBe(1);
  });
});
