import type { Direction } from "./official-documents.js";

/** A literal conversation in which every message is right for its revision. */
export type Conversation = readonly (readonly [Direction, Readonly<Record<string, unknown>>])[];

const jsonrpc = "2.0";
const client = { name: "literal-client", version: "1.0.0" };
const echo = { name: "echo", description: "Says it again.", inputSchema: { type: "object", properties: {} } };
const text = { type: "text", text: "hello" };
const image = { type: "image", data: "AA==", mimeType: "image/png" };
const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" };
const embedded = { type: "resource", resource: { uri: "file:///a.txt", text: "a" } };
const link = { type: "resource_link", uri: "file:///a.txt", name: "a.txt" };
const icons = [{ src: "https://example.com/a.png", mimeType: "image/png", sizes: ["48x48"] }];
const form = { type: "object", properties: { sure: { type: "boolean", default: true } }, required: ["sure"] };

function toHandshake(version: string, serverInfo: object, capabilities: object): Conversation {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: client };
  return [
    ["client", { jsonrpc, id: 0, method: "initialize", params }],
    [
      "server",
      { jsonrpc, id: 0, result: { protocolVersion: version, capabilities, serverInfo, instructions: "Be kind." } },
    ],
    ["client", { jsonrpc, method: "notifications/initialized" }],
    ["client", { jsonrpc, id: "p", method: "ping" }],
    ["server", { jsonrpc, id: "p", result: {} }],
    ["server", { jsonrpc, id: "s1", method: "ping" }],
    ["client", { jsonrpc, id: "s1", result: {} }],
    ["client", { jsonrpc, id: 1, method: "logging/setLevel", params: { level: "info" } }],
    ["server", { jsonrpc, id: 1, result: {} }],
    ["server", { jsonrpc, method: "notifications/message", params: { level: "info", logger: "main", data: { a: 1 } } }],
    ["server", { jsonrpc, method: "notifications/tools/list_changed" }],
    ["server", { jsonrpc, method: "notifications/cancelled", params: { requestId: "s1", reason: "late" } }],
    ["client", { jsonrpc, id: 2, method: "tools/call", params: { name: "none" } }],
    ["server", { jsonrpc, id: 2, error: { code: -32602, message: "Unknown tool", data: { name: "none" } } }],
    ["client", { jsonrpc, id: 3, method: "nothing/known" }],
    ["server", { jsonrpc, id: 3, error: { code: -32601, message: "Method not found" } }],
  ];
}

function toTools(tool: object, result: object, progress: object): Conversation {
  return [
    ["client", { jsonrpc, id: 10, method: "tools/list", params: {} }],
    ["server", { jsonrpc, id: 10, result: { tools: [tool], nextCursor: "b" } }],
    ["client", { jsonrpc, id: 11, method: "tools/call", params: { name: "echo", _meta: { progressToken: 0 } } }],
    ["server", { jsonrpc, method: "notifications/progress", params: { progressToken: 0, progress: 0.5, ...progress } }],
    ["server", { jsonrpc, id: 11, result }],
  ];
}

function toElicitation(params: object, content: object): Conversation {
  return [
    ["client", { jsonrpc, id: 20, method: "tools/call", params: { name: "ask" } }],
    ["server", { jsonrpc, id: "s2", method: "elicitation/create", params }],
    ["client", { jsonrpc, id: "s2", result: { action: "accept", content } }],
    ["server", { jsonrpc, id: 20, result: { content: [text] } }],
  ];
}

const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};
const tag = { "io.modelcontextprotocol/subscriptionId": "l" };
const serverInfo = {
  name: "s",
  title: "S",
  version: "1",
  icons,
  description: "A server.",
  websiteUrl: "https://example.com",
};
const served = { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } };
const cached = { ...served, ttlMs: 0, cacheScope: "private" };
const inputRequest = { method: "elicitation/create", params: { message: "Sure?", requestedSchema: form } };
const newestTool = {
  ...echo,
  title: "Echo",
  annotations: { readOnlyHint: true },
  outputSchema: { type: "string" },
  icons,
  _meta: {},
};
const answers = { sure: { action: "accept", content: { sure: true, share: 2.5 } } };

