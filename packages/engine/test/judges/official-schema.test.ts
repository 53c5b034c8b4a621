import { describe, expect, test } from "vitest";
import { type Library, openPackagedLibrary } from "./official-documents.js";
import { createJudge, judge, judgeSource } from "./official-schema.js";
import { type Conversation, samples } from "./samples.js";

type Step = string | number;
type JsonObject = Readonly<Record<string, unknown>>;

const official = judgeSource.startsWith("the official");
const jsonrpc = "2.0";

function judgeConversation(revision: string, conversation: Conversation, library?: Library): string[] {
  const { saw } = createJudge(revision, library);
  return conversation.flatMap(([direction, message]) => {
    return saw(direction, message).map((line) => `${direction} ${JSON.stringify(message["id"])} ${line}`);
  });
}

/** Judges one message of a server as the answer to (or in the midst of) one request of a client. */
function judgeReply(revision: string, method: string, message: unknown): string[] {
  return judge(revision, "server", message, { asked: new Map([[1, [method]]]) });
}

function isNode(value: unknown): value is Record<Step, unknown> {
  return typeof value === "object" && value !== null;
}

function listPaths(value: unknown, path: readonly Step[] = []): (readonly Step[])[] {
  const inside = Array.isArray(value) ? [...value.entries()] : isNode(value) ? Object.entries(value) : [];
  return [...(path.length > 0 ? [path] : []), ...inside.flatMap(([step, item]) => listPaths(item, [...path, step]))];
}

/** A copy with the value at a path replaced by one of a type that fits nowhere. */
function spoil(message: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (step === undefined) return isNode(message) && !Array.isArray(message) ? 7 : { wrong: true };
  const copy: unknown = structuredClone(message);
  if (isNode(copy)) copy[step] = spoil(copy[step], rest);
  return copy;
}

test("the judge says whose word it takes", () => {
  console.info(`Messages are judged by ${judgeSource}.`);
  expect(judgeSource).toMatch(/^the (?:official JSON Schema|zod schemas) /);
});

// The method that no revision has is the client's fault, on purpose.
const knownFaults = (revision: string) =>
  revision === "2026-07-28" ? [] : [`client 3 nothing/known: no request that a client sends in ${revision}`];

// Where a revision takes any value: what belongs to authors and users.
const freeAlways = ["params/data", "params/data/a", "error/data", "error/data/name"];
const freePlaces: Readonly<Record<string, readonly string[]>> = {
  "2024-11-05": freeAlways,
  "2025-03-26": freeAlways,
  "2025-06-18": [...freeAlways, "result/tools/0/_meta/example.com/a", "result/structuredContent/a"],
  "2025-11-25": [...freeAlways, "result/tools/0/_meta/example.com/a"],
  "2026-07-28": [
    "result/tools/0/inputSchema/properties",
    "result/tools/0/outputSchema/type",
    "params/data",
    "result/structuredContent",
  ],
};

describe.each(Object.entries(samples))("%s", (revision, conversation) => {
  test("right messages of every kind pass", () => {
    expect(judgeConversation(revision, conversation)).toEqual(knownFaults(revision));
  });

  test("right messages pass the schemas of the package, too", () => {
    expect(judgeConversation(revision, conversation, openPackagedLibrary())).toEqual(knownFaults(revision));
  });

  test.runIf(official)("a value of a wrong type is caught wherever the revision has a type", () => {
    const missed = conversation.flatMap(([direction, message], index) => {
      if (direction === "client") return [];
      return listPaths(message).flatMap((path) => {
        const { saw } = createJudge(revision);
        for (const [side, earlier] of conversation.slice(0, index)) saw(side, earlier);
        return saw("server", spoil(message, path)).length > 0 ? [] : [path.join("/")];
      });
    });
    expect(new Set(missed)).toEqual(new Set(freePlaces[revision]));
  });
});

