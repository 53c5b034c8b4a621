import { createLogger, createServer, type LogEntry, type ServerOptions, tool } from "@toolwright/engine";
import { createRedaction } from "@toolwright/engine/observability";
import { connectTestClient } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test, vi } from "vitest";

const failing = tool({
  name: "failing",
  description: "Fails.",
  run() {
    throw new Error("connection refused\n[ALERT] forged: postgres://ada:hunter2@db/x");
  },
});

/** What a server writes to stderr while its tool is called. */
async function linesOf(options: Partial<ServerOptions>): Promise<string> {
  const written: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const server = createServer({ name: "shop", version: "1.0.0", tools: [failing], ...options });
  const client = await connectTestClient(server);
  await client.callTool("failing");
  server.log({ level: "info", message: "not logged by default" });
  client.close();
  return written.join("");
}

afterEach(() => vi.restoreAllMocks());

describe("the log of a server", () => {
  test("is written to stderr as text with the request id, without secrets, and cannot be forged", async () => {
    const text = await linesOf({});
    expect(text).toMatch(
      /^\[ERROR\] \[req_id=\d+\] tool "failing" failed \(reference \w{8}\)\n {4}Error: connection refused\n {4}\[ALERT\] forged: postgres:\/\/ada:\[redacted\]@db\/x\n {8}at /,
    );
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("not logged by default");
    expect(text.match(/^\S/gm)).toHaveLength(1);
  });

  test("is JSON lines with format: json", async () => {
    const text = await linesOf({ log: createLogger({ format: "json", level: "info" }) });
    const entries = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries[0]).toMatchObject({
      level: "error",
      message: expect.stringMatching(/^tool "failing" failed/),
      requestId: expect.any(Number),
      error: { name: "Error", message: "connection refused\n[ALERT] forged: postgres://ada:[redacted]@db/x" },
    });
    expect(entries.at(-1)).toMatchObject({ level: "info", message: "not logged by default" });
    expect(text).not.toContain("hunter2");
  });

  test.each(["text", "json"] as const)("uses the redaction of the server, as %s", async (format) => {
    const log = createLogger({ format });
    const redact = { values: ["refused"], names: ["forged"] };
    const text = await linesOf({ log, redact });
    expect(text).toContain("connection [redacted]");
    expect(text).toContain("forged: [redacted]");
    expect(text).not.toMatch(/refused|postgres/);
    // The redaction of one server does not apply to another.
    expect(await linesOf({ log })).toContain("connection refused");
  });

  test("uses its own redaction if it has one", async () => {
    const log = createLogger({ redaction: createRedaction({ values: ["connection"] }) });
    expect(await linesOf({ log, redact: { values: ["refused"] } })).toContain("Error: [redacted] refused");
  });

  test("passes entries unchanged to a custom logger", async () => {
    const entries: LogEntry[] = [];
    await linesOf({
      log: (entry, ...rest: unknown[]) => {
        entries.push(entry);
        expect(rest).toEqual([]);
      },
    });
    expect(entries.map(({ level }) => level)).toEqual(["error", "info"]);
    expect(String(entries[0]?.error)).toContain("hunter2");
  });
});