const stateless: Conversation = [
  ["client", { jsonrpc, id: 0, method: "server/discover", params: { _meta } }],
  [
    "server",
    {
      jsonrpc,
      id: 0,
      result: { ...cached, supportedVersions: ["2026-07-28"], capabilities: { tools: { listChanged: true } } },
    },
  ],
  ["client", { jsonrpc, id: 1, method: "tools/list", params: { _meta } }],
  ["server", { jsonrpc, id: 1, result: { ...cached, tools: [newestTool], nextCursor: "b" } }],
  [
    "client",
    { jsonrpc, id: 2, method: "tools/call", params: { name: "echo", _meta: { ..._meta, progressToken: "t" } } },
  ],
  [
    "server",
    {
      jsonrpc,
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1, total: 2, message: "half" },
    },
  ],
  ["server", { jsonrpc, method: "notifications/message", params: { level: "error", data: "text" } }],
  [
    "server",
    { jsonrpc, id: 2, result: { ...served, content: [text, image, audio, embedded, link], structuredContent: null } },
  ],
  ["client", { jsonrpc, id: 3, method: "tools/call", params: { name: "ask", _meta } }],
  [
    "server",
    {
      jsonrpc,
      id: 3,
      result: { resultType: "input_required", inputRequests: { sure: inputRequest }, requestState: "x" },
    },
  ],
  [
    "client",
    {
      jsonrpc,
      id: 4,
      method: "tools/call",
      params: { name: "ask", _meta, requestState: "x", inputResponses: answers },
    },
  ],
  ["server", { jsonrpc, id: 4, result: { ...served, content: [], isError: true } }],
  [
    "client",
    { jsonrpc, id: "l", method: "subscriptions/listen", params: { _meta, notifications: { toolsListChanged: true } } },
  ],
  [
    "server",
    {
      jsonrpc,
      method: "notifications/subscriptions/acknowledged",
      params: { _meta: tag, notifications: { toolsListChanged: true } },
    },
  ],
  ["server", { jsonrpc, method: "notifications/tools/list_changed", params: { _meta: tag } }],
  ["server", { jsonrpc, method: "notifications/cancelled", params: { requestId: "l", reason: "closing" } }],
  ["server", { jsonrpc, id: "l", result: { resultType: "complete", _meta: tag } }],
  ["client", { jsonrpc, id: 5, method: "tools/call", params: { name: "ask", _meta } }],
  [
    "server",
    {
      jsonrpc,
      id: 5,
      error: { code: -32021, message: "Needs elicitation", data: { requiredCapabilities: { elicitation: {} } } },
    },
  ],
  ["client", { jsonrpc, id: 6, method: "tools/list", params: { _meta } }],
  [
    "server",
    {
      jsonrpc,
      id: 6,
      error: { code: -32022, message: "No such version", data: { supported: ["2026-07-28"], requested: "2030-01-01" } },
    },
  ],
  ["server", { jsonrpc, error: { code: -32700, message: "Not JSON" } }],
  ["client", { jsonrpc, method: "notifications/cancelled", params: { requestId: 6 } }],
];

const unreadable = { jsonrpc, id: null, error: { code: -32700, message: "Not JSON" } };
const annotated = { ...echo, annotations: { title: "Echo", readOnlyHint: true } };
const titled = { ...annotated, title: "Echo", outputSchema: { type: "object" }, _meta: { "example.com/a": 1 } };
const modeless = { message: "Sure?", requestedSchema: form };
const choice = { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"] };

/** Every kind of message a server of this stage sends, in a conversation of each revision. */
export const samples: Readonly<Record<string, Conversation>> = {
  "2024-11-05": [
    ...toHandshake("2024-11-05", { name: "s", version: "1" }, { tools: { listChanged: true }, logging: {} }),
    ...toTools(echo, { content: [text, image, embedded], isError: false }, { total: 1 }),
    ["server", unreadable],
  ],
  "2025-03-26": [
    ...toHandshake("2025-03-26", { name: "s", version: "1" }, { tools: {}, logging: {}, completions: {} }),
    ...toTools(annotated, { content: [text, image, audio, embedded] }, { message: "half" }),
    ["server", unreadable],
  ],
  "2025-06-18": [
    ...toHandshake("2025-06-18", { name: "s", title: "S", version: "1" }, { tools: {}, logging: {} }),
    ...toTools(
      titled,
      { content: [text, audio, { ...link, _meta: {} }], structuredContent: { a: 1 } },
      { message: "half" },
    ),
    ...toElicitation(modeless, { sure: true, share: 2.5 }),
    ["server", unreadable],
  ],
  "2025-11-25": [
    ...toHandshake("2025-11-25", serverInfo, { tools: { listChanged: true }, logging: {} }),
    ...toTools(
      { ...titled, icons, execution: { taskSupport: "forbidden" } },
      { content: [text, { ...link, icons }] },
      {},
    ),
    ...toElicitation(
      { mode: "form", message: "Which?", requestedSchema: { type: "object", properties: { choice } } },
      { choice: ["a"] },
    ),
    ["server", { jsonrpc, error: { code: -32700, message: "Not JSON" } }],
  ],
  "2026-07-28": stateless,
};
