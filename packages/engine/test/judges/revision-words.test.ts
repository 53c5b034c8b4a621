import { describe, expect, test } from "vitest";
import { leaks } from "./revision-words.js";
import { samples } from "./samples.js";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const serverInfoKey = "io.modelcontextprotocol/serverInfo";

const toResult = (result: object) => ({ jsonrpc: "2.0", id: 1, result });
const toTool = (members: object) => toResult({ tools: [{ name: "a", inputSchema: { type: "object" }, ...members }] });
const toContent = (block: object) => toResult({ content: [block] });
const toError = (code: number) => ({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } });
const toNotification = (method: string, params: object) => ({ jsonrpc: "2.0", method, params });
const toQuestion = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "elicitation/create", params });
const toForm = (field: object) =>
  toQuestion({ message: "?", requestedSchema: { type: "object", properties: { a: field } } });

test.each(Object.entries(samples))(
  "right messages of %s have no word of another revision",
  (revision, conversation) => {
    const sent = conversation.filter(([direction]) => direction === "server");
    expect(sent.flatMap(([, message]) => leaks(revision, message))).toEqual([]);
  },
);

// A message, and for each revision in order whether its server may send it.
test.each<[string, string, unknown]>([
  ["resultType", "----+", toResult({ resultType: "complete" })],
  ["ttlMs", "----+", toResult({ ttlMs: 0 })],
  ["cacheScope", "----+", toResult({ cacheScope: "private" })],
  ["inputRequests", "----+", toResult({ inputRequests: {} })],
  ["requestState", "----+", toResult({ requestState: "x" })],
  ["supportedVersions", "----+", toResult({ supportedVersions: [] })],
  ["serverInfo in _meta", "----+", toResult({ _meta: { [serverInfoKey]: { name: "s", version: "1", title: "S" } } })],
  ["serverInfo in the body", "++++-", toResult({ serverInfo: { name: "s", version: "1" } })],
  [
    "a subscription id",
    "----+",
    toNotification("notifications/tools/list_changed", { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } }),
  ],
  ["an acknowledgement", "----+", toNotification("notifications/subscriptions/acknowledged", {})],
  ["title of the server", "--++-", toResult({ serverInfo: { title: "S" } })],
  ["icons of the server", "---+-", toResult({ serverInfo: { icons: [] } })],
  ["description of the server", "---+-", toResult({ serverInfo: { description: "S" } })],
  ["websiteUrl of the server", "---+-", toResult({ serverInfo: { websiteUrl: "https://example.com" } })],
  ["capability completions", "-++++", toResult({ capabilities: { completions: {} } })],
  ["capability tasks", "---+-", toResult({ capabilities: { tasks: {} } })],
  ["capability extensions", "---++", toResult({ capabilities: { extensions: { "a.b/c": {} } } })],
  ["annotations of a tool", "-++++", toTool({ annotations: { title: "A" } })],
  ["title of a tool", "--+++", toTool({ title: "A" })],
  ["outputSchema of a tool", "--+++", toTool({ outputSchema: {} })],
  ["_meta of a tool", "--+++", toTool({ _meta: {} })],
  ["icons of a tool", "---++", toTool({ icons: [] })],
  ["execution of a tool", "---+-", toTool({ execution: { taskSupport: "optional" } })],
  [
    "title of a prompt argument",
    "--+++",
    toResult({ prompts: [{ name: "a", arguments: [{ name: "b", title: "B" }] }] }),
  ],
  ["icons of a resource", "---++", toResult({ resources: [{ icons: [] }] })],
  ["structuredContent", "--+++", toResult({ content: [], structuredContent: {} })],
  ["audio", "-++++", toContent({ type: "audio", data: "", mimeType: "audio/wav" })],
  ["a resource link", "--+++", toContent({ type: "resource_link", uri: "a:b", name: "a" })],
  ["audio in a prompt", "-++++", toResult({ messages: [{ role: "user", content: { type: "audio" } }] })],
  ["_meta of content", "--+++", toContent({ type: "text", text: "", _meta: {} })],
  ["annotations of content", "+++++", toContent({ type: "text", text: "", annotations: { priority: 1 } })],
  [
    "lastModified",
    "--+++",
    toContent({ type: "text", text: "", annotations: { lastModified: "2025-01-01T00:00:00Z" } }),
  ],
  ["a task instead of a result", "---+-", toResult({ task: {} })],
  [
    "message of progress",
    "-++++",
    toNotification("notifications/progress", { progressToken: 1, progress: 1, message: "a" }),
  ],
  ["the end of an elicitation", "---+-", toNotification("notifications/elicitation/complete", {})],
  ["a ping", "++++-", { jsonrpc: "2.0", id: 1, method: "ping" }],
  ["a request for roots", "++++-", { jsonrpc: "2.0", id: 1, method: "roots/list" }],
  ["a request for sampling", "++++-", { jsonrpc: "2.0", id: 1, method: "sampling/createMessage", params: {} }],
  ["a question", "--++-", toQuestion({ message: "?" })],
  ["mode of a question", "---+-", toQuestion({ mode: "form", message: "?" })],
  ["elicitationId", "---+-", toQuestion({ mode: "url", message: "?", url: "https://example.com", elicitationId: "x" })],
  ["elicitationId among questions", "-----", toResult({ inputRequests: { a: { params: { elicitationId: "x" } } } })],
  ["a default on a boolean", "--++-", toForm({ type: "boolean", default: true })],
  ["a default on a string", "---+-", toForm({ type: "string", default: "a" })],
  ["titles of choices", "---+-", toForm({ type: "string", oneOf: [] })],
  ["several choices", "---+-", toForm({ type: "array", items: {} })],
  ["related-task", "---+-", toResult({ _meta: { "io.modelcontextprotocol/related-task": {} } })],
  ["error code -32602", "+++++", toError(-32602)],
  ["error code -32002", "++++-", toError(-32002)],
  ["error code -32042", "---+-", toError(-32042)],
  ["error code -32000", "++++-", toError(-32000)],
  ["error code -32020", "----+", toError(-32020)],
  ["error code -32021", "----+", toError(-32021)],
  ["error code -32022", "----+", toError(-32022)],
  ["error code -32050", "++++-", toError(-32050)],
  ["an error code of one's own", "+++++", toError(-1)],
])("%s belongs to %s", (_name, wanted, message) => {
  const allowed = revisions.map((revision) => (leaks(revision, message).length === 0 ? "+" : "-")).join("");
  expect(allowed).toBe(wanted);
});

describe("what authors and users write is left alone", () => {
  const loaded = { resultType: "x", ttlMs: 1, elicitationId: "x", _meta: { [serverInfoKey]: {} } };

  test.each<[string, unknown]>([
    ["structured content", toResult({ content: [], structuredContent: loaded })],
    ["an input schema", toTool({ inputSchema: { type: "object", properties: loaded } })],
    ["an output schema", toTool({ outputSchema: loaded })],
    ["the values of _meta", toTool({ _meta: { "example.com/a": loaded } })],
    ["text", toContent({ type: "text", text: JSON.stringify(loaded) })],
    ["log data", toNotification("notifications/message", { level: "info", data: loaded })],
  ])("in %s", (_name, message) => {
    expect(leaks("2025-06-18", message)).toEqual([]);
  });
});

test("a batch is searched message by message, and each word is named by its place", () => {
  expect(leaks("2025-03-26", [toTool({ title: "A" }), toError(-32022)])).toEqual([
    "result>tools>*>title",
    "error code -32022",
  ]);
});
