import type { Link } from "@toolwright/engine";
import { beforeEach, expect, test, vi } from "vitest";

/*
 * What it takes to ask is loaded with the first question that a process has, and what serves prompts and resources with the
 * first server that has some: here every test is a process that has loaded neither.
 */
beforeEach(() => vi.resetModules());

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};
const FORM = { type: "object", properties: { sure: { type: "boolean" } } } as const;

type Engine = typeof import("@toolwright/engine");

/** A server whose one tool and one prompt do what is given, and the first answer to each request. */
async function serve(run: Parameters<Engine["tool"]>[0]["run"], given: { readonly isStarted?: boolean } = {}) {
  const { createServer, prompt, tool } = await import("@toolwright/engine");
  const server = createServer({
    name: "test",
    version: "1.0.0",
    tools: [tool({ name: "it", description: "Does it.", run })],
    prompts: [prompt({ name: "it", description: "Does it.", run: (_, call) => run({}, call) as string })],
    log: () => undefined,
  });
  const heard: unknown[] = [];
  const hear = (message: string): void => void heard.push(JSON.parse(message));
  if (given.isStarted !== false) await server.start();
  const session = server.openSession(hear);
  const link: Link = { session, principal: undefined, send: hear, answer: (message) => message && hear(message) };
  return async (method: string, params: object = {}) => {
    const all = { name: "it", ...params, _meta: META };
    server.receive(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: all }), link);
    return vi.waitFor(() => {
      expect(heard).not.toEqual([]);
      return heard[0];
    }, 20_000);
  };
}

const asked = { result: { resultType: "input_required", inputRequests: { sure: { method: "elicitation/create" } } } };

test.each(["tools/call", "prompts/get"])(
  "%s ends with a question that the handler did not wait for",
  async (method) => {
    const request = await serve((_, call) => {
      void call.ask("sure", "Sure?", FORM);
      return "done";
    });
    expect(await request(method)).toMatchObject(asked);
  },
);

test.each(["tools/call", "prompts/get"])(
  "%s ends with the question, not with what the handler threw",
  async (method) => {
    const request = await serve((_, call) => {
      void call.ask("sure", "Sure?", FORM);
      throw new Error("too early");
    });
    expect(await request(method)).toMatchObject(asked);
  },
);

test("two questions at once are both put", async () => {
  const request = await serve(async (_, call) => {
    await Promise.all([call.ask("sure", "Sure?", FORM), call.ask("again", "Again?", FORM)]);
    return "done";
  });
  expect(await request("tools/call")).toMatchObject({
    result: { inputRequests: { sure: {}, again: {} } },
  });
});

test.each(["tools/call", "prompts/get"])(
  "%s refuses forged state before a handler runs that never asks",
  async (method) => {
    const run = vi.fn(() => "done");
    const request = await serve(run);
    expect(await request(method, { requestState: "forged.state" })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("requestState is not one that this server made") },
    });
    expect(run).not.toHaveBeenCalled();
  },
);

test("a prompt can be listed before the server is started", async () => {
  const request = await serve(() => "done", { isStarted: false });
  expect(await request("prompts/list")).toMatchObject({ result: { prompts: [{ name: "it" }] } });
});

test("a request that is cancelled while what serves it is loaded never runs", async () => {
  const { createServer, prompt } = await import("@toolwright/engine");
  const run = vi.fn(() => "done");
  const server = createServer({
    name: "test",
    version: "1.0.0",
    prompts: [prompt({ name: "it", description: "Does it.", run })],
    log: () => undefined,
  });
  const answers: unknown[] = [];
  const session = server.openSession(() => undefined);
  const link: Link = {
    session,
    principal: undefined,
    send: () => undefined,
    answer: (message) => void answers.push(message),
  };
  const params = { name: "it", _meta: META };
  server.receive(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "prompts/get", params }), link);
  server.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}', link);
  expect(answers).toEqual([undefined, undefined]);
  server.receive(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "prompts/list", params: { _meta: META } }), link);
  await vi.waitFor(() => expect(answers).toHaveLength(3), 20_000);
  expect(run).not.toHaveBeenCalled();
});

test("a call that runs out of time while it waits to ask is answered once, and by its question", async () => {
  const { createServer, tool } = await import("@toolwright/engine");
  const faults: string[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    tools: [
      tool({
        name: "it",
        description: "Does it.",
        timeoutMs: 1,
        run: async (_, call) => {
          void call.ask("sure", "Sure?", FORM);
          await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
          throw new Error("out of time");
        },
      }),
    ],
    log: ({ level, message }) => level === "error" && faults.push(message),
  });
  await server.start();
  const answers: unknown[] = [];
  const session = server.openSession(() => undefined);
  const answer = (message: string | undefined): void => void answers.push(JSON.parse(message ?? "null"));
  const params = { name: "it", _meta: META };
  server.receive(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }), {
    session,
    principal: undefined,
    send: () => undefined,
    answer,
  });
  await vi.waitFor(() => expect(answers).not.toEqual([]), 20_000);
  expect(answers).toMatchObject([asked]);
  expect(faults).toEqual([]);
});
