import type { Random } from "./random.js";

/** A value of a message. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/** A message before it is mutated. */
export type Draft = { [key: string]: Value };

const PREFIX = "io.modelcontextprotocol/";
const clientInfo = { name: "fuzz", version: "1.0.0" };

/** The `_meta` of a stateless request. */
export function modernMeta(more: Draft = {}): Draft {
  return {
    [`${PREFIX}protocolVersion`]: "2026-07-28",
    [`${PREFIX}clientCapabilities`]: {
      elicitation: {},
      sampling: {},
      roots: {},
      extensions: { [`${PREFIX}tasks`]: {} },
    },
    [`${PREFIX}clientInfo`]: { ...clientInfo },
    ...more,
  };
}

/** The `initialize` request of a revision. */
export function initialize(id: Value, protocolVersion: string): Draft {
  return {
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
      clientInfo: { ...clientInfo },
    },
  };
}

/** The first message of a stateless client. */
export function discover(id: Value): Draft {
  return { jsonrpc: "2.0", id, method: "server/discover", params: { _meta: modernMeta() } };
}

const calls: readonly ((random: Random) => Draft)[] = [
  () => ({ name: "echo", arguments: { text: "hello" } }),
  (random) => ({ name: "echo", arguments: { text: "x".repeat(random.below(2000)) } }),
  (random) => ({ name: "add", arguments: { a: random.below(100), b: 2 } }),
  () => ({ name: "add", arguments: { a: "5", b: "6" } }),
  () => ({ name: "order", arguments: { items: [{ sku: "a-1", count: 2 }], rush: true, kind: "small", note: null } }),
  () => ({ name: "order", arguments: { items: [], Kind: "SMALL" } }),
  () => ({ name: "later", arguments: {} }),
  () => ({ name: "ask", arguments: {} }),
  () => ({ name: "sample", arguments: {} }),
  () => ({ name: "roots", arguments: {} }),
  () => ({ name: "long", arguments: {} }),
  () => ({ name: "long", arguments: {}, task: { ttl: 1000 } }),
  () => ({ name: "fail", arguments: {} }),
  () => ({ name: "crash" }),
  () => ({ name: "blocks", arguments: {} }),
  () => ({ name: "tell", arguments: {} }),
  () => ({ name: "unknown_tool", arguments: {} }),
  () => ({ name: "echo", arguments: '{"text":"as a string"}' }),
];

const requests: readonly [method: string, params: (random: Random) => Draft | undefined][] = [
  ["ping", () => undefined],
  ["tools/list", () => ({})],
  ["tools/list", () => ({ cursor: "bm9uc2Vuc2U=" })],
  ["logging/setLevel", (random) => ({ level: random.pick(["debug", "error", "emergency", "loud"]) })],
  ["server/discover", () => ({})],
  ["subscriptions/listen", () => ({ notifications: { toolsListChanged: true } })],
  ["resources/list", () => ({})],
  ["resources/list", () => ({ cursor: "ZmFtaWx5OlswLCJ0d28iXQ" })],
  ["resources/read", () => ({ uri: "file:///etc/passwd" })],
  [
    "resources/read",
    (random) => ({ uri: random.pick(["bench://text", "BENCH://bytes", "bench://../text", "bench:"]) }),
  ],
  ["resources/read", (random) => ({ uri: `bench://item/${random.below(200)}${random.oneIn(2) ? "?part=a%20b" : ""}` })],
  ["resources/templates/list", () => ({})],
  ["resources/subscribe", (random) => ({ uri: random.pick(["file:///x", "bench://text"]) })],
  ["resources/unsubscribe", () => ({ uri: "bench://text" })],
  ["subscriptions/listen", () => ({ notifications: { resourceSubscriptions: ["bench://text"], taskIds: ["t"] } })],
  ["prompts/list", () => ({})],
  ["prompts/get", () => ({ name: "p", arguments: { a: "b" } })],
  ["prompts/get", () => ({ name: "write", arguments: { about: "rain", words: "50", tone: "dry" } })],
  ["completion/complete", () => ({ ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "v" } })],
  [
    "completion/complete",
    () => ({ ref: { type: "ref/prompt", name: "write" }, argument: { name: "about", value: "" } }),
  ],
  [
    "completion/complete",
    () => ({
      ref: { type: "ref/resource", uri: "bench://item/{id}{?part}" },
      argument: { name: "part", value: "l" },
      context: { arguments: { id: "1" } },
    }),
  ],
  ["tasks/get", () => ({ taskId: "t" })],
  ["tasks/list", () => ({})],
  ["tasks/result", () => ({ taskId: "t" })],
  ["tasks/cancel", () => ({ taskId: "t" })],
  ["initialize", () => ({})],
  ["initialize", () => ({ protocolVersion: "2025-06-18", clientInfo: { ...clientInfo } })],
  ["elicitation/create", () => ({ message: "m", requestedSchema: { type: "object", properties: {} } })],
];

const notifications: readonly ((random: Random) => Draft)[] = [
  () => ({ method: "notifications/initialized" }),
  (random) => ({ method: "notifications/cancelled", params: { requestId: random.below(300), reason: "enough" } }),
  () => ({ method: "notifications/cancelled", params: {} }),
  () => ({ method: "notifications/progress", params: { progressToken: 1, progress: 0.5 } }),
  () => ({ method: "notifications/roots/list_changed" }),
  () => ({ method: "notifications/unknown", params: { a: 1 } }),
  () => ({ method: "tools/call", params: { name: "echo", arguments: { text: "no id" } } }),
];

const responses: readonly ((random: Random) => Draft)[] = [
  (random) => ({ id: random.below(6), result: { action: "accept", content: { sure: true } } }),
  (random) => ({ id: random.below(6), result: {} }),
  (random) => ({
    id: random.below(6),
    result: { role: "assistant", content: { type: "text", text: "said" }, model: "m", stopReason: "endTurn" },
  }),
  (random) => ({ id: random.below(6), result: { roots: [{ uri: "file:///a" }] } }),
  (random) => ({ id: random.below(6), error: { code: -1, message: "User rejected" } }),
  (random) => ({ id: random.below(6), error: "text" }),
  () => ({ id: "nobody", result: null }),
];

/** A valid message of some method, in the stateless or the handshake form. */
export function draft(random: Random, id: Value, isModern: boolean): Draft {
  const kind = random.below(20);
  if (kind < 2) return { jsonrpc: "2.0", ...random.pick(notifications)(random) };
  if (kind === 2) return { jsonrpc: "2.0", ...random.pick(responses)(random) };
  const isCall = kind < 12;
  const [method, paramsOf] = random.pick(requests);
  const params = isCall ? random.pick(calls)(random) : paramsOf(random);
  const token: Draft = random.oneIn(20) ? { progressToken: random.oneIn(2) ? 7 : "token" } : {};
  const meta = isModern ? modernMeta(token) : token;
  const envelope = { jsonrpc: "2.0", id, method: isCall ? "tools/call" : method };
  if (Object.keys(meta).length > 0) return { ...envelope, params: { ...params, _meta: meta } };
  return { ...envelope, ...(params && { params }) };
}