describe.runIf(official)("the judge catches", () => {
  const tool = { name: "a", inputSchema: { type: "object" } };
  const complete = { resultType: "complete" };
  const ask = {
    method: "elicitation/create",
    params: { message: "?", requestedSchema: { type: "object", properties: {} } },
  };
  const level = { jsonrpc, method: "notifications/message", params: { level: "loud", data: 1 } };
  const toResult = (result: JsonObject) => ({ jsonrpc, id: 1, result });

  test.each<[string, string, string, unknown]>([
    ["a tool result without content", "2024-11-05", "tools/call", toResult({})],
    ["a tool without inputSchema", "2024-11-05", "tools/list", toResult({ tools: [{ name: "a" }] })],
    [
      "an inputSchema of another type",
      "2025-06-18",
      "tools/list",
      toResult({ tools: [{ ...tool, inputSchema: { type: "array" } }] }),
    ],
    ["a list without its items", "2025-03-26", "tools/list", toResult({})],
    ["a cursor of null", "2025-11-25", "tools/list", toResult({ tools: [], nextCursor: null })],
    [
      "audio before it existed",
      "2024-11-05",
      "tools/call",
      toResult({ content: [{ type: "audio", data: "", mimeType: "a/b" }] }),
    ],
    [
      "a link before it existed",
      "2025-03-26",
      "tools/call",
      toResult({ content: [{ type: "resource_link", uri: "a:b", name: "a" }] }),
    ],
    [
      "structured content that is no object",
      "2025-11-25",
      "tools/call",
      toResult({ content: [], structuredContent: [1] }),
    ],
    ["an unknown log level", "2025-06-18", "ping", level],
    [
      "initialize without serverInfo",
      "2024-11-05",
      "initialize",
      toResult({ protocolVersion: "2024-11-05", capabilities: {} }),
    ],
    ["a question before elicitation existed", "2025-03-26", "tools/call", { jsonrpc, id: "s", ...ask }],
    ["a request to a stateless client", "2026-07-28", "tools/call", { jsonrpc, id: "s", ...ask }],
    [
      "a notification of another revision",
      "2025-11-25",
      "ping",
      { jsonrpc, method: "notifications/subscriptions/acknowledged" },
    ],
    ["a notification of the client", "2025-11-25", "ping", { jsonrpc, method: "notifications/initialized" }],
    ["a result without resultType", "2026-07-28", "tools/call", toResult({ content: [] })],
    ["an unknown resultType", "2026-07-28", "tools/call", toResult({ resultType: "done", content: [] })],
    ["a list without cache hints", "2026-07-28", "tools/list", toResult({ ...complete, tools: [] })],
    [
      "a negative ttlMs",
      "2026-07-28",
      "tools/list",
      toResult({ ...complete, tools: [], ttlMs: -1, cacheScope: "public" }),
    ],
    [
      "an unknown cacheScope",
      "2026-07-28",
      "tools/list",
      toResult({ ...complete, tools: [], ttlMs: 0, cacheScope: "shared" }),
    ],
    ["a listen result without its id", "2026-07-28", "subscriptions/listen", toResult(complete)],
    [
      "questions from a list",
      "2026-07-28",
      "tools/list",
      toResult({ resultType: "input_required", requestState: "x" }),
    ],
    ["input_required with nothing in it", "2026-07-28", "tools/call", toResult({ resultType: "input_required" })],
    [
      "cache hints on input_required",
      "2026-07-28",
      "tools/call",
      toResult({ resultType: "input_required", requestState: "x", ttlMs: 0 }),
    ],
    [
      "a question in an envelope",
      "2026-07-28",
      "tools/call",
      toResult({ resultType: "input_required", inputRequests: { a: { jsonrpc, ...ask } } }),
    ],
    [
      "a question of no known method",
      "2026-07-28",
      "tools/call",
      toResult({ resultType: "input_required", inputRequests: { a: { method: "ping" } } }),
    ],
    [
      "required capabilities as a list",
      "2026-07-28",
      "tools/call",
      { jsonrpc, id: 1, error: { code: -32021, message: "", data: { requiredCapabilities: ["elicitation"] } } },
    ],
    [
      "an unsupported version without the list",
      "2026-07-28",
      "tools/call",
      { jsonrpc, id: 1, error: { code: -32022, message: "" } },
    ],
    ["an error without a code", "2025-03-26", "ping", { jsonrpc, id: 1, error: { message: "" } }],
    ["an error with a broken code", "2025-11-25", "ping", { jsonrpc, id: 1, error: { code: -32600.5, message: "" } }],
    ["a result beside an error", "2025-06-18", "ping", { jsonrpc, id: 1, result: {}, error: { code: 1, message: "" } }],
    ["a message without its version", "2025-06-18", "ping", { id: 1, result: {} }],
    ["an id of null on a result", "2024-11-05", "ping", { jsonrpc, id: null, result: {} }],
    ["an error without id where one is due", "2025-06-18", "ping", { jsonrpc, error: { code: -32700, message: "" } }],
    [
      "an error with a null id where none is due",
      "2025-11-25",
      "ping",
      { jsonrpc, id: null, error: { code: -32700, message: "" } },
    ],
    [
      "an error with a null id where none is due",
      "2026-07-28",
      "ping",
      { jsonrpc, id: null, error: { code: -32700, message: "" } },
    ],
    ["other faults of an error with a null id", "2024-11-05", "ping", { jsonrpc, id: null, error: { code: -32700 } }],
    ["an id of another type", "2025-06-18", "ping", { jsonrpc, id: "1", result: {} }],
    ["an error for an id nobody used", "2025-06-18", "ping", { jsonrpc, id: 2, error: { code: 1, message: "" } }],
    ["a batch where there is none", "2025-11-25", "ping", [toResult({})]],
    ["an empty batch", "2025-03-26", "ping", []],
    ["a wrong message in a batch", "2025-03-26", "tools/call", [toResult({ content: [] }), toResult({})]],
    ["no message at all", "2025-06-18", "ping", "pong"],
  ])("%s (%s)", (_name, revision, method, message) => {
    expect(judgeReply(revision, method, message)).not.toEqual([]);
  });

  test("and lets a right batch pass", () => {
    expect(judgeReply("2025-03-26", "tools/call", [toResult({ content: [] }), level])).toHaveLength(1);
    expect(judgeReply("2025-03-26", "tools/call", [toResult({ content: [] })])).toEqual([]);
    expect(judgeReply("2024-11-05", "tools/call", [toResult({ content: [] })])).toEqual([]);
  });
});

