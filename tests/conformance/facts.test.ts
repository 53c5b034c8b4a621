import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Open } from "./bridge.js";
import { everything, serveEverything } from "./everything.js";
import { overSse, overStdio } from "./pipes.js";
import { RawClient } from "./raw-client.js";
import { bridgeSessions } from "./session-bridge.js";
import { bridgeStateless } from "./stateless-bridge.js";

// Scenarios that a server passes without supporting their feature. These tests check what the suites only ask for.

let http: Open;
beforeAll(async () => {
  http = await serveEverything("--sse");
});
afterAll(() => http.close());

const MODERN = { elicitation: {}, sampling: {}, roots: {} };
const text = (content: string) => [{ type: "text", text: content }];

describe.each<[string, () => Promise<Open>]>([
  ["HTTP", () => Promise.resolve({ url: http.url, close: () => Promise.resolve() })],
  ["stdio", () => bridgeSessions(overStdio(everything))],
  ["HTTP+SSE", () => bridgeSessions(overSse(new URL("/sse", http.url).href))],
])("what the official suite does not check, over %s", (_name, open) => {
  async function visit(body: (client: RawClient) => Promise<void>): Promise<void> {
    const server = await open();
    try {
      const client = new RawClient(server.url, {});
      await client.enter("2025-11-25");
      await body(client);
    } finally {
      await server.close();
    }
  }

  test("a tool returns its text, and fails with its message", () =>
    visit(async (client) => {
      const simple = await client.ask("tools/call", { name: "test_simple_text" });
      expect(simple.answer?.result).toEqual({
        content: text("This is a simple text response for testing."),
        isError: false,
      });
      const failed = await client.ask("tools/call", { name: "test_error_handling", arguments: {} });
      expect(failed.answer?.result).toEqual({
        content: text("This tool intentionally returns an error for testing"),
        isError: true,
      });
    }));

  test("changes of a resource are reported from subscription to unsubscription, and only existing resources can be subscribed", () =>
    visit(async (client) => {
      const uri = "test://watched-resource";
      const change = () => client.ask("tools/call", { name: "test_trigger_resource_change" });
      expect((await client.ask("resources/subscribe", { uri })).answer?.result).toEqual({});
      const told = await client.hearInSession("notifications/resources/updated", change);
      expect(told?.params).toEqual({ uri });
      expect((await client.ask("resources/unsubscribe", { uri })).answer?.result).toEqual({});
      expect((await client.ask("resources/subscribe", { uri: "test://none" })).answer?.error).toEqual({
        code: -32002,
        message: "Resource not found: test://none",
        data: { uri: "test://none" },
      });
    }));

  test("concurrent requests each get their own response", () =>
    visit(async (client) => {
      const ids = ["1", "2", "3"];
      const read = ids.map((id) => client.ask("resources/read", { uri: `test://template/${id}/data` }));
      const answers = (await Promise.all(read)).map(({ answer }) => answer);
      expect(answers.map((answer) => answer?.id)).toEqual([1, 2, 3]);
      expect(answers.map((answer) => answer?.result)).toEqual(
        ids.map((id) => ({ contents: [expect.objectContaining({ uri: `test://template/${id}/data` })] })),
      );
    }));

  test("progress and log messages arrive before the response, in order", () =>
    visit(async (client) => {
      const called = { name: "test_tool_with_progress", arguments: {}, _meta: { progressToken: 0 } };
      const { before, answer } = await client.ask("tools/call", called);
      expect(before.map(({ params }) => params?.["progress"])).toEqual([0, 50, 100]);
      expect(answer?.result).toEqual({ content: text("All steps are done."), isError: false });
      await client.ask("logging/setLevel", { level: "debug" });
      const logged = await client.ask("tools/call", { name: "test_tool_with_logging" });
      expect(logged.before.map(({ params }) => params?.["data"])).toEqual([
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
      ]);
    }));
});

