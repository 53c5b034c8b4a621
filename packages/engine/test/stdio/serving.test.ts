import { describe, expect, test } from "vitest";
import { type Child, call, initialize, ping, start, startWorkshop, textOf } from "./child.js";

/** Checks that the server still responds. */
async function expectAlive(child: Child): Promise<void> {
  child.send(ping("alive"));
  expect(await child.answer("alive")).toEqual({ jsonrpc: "2.0", id: "alive", result: {} });
}

describe("a server on stdio", () => {
  test("responds to other requests while a slow call runs, in any order [STD-05]", async () => {
    const child = await startWorkshop();
    child.send(call(1, "wait_for", { text: "a" }), call(2, "wait_for", { text: "b" }), call(3, "echo", { text: "hi" }));
    child.send(ping(4), call(5, "open", { text: "b" }));
    expect(textOf(await child.answer(2))).toBe("b is open");
    child.send(call(6, "open", { text: "a" }));
    expect(textOf(await child.answer(1))).toBe("a is open");
    expect(child.messages.map(({ id }) => id)).toEqual([0, 3, 4, 5, 2, 6, 1]);
  });

  test("accepts a message split inside a character, and many messages in one chunk [STD-01]", async () => {
    const child = await startWorkshop();
    const whole = Buffer.from(`${JSON.stringify(call(1, "echo", { text: "€𝄞é" }))}\n`);
    for (const byte of whole) {
      child.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(textOf(await child.answer(1))).toBe("€𝄞é");
    child.send(...Array.from({ length: 300 }, (_, at) => call(`n${at}`, "echo", { text: `${at}` })));
    await child.answer("n299");
    expect(child.messages.slice(2).map(textOf)).toEqual(Array.from({ length: 300 }, (_, at) => `${at}`));
  });

  test("accepts a byte order mark, CRLF and blank lines [STD-04]", async () => {
    const child = start("workshop");
    child.write(`\u{feff}${JSON.stringify(ping(1))}\r\n\r\n\n   \n${JSON.stringify(ping(2))}\r\n`);
    await child.answer(2);
    expect(child.lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":2,"result":{}}']);
  });

  test("responds with -32700 to invalid JSON or UTF-8, and continues with the next message [STD-04 RPC-09]", async () => {
    const child = await startWorkshop();
    child.write("what?\n");
    child.write(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d, 10]));
    child.write('{"jsonrpc":"2.0","id":1,"method":"ping"\n');
    await expectAlive(child);
    expect(child.messages.slice(1, 4).map(({ id, error }) => [id, (error as { code: number }).code])).toEqual([
      [undefined, -32700],
      [undefined, -32700],
      [undefined, -32700],
    ]);
  });

  test("responds to initialize before any request sent with it [STD-05]", async () => {
    const child = start("workshop");
    const after = Array.from({ length: 50 }, (_, at) => call(at + 1, "echo", { text: "early" }));
    child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" }, ...after);
    await child.answer(50);
    expect(child.messages.map(({ id }) => id)).toEqual(Array.from({ length: 51 }, (_, at) => at));
    expect(child.messages.slice(1).map(textOf)).toEqual(Array.from({ length: 50 }, () => "early"));
  });

  test("responds to server/discover as the first request, and to initialize after it [ERA-04 MOD-05]", async () => {
    const child = start("workshop");
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    child.send({ jsonrpc: "2.0", id: "probe-1", method: "server/discover", params: { _meta: meta } });
    expect(await child.answer("probe-1")).toMatchObject({
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        capabilities: { tools: { listChanged: true } },
      },
    });
    child.send(initialize(0, "2025-06-18"));
    expect(await child.answer(0)).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
  });

  test("writes only messages to stdout, whatever a tool, module or pack prints [STD-02]", async () => {
    const child = await startWorkshop();
    child.send(call(1, "print"), call(2, "import_noise"));
    expect(textOf(await child.answer(1))).toBe("printed");
    expect(textOf(await child.answer(2))).toBe("loaded");
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(child.unfinished).toBe("");
    for (const word of [
      "logged 7",
      "informed",
      "debugged",
      "written",
      "bytes",
      "awaited",
      "a pack opens",
      "a pack closes",
    ])
      expect(child.stderr).toContain(`[STDOUT] ${word}\n`);
    for (const word of ["printed while loading", "and written"]) expect(child.stderr).toContain(`[STDOUT] ${word}\n`);
  });

  test("survives unhandled rejections and timers that throw", async () => {
    const child = await startWorkshop();
    child.send(call(1, "reject_later"), call(2, "throw_later"));
    await child.until(() => child.stderr.includes("nobody waits for this"), "the rejection in its log");
    await child.until(() => child.stderr.includes("thrown in a timer"), "the throw in its log");
    await expectAlive(child);
    expect([textOf(await child.answer(1)), textOf(await child.answer(2))]).toEqual(["soon", "soon"]);
  });

  test("continues to read after a tool has read and paused stdin", async () => {
    const child = await startWorkshop();
    child.send(call(1, "read_input"));
    expect(textOf(await child.answer(1))).toBe("read");
    await expectAlive(child);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
  });

  test("responds with only a reference when a tool throws unexpectedly, and logs the details", async () => {
    const child = await startWorkshop();
    child.send(call(1, "crash"));
    const answer = await child.answer(1);
    expect(answer).toMatchObject({ result: { isError: true } });
    expect(textOf(answer)).toMatch(/^The tool failed unexpectedly\. Reference: [0-9a-f]{8}$/);
    expect(child.lines.join("")).not.toContain("hunter2");
    await child.until(() => child.stderr.includes("Error: password=[redacted]"), "the details in its log");
  });

  test("survives a tool that throws a value without a string form", async () => {
    const child = await startWorkshop();
    child.send(call(1, "toss"));
    expect(textOf(await child.answer(1))).toMatch(/^The tool failed unexpectedly\. Reference: [0-9a-f]{8}$/);
    await expectAlive(child);
  });

  test("takes its credentials from the environment [STD-06]", async () => {
    const child = await startWorkshop({ API_TOKEN: "abcdef" });
    child.send(call(1, "whose_token"));
    expect(textOf(await child.answer(1))).toBe("abc");
  });

  test("matches a cancellation by request id only, in every revision [ERA-09 CANC-01]", async () => {
    const child = await startWorkshop();
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    child.send({ ...call("modern", "stoppable"), params: { name: "stoppable", _meta: meta } }, call(1, "stoppable"));
    await child.until(() => child.stderr.split("running").length === 3, "two running calls");
    for (const requestId of ["modern", 1])
      child.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason: "enough" } });
    await child.until(() => child.stderr.split("stopped: enough").length === 3, "two stopped calls");
    await expectAlive(child);
    expect(child.messages.map(({ id }) => id)).toEqual([0, "alive"]);
  });
});