describe("the judge of a conversation", () => {
  test("catches a second answer to one request", () => {
    const { saw } = createJudge("2025-06-18");
    saw("client", { jsonrpc, id: 1, method: "ping" });
    expect(saw("server", { jsonrpc, id: 1, result: {} })).toEqual([]);
    expect(saw("server", { jsonrpc, id: 1, result: {} })).toEqual(["an answer to 1, which nobody asked"]);
  });

  test("lets an id be used again once it is answered, and answers both where it was used twice", () => {
    const { saw } = createJudge("2025-06-18");
    for (let round = 0; round < 2; round += 1) {
      saw("client", { jsonrpc, id: 1, method: "tools/call", params: { name: "a" } });
      saw("client", { jsonrpc, id: 1, method: "ping" });
      expect(saw("server", { jsonrpc, id: 1, error: { code: -32600, message: "In use" } })).toEqual([]);
      expect(saw("server", { jsonrpc, id: 1, result: {} })).toEqual([]);
    }
  });

  test("takes an answer to a broken request that had an id", () => {
    const { saw } = createJudge("2025-06-18");
    saw("client", { jsonrpc, id: 1 });
    expect(saw("server", { jsonrpc, id: 1, error: { code: -32600, message: "No method" } })).toEqual([]);
  });

  test("knows the ids of the two sides apart", () => {
    const { saw } = createJudge("2025-06-18");
    saw("server", { jsonrpc, id: 1, method: "ping" });
    expect(saw("server", { jsonrpc, id: 1, result: {} })).toEqual(["an answer to 1, which nobody asked"]);
    expect(saw("client", { jsonrpc, id: 1, result: {} })).toEqual([]);
  });
});

describe("the schemas of the package catch", () => {
  test.each<[string, string, unknown]>([
    ["a tool without inputSchema", "tools/list", { jsonrpc, id: 1, result: { tools: [{ name: "a" }] } }],
    ["an unknown log level", "ping", { jsonrpc, method: "notifications/message", params: { level: "loud", data: 1 } }],
    ["an error without a code", "ping", { jsonrpc, id: 1, error: { message: "" } }],
    ["an id of another type", "ping", { jsonrpc, id: "1", result: {} }],
  ])("%s", (_name, method, message) => {
    const context = { asked: new Map([[1, [method]]]) };
    expect(judge("2025-11-25", "server", message, context, openPackagedLibrary())).not.toEqual([]);
  });
});
