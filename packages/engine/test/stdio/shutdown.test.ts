import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { call, ping, start, startWorkshop, textOf } from "./child.js";

const cleanExit = { code: 0, signal: null };

describe("the end of stdin", () => {
  test("exits with code 0, even before the handshake [STD-03]", async () => {
    const child = start("workshop");
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.lines).toEqual([]);
  });

  test("exits after every request is answered [STD-03]", async () => {
    const child = await startWorkshop();
    child.send(call(1, "pause", { ms: 150 }), call(2, "echo", { text: "x" }), call(3, "pause", { ms: 50 }), ping(4));
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 2, 4, 3, 1]);
    expect(child.unfinished).toBe("");
  });

  test("exits after a slow client has read every response [STD-03]", async () => {
    const child = await startWorkshop();
    child.process.stdout.pause();
    child.send(...[1, 2, 3].map((id) => call(id, "echo", { text: "x".repeat(200_000) })));
    child.process.stdin.end();
    await sleep(700);
    child.process.stdout.resume();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
    expect(child.unfinished).toBe("");
  });

  test("exits although a tool left a timer running [STD-03]", async () => {
    const child = await startWorkshop();
    child.send(call(1, "leave_timer"));
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(textOf(await child.answer(1))).toBe("left");
  });

  test("rejects an incomplete last message [STD-03 STD-04]", async () => {
    const child = await startWorkshop();
    child.send(call(1, "pause", { ms: 500 }));
    child.write('{"jsonrpc":"2.0","id":2,"meth');
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id, error }) => [id, (error as { code?: number } | undefined)?.code])).toEqual([
      [0, undefined],
      [undefined, -32700],
      [1, undefined],
    ]);
  });

  test("processes a last message without a newline [STD-01]", async () => {
    const child = await startWorkshop();
    child.write(JSON.stringify(ping(1)));
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1]);
  });

  test("waits for a hanging tool no longer than the limit, and aborts its signal [STD-03]", async () => {
    const child = await startWorkshop({ LIMITS: '{"drainMs":100}' });
    child.send(call(1, "hang"), call(2, "stoppable"), call(3, "echo", { text: "x" }));
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 3]);
    expect(child.stderr).toContain("stopped: the connection was closed\n");
  });

  test("waits for a pack that does not close no longer than the limit [STD-03]", async () => {
    const child = start("stuck-pack");
    child.send(ping(1));
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([1]);
  });

  test("cancels pending elicitations", async () => {
    const child = start("workshop");
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: {} },
      clientInfo: { name: "test", version: "1.0.0" },
    };
    child.send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    child.send({ jsonrpc: "2.0", method: "notifications/initialized" }, call(1, "confirm"));
    await child.until(() => child.messages.some(({ method }) => method === "elicitation/create"), "its question");
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(textOf(await child.answer(1))).toBe("The input request failed: the client has gone.");
  });

  test("ends a subscription with its response", async () => {
    const child = start("workshop");
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    child.send({ jsonrpc: "2.0", id: "listen:0", method: "subscriptions/listen", params });
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/cancelled",
      "listen:0",
    ]);
    expect(child.messages[2]).toMatchObject({ result: { resultType: "complete" } });
  });
});

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("answers every request, then exits with code 0 [STD-03]", async () => {
    const child = await startWorkshop();
    child.send(call(1, "leave_timer"), call(2, "pause", { ms: 100 }));
    await child.answer(1);
    child.process.kill(signal);
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(textOf(await child.answer(2))).toBe("paused 100");
    expect(child.stderr).toContain("[STDOUT] a pack closes\n");
  });

  test("ignores an incomplete message", async () => {
    const child = await startWorkshop();
    child.write(`${JSON.stringify(ping(1))}\n${JSON.stringify(call(2, "print"))}`);
    await child.answer(1);
    child.process.kill(signal);
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1]);
    expect(child.stderr).not.toContain("logged");
  });

  test("closes open packs while another pack opens, and exits with code 0 [STD-03]", async () => {
    const child = start("slow-pack");
    await child.until(() => child.stderr.includes("opening\n"), "its second pack");
    child.process.kill(signal);
    expect(await child.ended).toEqual(cleanExit);
    expect(child.stderr).toBe("opening\nfirst closed\n");
  });

  test("waits for a hanging tool no longer than the limit [STD-03]", async () => {
    const child = await startWorkshop({ LIMITS: '{"drainMs":100}' });
    child.send(call(1, "hang"), ping(2));
    await child.answer(2);
    child.process.kill(signal);
    expect(await child.ended).toEqual(cleanExit);
  });

  test("exits at once when it is received a second time [STD-03]", async () => {
    const child = await startWorkshop();
    child.send(call(1, "hang"), ping(2));
    await child.answer(2);
    child.process.kill(signal);
    await sleep(100);
    expect(child.process.exitCode).toBe(null);
    // A busy machine may deliver two signals as one, so it is sent until it has arrived twice.
    for (; child.process.exitCode === null; await sleep(100)) child.process.kill(signal);
    expect(await child.ended).toEqual(cleanExit);
  });
});

describe("a client that disconnects", () => {
  test("makes the process exit quietly when it closes stdout but keeps stdin open [STD-03]", async () => {
    const child = await startWorkshop();
    child.process.stdout.destroy();
    child.send(call(1, "echo", { text: "x" }), call(2, "pause", { ms: 10 }), call(3, "hang"));
    await child.until(() => child.process.exitCode !== null, "its end");
    expect(await child.ended).toEqual(cleanExit);
    expect(child.stderr).toBe("[STDOUT] a pack opens\n[STDOUT] a pack closes\n");
  });

  test("leaves no incomplete message that is run", async () => {
    const child = await startWorkshop();
    child.write(`${JSON.stringify(ping(1))}\n${JSON.stringify(call(2, "print"))}`);
    await child.answer(1);
    child.process.stdout.destroy();
    child.write("\n");
    child.send(call(3, "echo", { text: "x" }));
    child.write(JSON.stringify(call(4, "stoppable")));
    await child.until(() => child.process.exitCode !== null, "its end");
    expect(await child.ended).toEqual(cleanExit);
    expect(child.stderr).not.toContain("running");
  });

  test("makes the process exit when it closes stdout and stderr", async () => {
    const child = await startWorkshop();
    child.process.stderr.destroy();
    child.process.stdout.destroy();
    child.send(call(1, "print"), call(2, "crash"), call(3, "hang"));
    await child.until(() => child.process.exitCode !== null, "its end");
    expect(await child.ended).toEqual(cleanExit);
  });

  test("is still served after it closes stderr only, and the server does not spin", async () => {
    const child = await startWorkshop();
    child.process.stderr.destroy();
    child.send(
      call(1, "print"),
      call(2, "crash"),
      call(3, "throw_later"),
      call(4, "pause", { ms: 300 }),
      call(5, "cpu"),
    );
    expect(textOf(await child.answer(4))).toBe("paused 300");
    child.send(call(6, "cpu"), call(7, "pause", { ms: 400 }));
    await child.answer(7);
    child.send(call(8, "cpu"));
    const [before, after] = [Number(textOf(await child.answer(6))), Number(textOf(await child.answer(8)))];
    expect(after - before).toBeLessThan(200_000);
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
  });
});

describe("a server that cannot start", () => {
  test("prints the reason in one line on stderr, and exits with code 1", async () => {
    const child = start("broken-pack");
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.lines).toEqual([]);
    expect(child.stderr).toContain('Cannot open pack "store": settings.file: required, but missing (string)');
  });
});
