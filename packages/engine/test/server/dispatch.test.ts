import { describe, expect, test, vi } from "vitest";
import type { Connection } from "../../src/server/connection.js";
import { tool } from "../../src/server/definitions/tool.js";
import { rejectMessage } from "../../src/server/dispatch.js";
import type { ServerOptions } from "../../src/server/options.js";
import { McpServer, type Server } from "../../src/server/server.js";
import { Session } from "../../src/server/session.js";
import type { ServerState } from "../../src/server/state.js";

const wait = tool({
  name: "wait",
  description: "Never ends.",
  run: () => new Promise<string>(() => undefined),
});
const ping = (id: number | string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const call = (id: number | string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"wait","arguments":{}}}`;
const cancel = (id: number | string) =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
const handshake = (version: string) =>
  `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"${version}","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`;

/** A link that notes all it is given: messages, answers, and `undefined` where there is no answer. */
function open(options: Partial<ServerOptions> = {}) {
  const logged: string[] = [];
  const core = new McpServer({
    name: "test",
    version: "1.0.0",
    tools: [wait],
    compat: { lifecycle: "off" },
    log: ({ level, message }) => logged.push(`${level}: ${message}`),
    ...options,
  }) as unknown as Server & ServerState;
  const sent: string[] = [];
  const answers: (string | undefined)[] = [];
  const session = new Session(core, (message) => sent.push(message));
  const link: Connection = {
    session,
    principal: undefined,
    send: (message) => sent.push(message),
    respond: (message) => answers.push(message),
  };
  return { core, session, link, sent, answers, logged, say: (text: string) => core.receive(text, link) };
}

describe("a closed session", () => {
  test.each(["end", "close"] as const)("rejects every request after %s", (action) => {
    const { session, answers, sent, logged, say } = open();
    say(ping(1));
    session[action]();
    for (const text of [ping(2), call(3), `[${ping(4)}]`, cancel(1), "no JSON", '{"jsonrpc":"2.0","id":1,"result":{}}'])
      say(text);
    expect(answers).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}', ...Array.from({ length: 6 }, () => undefined)]);
    expect(sent).toEqual([]);
    expect(logged).toEqual([]);
  });

  test("gets no response to invalid messages", () => {
    const { core, session, link, answers } = open();
    session.close();
    rejectMessage(core, new Error("too long"), undefined, link);
    expect(answers).toEqual([undefined]);
  });

  test("that has ended lets running calls finish", async () => {
    let finish = (_text: string): void => undefined;
    const slow = tool({
      name: "wait",
      description: "Ends when it is notified to.",
      run: () => new Promise<string>((resolve) => (finish = resolve)),
    });
    const { session, answers, say } = open({ tools: [slow] });
    say(call(1));
    session.end();
    finish("done");
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toHaveLength(1);
    expect(answers[0]).toContain('"id":1,"result"');
  });
});

describe("an internal error", () => {
  const breakOn = (session: object) =>
    Object.defineProperty(session, "active", {
      get: () => {
        throw new Error("secret");
      },
    });

  test("is answered with -32603 and the id of the request, and logged", () => {
    const { session, answers, logged, say } = open();
    breakOn(session);
    say(ping(7));
    expect(answers).toEqual([
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"Internal error: the details are in the server\'s log"}}',
    ]);
    expect(logged).toEqual(["error: cannot handle a message"]);
  });

  test("is not sent for a notification or a response", () => {
    const { session, answers, logged, say } = open();
    const id = session.addPendingRequest({
      onResponse: () => {
        throw new Error("secret");
      },
      onAbandoned: () => undefined,
    });
    say(`{"jsonrpc":"2.0","id":${String(id)},"result":{}}`);
    breakOn(session);
    say(cancel(1));
    expect(answers).toEqual([undefined, undefined]);
    expect(logged).toEqual(["error: cannot handle a message", "error: cannot handle a message"]);
  });
});

test("a logger that throws has no effect on requests", () => {
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { core, link, answers, say } = open({
    log: () => {
      throw new Error("the disk is full");
    },
  });
  rejectMessage(core, new Error("secret"), undefined, link);
  say('{"jsonrpc":"2.0","id":99,"result":{}}');
  say(ping(1));
  const received = stderr.mock.calls.map(([text]) => String(text).split("\n")[0]);
  stderr.mockRestore();
  expect(received).toEqual(["[ERROR] the server's log failed", "[ERROR] the server's log failed"]);
  expect(answers).toEqual([
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error: the details are in the server\'s log"}}',
    undefined,
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ]);
});