describe("message sizes", () => {
  test("a line of 12 MB is rejected with its size, the limit and its id, and the next message is processed", async () => {
    const child = await startWorkshop();
    const line = JSON.stringify(call(1, "echo", { text: "x".repeat(12_000_000) }));
    child.write(`${line}\n`);
    await expectAlive(child);
    expect(await child.answer(1)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32600,
        message: `Invalid request: the message has ${line.length} bytes; the limit is 10485760`,
        data: { limit: "messageBytes", bytes: line.length, max: 10_485_760 },
      },
    });
    expect(child.messages).toHaveLength(3);
  });

  test("a line of 10 MB is processed", async () => {
    const child = await startWorkshop();
    child.send(call(1, "echo", { text: "x".repeat(10_000_000) }));
    expect(textOf(await child.answer(1))).toHaveLength(10_000_000);
  });

  test("a result over 10 MiB becomes a tool error with its size and the limit", async () => {
    const child = await startWorkshop();
    child.send(call(1, "large", { bytes: 11_000_000 }));
    const answer = await child.answer(1);
    expect(answer).toMatchObject({
      result: {
        isError: true,
        structuredContent: { code: "RESULT_TOO_LARGE", limit: "messageBytes", max: 10_485_760 },
      },
    });
    expect(textOf(answer)).toMatch(/^The result has 110000\d\d bytes; the limit is 10485760\. Ask for less at once\.$/);
    await expectAlive(child);
  });
});
