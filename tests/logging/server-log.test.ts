import { createLog, createRedaction, createServer, type LogEntry, type ServerOptions, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test, vi } from "vitest";

const failing = tool({
  name: "failing",
  description: "Fails.",
  run() {
    throw new Error("connection refused\n[ALERT] forged: postgres://ada:hunter2@db/x");
  },
});

/** What a server writes to stderr, from a call of the tool on. */
async function linesOf(options: Partial<ServerOptions>): Promise<string> {
  const written: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const server = createServer({ name: "shop", version: "1.0.0", tools: [failing], ...options });
  const client = await connect(server);
  await client.callTool("failing");
  server.log({ level: "info", message: "not said by default" });
  client.close();
  return written.join("");
}

afterEach(() => vi.restoreAllMocks());

describe("the log of a server", () => {
  test("goes to stderr as text, with the request, without secrets, and cannot be forged", async () => {
    const text = await linesOf({});
    expect(text).toMatch(
      /^\[ERROR\] \[req_id=\d+\] tool "failing" failed \(reference \w{8}\)\n {4}Error: connection refused\n {4}\[ALERT\] forged: postgres:\/\/ada:\[redacted\]@db\/x\n {8}at /,
    );
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("not said by default");
    expect(text.match(/^\S/gm)).toHaveLength(1);
  });

  test("is JSON, a line an entry, where that is wanted", async () => {
    const text = await linesOf({ log: createLog({ format: "json", level: "info" }) });
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
    expect(entries.at(-1)).toMatchObject({ level: "info", message: "not said by default" });
    expect(text).not.toContain("hunter2");
  });

  test.each(["text", "json"] as const)("hides what the server hides, as %s too", async (format) => {
    const log = createLog({ format });
    const redact = { values: ["refused"], names: ["forged"] };
    const text = await linesOf({ log, redact });
    expect(text).toContain("connection [redacted]");
    expect(text).toContain("forged: [redacted]");
    expect(text).not.toMatch(/refused|postgres/);
    // What one server hides is no secret of another one.
    expect(await linesOf({ log })).toContain("connection refused");
  });

  test("keeps to a redaction that it was made with", async () => {
    const log = createLog({ redaction: createRedaction({ values: ["connection"] }) });
    expect(await linesOf({ log, redact: { values: ["refused"] } })).toContain("Error: [redacted] refused");
  });

  test("of an author's own gets the entries as they are, and nothing else", async () => {
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