describe("before a revision is known", () => {
  test("an invalid message is rejected with the id null and error data", () => {
    const { answers, say } = open({ limits: { batchMessages: 1 } });
    say("{");
    say("[".repeat(300) + "]".repeat(300));
    say(`[${ping(1)},${ping(2)}]`);
    expect(answers).toEqual([
      expect.stringContaining('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: '),
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: nested deeper than 256 levels","data":{"limit":"jsonDepth"}}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the batch has 2 messages; the limit is 1","data":{"limit":"batchMessages"}}}',
    ]);
  });
});

test("a message with more than 100,000 members is rejected before it is parsed", () => {
  const { answers, say } = open();
  const many = (count: number): string =>
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${Array.from({ length: count }, (_, at) => `"k${at}" :1`).join(",")}}}`;
  say(many(100_000));
  say(many(99_996));
  say(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"text":"${":".repeat(500_000)}"}}`);
  expect(answers).toEqual([
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: more than 100000 members","data":{"limit":"jsonMembers"}}}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":2,"result":{}}',
  ]);
});

test.each(["{}", "[1]", '"a"', "1"])(
  "a message with a million values such as %s is rejected before it is parsed",
  (value) => {
    const { answers, say } = open();
    const list = (count: number): string => `[${Array.from({ length: count }, () => value).join(",")}]`;
    say(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"list":${list(1_000_000)}}}`);
    say(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"list":${list(200_000)}}}`);
    say(`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"text":${JSON.stringify(list(1_000_000))}}}`);
    expect(answers).toEqual([
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: more than 500000 values","data":{"limit":"jsonValues"}}}',
      '{"jsonrpc":"2.0","id":2,"result":{}}',
      '{"jsonrpc":"2.0","id":3,"result":{}}',
    ]);
  },
);

describe("ids beyond 2^53", () => {
  const long = (at: number) => `90071992547409930${String(at).padStart(2, "0")}`;

  test("keep all digits in a large batch", () => {
    const { answers, say } = open();
    say(handshake("2025-03-26"));
    const padding = `[${"1,".repeat(4_000)}"${"1,".repeat(36_000)}"]`;
    const one = (at: number) =>
      `{"jsonrpc":"2.0","id":${long(at)},"method":"ping","params":{"padding":${padding},"id":1}}`;
    const ids = Array.from({ length: 100 }, (_, at) => at);
    say(`[${ids.map(one).join(",")}]`);
    expect(answers[1]).toBe(`[${ids.map((at) => `{"jsonrpc":"2.0","id":${long(at)},"result":{}}`).join(",")}]`);
  });

  test("identify the cancelled request, inside and outside of batches", () => {
    const { session, answers, say } = open();
    say(handshake("2025-03-26"));
    say(`[${call(long(1))}, ${call(long(2))} ,${cancel(long(2))},\n${ping(long(3))}]`);
    expect(session.active?.all().map(({ id }) => id)).toEqual([BigInt(long(1))]);
    say(call(long(4)));
    say(call(long(5)));
    say(cancel(long(4)));
    expect(session.active?.all().map(({ id }) => id)).toEqual([BigInt(long(1)), BigInt(long(5))]);
    say(`[${cancel(long(5))},${cancel(long(1))}]`);
    expect(session.active?.all()).toEqual([]);
    expect(answers.slice(1).filter((answer) => answer !== undefined)).toEqual([
      `[{"jsonrpc":"2.0","id":${long(3)},"result":{}}]`,
    ]);
  });
});

describe("a transport that throws while it sends a response", () => {
  test.each([
    ["at once", () => "done"],
    ["later", async () => "done"],
  ])("is logged, for a tool that returns %s", async (_when, run) => {
    const { core, link, logged } = open({ tools: [tool({ name: "wait", description: "Answers.", run })] });
    const broken: Connection = {
      ...link,
      respond: () => {
        throw new Error("the wire is cut");
      },
    };
    core.receive(call(1), broken);
    await vi.waitFor(() => expect(logged).toEqual(["error: tools/call was not answered"]));
  });

  test("is not logged for a tool that throws because it was cancelled", async () => {
    const stopped = tool({
      name: "wait",
      description: "Ends when it is cancelled.",
      run: (_input, { signal }) =>
        new Promise<string>((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true }),
        ),
    });
    const { logged, say, answers } = open({ tools: [stopped] });
    say(call(1));
    say(cancel(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toEqual([undefined, undefined]);
    expect(logged).toEqual([]);
  });
});
