import { type JsonObject, type Middleware, RpcError, type Server, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { serverWith } from "../features/server.js";
import { initialize, serve } from "../http/serve.js";
import { INITIALIZED, initializeIn, sessionRequest } from "../protocol/support.js";

const asks = tool({
  name: "asks",
  description: "Tells whether it could ask.",
  run: async (_input, call) => String(call.supports("elicit")),
});
const CALL = sessionRequest(2, "tools/call", { name: "asks" });
const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"init"}}';

/** Middleware that is slow before or after the method; the results must be the same. */
const SLOW: readonly (readonly [when: string, middleware: Middleware])[] = [
  [
    "for a moment",
    async (_request, next) => {
      await Promise.resolve();
      return next();
    },
  ],
  [
    "for a turn",
    async (_request, next) => {
      await new Promise(setImmediate);
      return next();
    },
  ],
  [
    "afterwards",
    async (_request, next) => {
      const outcome = await next();
      await new Promise((resolve) => setTimeout(resolve, 3));
      return outcome;
    },
  ],
];

/** A conversation whose messages come all at once, as from a pipe. */
async function converse(server: Server) {
  await server.start();
  const session = server.openSession(() => undefined);
  let waiting = 0;
  const received: JsonObject[] = [];
  return {
    session,
    received,
    say: (...texts: readonly string[]): void => {
      for (const text of texts) {
        waiting += 1;
        server.receive(text, {
          session,
          principal: undefined,
          send: () => undefined,
          respond: (message) => {
            waiting -= 1;
            if (message !== undefined) received.push(JSON.parse(message) as JsonObject);
          },
        });
      }
    },
    /** All responses, once each message is answered. */
    answers: async (): Promise<JsonObject[]> => {
      await expect.poll(() => waiting, { interval: 2 }).toBe(0);
      return received.splice(0);
    },
  };
}

describe.each(SLOW)("with a middleware that waits %s", (_when, slow) => {
  test("requests in the same chunk as initialize are served after it", async () => {
    for (const lifecycle of ["tolerant", "strict"] as const) {
      const { say, answers } = await converse(serverWith([asks], { middleware: [slow], compat: { lifecycle } }));
      say(
        initializeIn("2025-11-25", { capabilities: { elicitation: {} } }),
        INITIALIZED,
        sessionRequest(1, "tools/list"),
        CALL,
      );
      expect(await answers()).toMatchObject([
        { id: "init", result: { protocolVersion: "2025-11-25" } },
        { id: 1, result: { tools: [{ name: "asks" }] } },
        { id: 2, result: { content: [{ text: "true" }] } },
      ]);
    }
  });

  test("a second initialize is rejected [LIFE-08]", async () => {
    const { say, answers } = await converse(serverWith([asks], { middleware: [slow] }));
    say(initializeIn("2024-11-05"), initializeIn("2025-11-25").replace("init", "again"), "{");
    expect(await answers()).toMatchObject([
      { id: "init", result: { protocolVersion: "2024-11-05" } },
      { id: "again", error: { code: -32600, message: "Already initialized" } },
      { id: null, error: { code: -32700 } },
    ]);
  });

  test("initialize cannot be cancelled [CANC-02]", async () => {
    const { say, answers } = await converse(serverWith([asks], { middleware: [slow] }));
    say(initializeIn("2025-11-25"), CANCEL);
    expect(await answers()).toMatchObject([{ id: "init", result: {} }]);
  });

  test("what was sent before the client fell silent is served", async () => {
    const { say, answers, session } = await converse(
      serverWith([asks], { middleware: [slow], compat: { lifecycle: "strict" } }),
    );
    say(initializeIn("2025-11-25"), INITIALIZED, CALL);
    session.end();
    expect(await answers()).toMatchObject([
      { id: "init", result: {} },
      { id: 2, result: {} },
    ]);
  });

  test("nothing is served for a client that has disconnected", async () => {
    let calls = 0;
    const counting = tool({ name: "asks", description: "Counts.", run: () => String(++calls) });
    const { say, answers, session } = await converse(
      serverWith([counting], { middleware: [slow], compat: { lifecycle: "off" } }),
    );
    say(initializeIn("2025-11-25"), INITIALIZED, CALL);
    session.close();
    expect(await answers()).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(calls).toBe(0);
  });
});

describe("a middleware that rejects initialize", () => {
  const refusing = (isFirst: boolean): Middleware => {
    let left = 2;
    return async ({ method }, next) => {
      if (method !== "initialize") return next();
      const outcome = isFirst ? undefined : await next();
      await Promise.resolve();
      left -= 1;
      if (left >= 0) throw new RpcError(-32001, "Not yet.");
      return outcome ?? next();
    };
  };

  test.each([
    ["before", true],
    ["after", false],
  ])("%s next() completes no handshake, and a further attempt may succeed", async (_when, isFirst) => {
    const { say, answers } = await converse(serverWith([asks], { middleware: [refusing(isFirst)] }));
    say(initializeIn("2024-11-05"), sessionRequest(1, "tools/list"), initializeIn("2024-11-05"), INITIALIZED, CALL);
    say(initializeIn("2025-06-18"), INITIALIZED, sessionRequest(3, "tools/list"));
    expect(await answers()).toMatchObject([
      { id: "init", error: { code: -32001 } },
      { id: 1, error: { code: -32600 } },
      { id: "init", error: { code: -32001 } },
      { id: 2, error: { code: -32600 } },
      { id: "init", result: { protocolVersion: "2025-06-18" } },
      { id: 3, result: { tools: [{ name: "asks" }] } },
    ]);
  });

  test("opens no session over HTTP", async () => {
    const site = await serve({}, { middleware: [refusing(false)] });
    const refused = await site.post(initialize("2025-11-25"));
    expect(await refused.json()).toMatchObject({ error: { code: -32001 } });
    expect(refused.headers.get("mcp-session-id")).toBeNull();
  });
});