test.each([
  ["2024-11-05", { type: "resource", resource: { uri: "content:audio", mimeType: "audio/wav" } }],
  ["2025-03-26", { type: "audio", mimeType: "audio/wav" }],
])(
  "at %s an invalid form is rejected with a message, and audio is sent as the revision supports it",
  async (revision, sound) => {
    const client = new RawClient(http.url, MODERN);
    expect((await client.enter(revision))?.result?.["protocolVersion"]).toBe(revision);
    const asked = await client.ask("tools/call", { name: "test_elicitation", arguments: { message: "Who?" } });
    expect(asked.answer?.result).toEqual({
      content: text("This tool cannot send elicitation/create: the client's revision does not support elicitation."),
      isError: true,
    });
    const given = await client.ask("tools/call", { name: "test_audio_content" });
    expect(given.answer?.result).toMatchObject({ content: [sound] });
  },
);

describe.each<[string, () => Promise<Open>]>([
  ["HTTP", () => Promise.resolve({ url: http.url, close: () => Promise.resolve() })],
  ["stdio", () => bridgeStateless(everything)],
])("what the official suite does not check in 2026-07-28, over %s", (_name, open) => {
  const question = {
    user_name: {
      method: "elicitation/create",
      params: {
        message: "What is your name?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    },
  };

  async function visit(capabilities: object, body: (client: RawClient) => Promise<void>): Promise<void> {
    const server = await open();
    try {
      await body(new RawClient(server.url, { ...capabilities }));
    } finally {
      await server.close();
    }
  }

  const answered = (client: RawClient, inputResponses: unknown) =>
    client.askAlone("tools/call", { name: "test_input_required_result_elicitation", arguments: {}, inputResponses });

  test("input is requested until it is provided, and unrequested input is ignored", () =>
    visit(MODERN, async (client) => {
      const ada = { action: "accept", content: { name: "Ada" } };
      for (const responses of [{}, { wrong: ada }, { user_name: 12345 }]) {
        const { answer } = await answered(client, responses);
        expect(answer?.result).toMatchObject({ resultType: "input_required", inputRequests: question });
      }
      expect((await answered(client, null)).answer?.error).toMatchObject({ code: -32602 });
      const { answer } = await answered(client, {
        user_name: ada,
        more: { action: "accept", content: { name: "B" } },
      });
      expect(answer?.result).toMatchObject({ resultType: "complete", content: text("Hello, Ada!") });
    }));

  test("a client without elicitation is not asked", () =>
    visit({ sampling: {} }, async (client) => {
      expect(await answered(client, {})).toMatchObject({
        status: 400,
        answer: { error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } } },
      });
    }));

  test("lists are complete results, and unknown names are reported", () =>
    visit(MODERN, async (client) => {
      for (const [method, member] of [
        ["tools/list", "tools"],
        ["prompts/list", "prompts"],
      ] as const) {
        const { answer } = await client.askAlone(method);
        expect(answer?.result).toMatchObject({ resultType: "complete", [member]: expect.any(Array) });
      }
      const uri = "test://nonexistent-resource-for-conformance-testing";
      expect(await client.askAlone("resources/read", { uri })).toMatchObject({
        answer: { error: { code: -32602, message: `Resource not found: ${uri}`, data: { uri } } },
      });
    }));

  test("the end of a task is reported to its subscriber", () =>
    visit({ extensions: { "io.modelcontextprotocol/tasks": {} } }, async (client) => {
      const begun = await client.askAlone("tools/call", { name: "failing_job", arguments: {} });
      const taskId = String(begun.answer?.result?.["taskId"]);
      const noWait = () => Promise.resolve();
      const told = await client.hearAlone({ taskIds: [taskId] }, "notifications/tasks", noWait);
      expect(told?.params).toMatchObject({
        taskId,
        status: "completed",
        result: { content: text("The job failed, as it always does."), isError: true },
      });
    }));
});
