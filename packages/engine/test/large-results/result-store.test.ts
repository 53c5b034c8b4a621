import { createServer, tool } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import type { LargeResultsOptions } from "@toolwright/engine/types";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { handleFrom, manyLines, read, referenceOf, serverReturning, textOf } from "./server.js";

/** A server whose tool repeats a letter. */
function letters(options: LargeResultsOptions) {
  const schema = { type: "object", properties: { letter: { type: "string" }, bytes: { type: "integer" } } } as const;
  return createServer({
    name: "test",
    version: "1.0.0",
    largeResults: { budgetBytes: 100, ...options },
    tools: [
      tool({
        name: "repeat",
        description: "Repeats.",
        input: schema,
        run: ({ letter = "x", bytes = 1000 }) => letter.repeat(bytes),
      }),
    ],
  });
}

type Client = Awaited<ReturnType<typeof connectTestClient>>;

async function repeat(client: Client, letter: string, bytes = 1000): Promise<string> {
  return referenceOf(await client.callTool("repeat", { letter, bytes })).handle ?? "none";
}

const firstOf = async (client: Client, handle: string): Promise<string> => {
  const text = await read(client, handle, { from_byte: 0, bytes: 1 });
  return text.startsWith("There is no result") ? "gone" : (text.split("\n")[1] ?? "");
};

everyRevision("a result is found only by the principal that received it", async (open) => {
  const server = serverReturning({ it: manyLines(500) });
  const alice = await open(server, { principal: "alice" });
  const bob = await open(server, { principal: "bob" });
  const anonymous = await open(server);
  const handle = await handleFrom(alice, "it");
  expect(await read(alice, handle, { from_line: 500 })).toContain("500: line 500");
  const unknown = `result://${"0".repeat(32)}`;
  const message = (await read(bob, unknown)).replace(unknown, handle);
  expect(await read(bob, handle)).toBe(message);
  expect(await read(anonymous, handle)).toBe(message);
  await expect(bob.request("resources/read", { uri: handle })).rejects.toThrow(`Resource not found: ${handle}`);
});

describe("after its TTL", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("a result is gone, even if it was read before", async () => {
    const client = await connectTestClient(letters({ ttlMs: 10_000 }));
    const handle = await repeat(client, "a");
    vi.advanceTimersByTime(9999);
    expect(await firstOf(client, handle)).toBe("a");
    vi.advanceTimersByTime(1);
    expect(await firstOf(client, handle)).toBe("gone");
  });

  test("a result expires at the announced time", async () => {
    vi.setSystemTime("2030-01-01T00:00:00Z");
    const client = await connectTestClient(serverReturning({ it: manyLines(500) }));
    expect(referenceOf(await client.callTool("it")).expiresAt).toBe("2030-01-01T00:30:00.000Z");
  });

  test("its memory is free again", async () => {
    const client = await connectTestClient(letters({ ttlMs: 10_000, memoryBytes: 2000 }));
    const first = await repeat(client, "a");
    vi.advanceTimersByTime(6000);
    const second = await repeat(client, "b");
    vi.advanceTimersByTime(6000);
    const third = await repeat(client, "c");
    expect(await Promise.all([first, second, third].map((handle) => firstOf(client, handle)))).toEqual([
      "gone",
      "b",
      "c",
    ]);
  });
});

describe("memory", () => {
  test("is limited; the least recently used result is evicted", async () => {
    const client = await connectTestClient(letters({ memoryBytes: 3000 }));
    const [a, b, c] = [await repeat(client, "a"), await repeat(client, "b"), await repeat(client, "c")];
    expect(await firstOf(client, a)).toBe("a");
    const d = await repeat(client, "d");
    expect(await Promise.all([a, b, c, d].map((handle) => firstOf(client, handle)))).toEqual(["a", "gone", "c", "d"]);
  });

  test("holds a limited number of results", async () => {
    const client = await connectTestClient(letters({ maxResults: 2 }));
    const handles = [await repeat(client, "a"), await repeat(client, "b"), await repeat(client, "c")];
    expect(await Promise.all(handles.map((handle) => firstOf(client, handle)))).toEqual(["gone", "b", "c"]);
  });

  test.each([{ memoryBytes: 4000 }, { maxResults: 4 }])(
    "that one principal fills with results does not cost another one its own: %j",
    async (limits) => {
      const server = letters(limits);
      const [hog, other] = [
        await connectTestClient(server, { principal: "hog" }),
        await connectTestClient(server, { principal: "other" }),
      ];
      const kept = await repeat(other, "o");
      const first = await repeat(hog, "h");
      for (let count = 0; count < 10; count += 1) await repeat(hog, "h");
      expect(await firstOf(other, kept)).toBe("o");
      expect(await firstOf(hog, first)).toBe("gone");
    },
  );

  test("that is too small for a result leaves only the excerpt, with a notice", async () => {
    const client = await connectTestClient(letters({ memoryBytes: 500 }));
    const result = await client.callTool("repeat", { letter: "a", bytes: 1000 });
    expect(referenceOf(result)).toEqual({ bytes: 1000, lines: 1 });
    expect(result["content"]).toHaveLength(1);
    expect(textOf(result)).toBe(
      `${"a".repeat(100)}\n\nThe result is too large to show: 1000 bytes. The first 100 bytes are shown.\n` +
        "The rest was not stored, because there is not enough space. Request less at once.",
    );
  });

  test("stays within its limit with many concurrent calls", async () => {
    const client = await connectTestClient(letters({ memoryBytes: 5000 }));
    const handles = await Promise.all("abcdefghijklmnopqrst".split("").map((letter) => repeat(client, letter)));
    const found = await Promise.all(handles.map((handle) => firstOf(client, handle)));
    expect(found.filter((letter) => letter !== "gone")).toEqual(["p", "q", "r", "s", "t"]);
  });
});

test("a call that ends after the server was closed returns only the excerpt", async () => {
  let finish: (text: string) => void = () => undefined;
  const text = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const late = tool({ name: "late", description: "Late.", run: () => text });
  const server = createServer({ name: "test", version: "1.0.0", largeResults: { budgetBytes: 100 }, tools: [late] });
  const client = await connectTestClient(server);
  const call = client.callTool("late");
  await server.close();
  finish("a".repeat(1000));
  expect(referenceOf(await call)).toEqual({ bytes: 1000, lines: 1 });
});
