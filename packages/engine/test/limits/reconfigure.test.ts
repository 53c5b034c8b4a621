import { createServer, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import type { ServerChanges } from "@toolwright/engine/types";
import { describe, expect, test } from "vitest";

/** A server whose one tool waits until it is let go. */
function setUp(options: Partial<Parameters<typeof createServer>[0]> = {}) {
  const waiting: (() => void)[] = [];
  const hold = tool({
    name: "hold",
    description: "Waits.",
    run: () =>
      new Promise<string>((resolve) => {
        waiting.push(() => resolve("done"));
      }),
  });
  const quick = tool({ name: "quick", description: "Does not wait.", run: () => "quick" });
  const server = createServer({
    name: "test",
    version: "1.0.0",
    tools: [hold, quick],
    log: () => undefined,
    ...options,
  });
  return { server, waiting };
}

const codeOf = (result: object) => (result as { structuredContent?: { code?: string } }).structuredContent?.code;

describe("while a server runs", () => {
  test("the concurrency limit can be raised, and waiting calls start", async () => {
    const { server, waiting } = setUp({ limits: { callsInFlight: 1 } });
    const client = await connect({ server });
    const calls = [client.callTool("hold"), client.callTool("hold"), client.callTool("hold")];
    await expect.poll(() => waiting.length).toBe(1);
    server.reconfigure({ limits: { callsInFlight: 2 } });
    await expect.poll(() => waiting.length).toBe(2);
    server.reconfigure({});
    await expect.poll(() => waiting.length).toBe(3);
    for (const go of waiting) go();
    expect(await Promise.all(calls)).toMatchObject(calls.map(() => ({ content: [{ text: "done" }] })));
    await client.close();
  });

  test("the concurrency limit can be lowered: running calls continue, and the next one waits", async () => {
    const { server, waiting } = setUp({ limits: { callsInFlight: 2 } });
    const client = await connect({ server });
    const calls = [client.callTool("hold"), client.callTool("hold")];
    await expect.poll(() => waiting.length).toBe(2);
    server.reconfigure({ limits: { callsInFlight: 1, callsQueued: 1 } });
    const third = client.callTool("hold");
    waiting[0]?.();
    await calls[0];
    expect(waiting).toHaveLength(2);
    waiting[1]?.();
    await expect.poll(() => waiting.length).toBe(3);
    waiting[2]?.();
    expect(await third).toMatchObject({ content: [{ text: "done" }] });
    await client.close();
  });

  test("a rate limit can be added and removed", async () => {
    const { server } = setUp();
    const client = await connect({ server });
    server.reconfigure({ limits: { rate: { burst: 1, perSecond: 0.001, over: "reject" } } });
    expect(codeOf(await client.callTool("quick"))).toBeUndefined();
    expect(codeOf(await client.callTool("quick"))).toBe("RATE_LIMITED");
    server.reconfigure({});
    expect(codeOf(await client.callTool("quick"))).toBeUndefined();
    await client.close();
  });

  test("the timeout of new calls can change", async () => {
    const { server } = setUp();
    const client = await connect({ server });
    server.reconfigure({ limits: { callTimeoutMs: 1 } });
    expect(codeOf(await client.callTool("hold"))).toBe("TIMEOUT");
    expect(server.limits.callTimeoutMs).toBe(1);
    await client.close();
  });

  test.each([
    [{ limit: {} }, "Cannot reconfigure the server: unknown option limit; did you mean limits?"],
    [
      { limits: { callTimoutMs: 1 } },
      "Cannot reconfigure the server: unknown option limits.callTimoutMs; did you mean limits.callTimeoutMs?",
    ],
    [{ limits: { pageSize: 0 } }, "Cannot reconfigure the server: limits.pageSize must be a positive number"],
    [
      { limits: { pageSize: 5, rate: { burst: 0, perSecond: 1 } } },
      "Cannot reconfigure the server: limits.rate needs burst of at least 1 and perSecond above 0",
    ],
  ])("%j changes nothing", (changes, message) => {
    const { server } = setUp();
    expect(() => server.reconfigure(changes as ServerChanges)).toThrow(new TypeError(message));
    expect(server.limits.pageSize).toBe(1000);
  });
});
