import { createLogger, createServer, type JsonObject, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { Wire } from "../features/wire.js";

const read = tool({
  name: "read_file",
  aliases: ["files.read"],
  description: "Reads.",
  input: { type: "object", properties: { lines: { type: "integer" } }, required: ["lines"] },
  run: () => {
    throw new ToolError("There is no such file.");
  },
});

/** What a server logs while it receives these lines after a handshake. */
async function logOf(lines: readonly (string | JsonObject)[], options: Partial<ServerOptions> = {}): Promise<string[]> {
  const log: string[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    tools: [read],
    log: createLogger({ write: (line) => void log.push(line) }),
    ...options,
  });
  await server.start();
  const wire = new Wire(server, "2025-11-25");
  wire.initialize();
  for (const line of lines) {
    if (typeof line === "string") wire.sendText(line);
    else wire.send(line);
  }
  for (const line of lines) if (typeof line === "object") await wire.waitFor({ id: line["id"] as number });
  await server.close();
  return log;
}

const call = (id: number, name: string, args: JsonObject = {}): JsonObject => ({
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

describe("the log names what is rejected, with the request id and the reason:", () => {
  test("messages", async () => {
    expect(
      await logOf([
        "{",
        '{"jsonrpc":"2.0","id":4,"method":7}',
        { id: 5, method: "no/such" },
        { id: 6, method: "initialize", params: {} },
      ]),
    ).toEqual([
      expect.stringMatching(/^\[WARNING\] message rejected: Parse error: /) as string,
      expect.stringMatching(/^\[WARNING\] \[req_id=4\] message rejected: Invalid request: /) as string,
      "[WARNING] [req_id=5] no/such rejected: Method not found: no/such",
      "[WARNING] [req_id=6] initialize rejected: Already initialized",
    ]);
  });

  test("calls, by the name of the tool", async () => {
    const params = { name: "read_file", arguments: 7 };
    expect(
      await logOf([
        call(3, "no_tool"),
        { id: 4, method: "tools/call", params },
        call(5, "files.read", { lines: "many" }),
      ]),
    ).toEqual([
      "[WARNING] [req_id=3] tools/call rejected: Unknown tool: no_tool",
      '[WARNING] [req_id=4] [tool=read_file] tools/call rejected: Invalid params: "arguments" must be an object',
      '[WARNING] [req_id=5] [tool=read_file] tools/call rejected: invalid arguments: lines: expected an integer, got "many"',
    ]);
  });

  test("calls over a rate limit", async () => {
    const limits = { rate: { burst: 1, perSecond: 0.01, over: "reject" } } as const;
    expect(await logOf([call(3, "read_file", { lines: 1 }), call(4, "read_file", { lines: 1 })], { limits })).toEqual([
      "[WARNING] [req_id=4] [tool=read_file] tools/call rejected: Too many calls: the limit is 0.01 a second. Try again in 100 s.",
    ]);
  });
});

for (const validationErrors of ["result", "protocol"] as const)
  test(`invalid arguments are logged once with validationErrors: ${validationErrors}, at the level of the options`, async () => {
    const compat = { rejectionLevel: "error", validationErrors } as const;
    expect(await logOf([call(4, "read_file", { lines: "many" })], { compat })).toEqual([
      '[ERROR] [req_id=4] [tool=read_file] tools/call rejected: invalid arguments: lines: expected an integer, got "many"',
    ]);
  });

test("arguments that a tool rejects are logged like those that its schema rejects", async () => {
  const picky = tool({
    name: "picky",
    description: "Rejects.",
    run: () => {
      throw new ToolError("context must be non-empty", { code: "INVALID_ARGUMENTS" });
    },
  });
  expect(await logOf([call(4, "picky")], { tools: [picky] })).toEqual([
    "[WARNING] [req_id=4] [tool=picky] tools/call rejected: context must be non-empty",
  ]);
});

test("a tool that fails is not logged as rejected, not even with an error code of its own", async () => {
  expect(await logOf([call(4, "read_file", { lines: 1 })])).toEqual([]);
  expect(
    await logOf([call(4, "read_file", { lines: 1 })], { compat: { errors: { TOOL_ERROR: { code: -32001 } } } }),
  ).toEqual([]);
});

test("a rejection takes one line of bounded length, without secrets", async () => {
  const method = `a\n[ALERT] \u001b[2J token=hunter2-hunter2 ${"x".repeat(10_000)}`;
  const [line = "", ...more] = await logOf([{ id: "i".repeat(10_000), method }]);
  expect(more).toEqual([]);
  expect(line).toContain("a [ALERT] \\u001b[2J token=[redacted]");
  expect(line).not.toContain("hunter2");
  expect(line).not.toContain("\n");
  expect(line.length).toBeLessThan(1000);
});

test("a flood of rejections logs a bounded number of lines", async () => {
  const lines = await logOf(Array.from({ length: 5000 }, () => "{"));
  expect(lines.length).toBeGreaterThanOrEqual(100);
  expect(lines.length).toBeLessThan(200);
});
