import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Open } from "./bridge.js";
import { everything, serveEverything } from "./everything.js";
import { overSse, overStdio } from "./pipes.js";
import { bridgeSessions } from "./session-bridge.js";
import { bridgeStateless } from "./stateless-bridge.js";
import { Visitor } from "./visitor.js";

// Scenarios of the suites that a server passes which knows nothing of their subject. Here stands what they only ask about.

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
])("what the official suite does not look at, over %s", (_name, open) => {
  async function visit(body: (visitor: Visitor) => Promise<void>): Promise<void> {
    const server = await open();
    try {
      const visitor = new Visitor(server.url, {});
      await visitor.enter("2025-11-25");
      await body(visitor);
    } finally {
      await server.close();
    }
  }

  test("a tool gives its text, and fails with its words", () =>
    visit(async (visitor) => {
      const simple = await visitor.ask("tools/call", { name: "test_simple_text" });
      expect(simple.answer?.result).toEqual({
        content: text("This is a simple text response for testing."),
        isError: false,
      });
      const failed = await visitor.ask("tools/call", { name: "test_error_handling", arguments: {} });
      expect(failed.answer?.result).toEqual({
        content: text("This tool intentionally returns an error for testing"),
        isError: true,
      });
    }));

  test("a watched resource is told of until it is let go, and only what is there can be watched", () =>
    visit(async (visitor) => {
      const uri = "test://watched-resource";
      const change = () => visitor.ask("tools/call", { name: "test_trigger_resource_change" });
      expect((await visitor.ask("resources/subscribe", { uri })).answer?.result).toEqual({});
      const told = await visitor.hearInSession("notifications/resources/updated", change);
      expect(told?.params).toEqual({ uri });
      expect((await visitor.ask("resources/unsubscribe", { uri })).answer?.result).toEqual({});
      expect((await visitor.ask("resources/subscribe", { uri: "test://none" })).answer?.error).toEqual({
        code: -32002,
        message: "Resource not found: test://none",
        data: { uri: "test://none" },
      });
    }));

  test("requests at the same time have each their own answer", () =>
    visit(async (visitor) => {
      const ids = ["1", "2", "3"];
      const read = ids.map((id) => visitor.ask("resources/read", { uri: `test://template/${id}/data` }));
      const answers = (await Promise.all(read)).map(({ answer }) => answer);
      expect(answers.map((answer) => answer?.id)).toEqual([1, 2, 3]);
      expect(answers.map((answer) => answer?.result)).toEqual(
        ids.map((id) => ({ contents: [expect.objectContaining({ uri: `test://template/${id}/data` })] })),
      );
    }));

  test("progress and log lines come before the answer, in order", () =>
    visit(async (visitor) => {
      const called = { name: "test_tool_with_progress", arguments: {}, _meta: { progressToken: 0 } };
      const { before, answer } = await visitor.ask("tools/call", called);
      expect(before.map(({ params }) => params?.["progress"])).toEqual([0, 50, 100]);
      expect(answer?.result).toEqual({ content: text("All steps are done."), isError: false });
      await visitor.ask("logging/setLevel", { level: "debug" });
      const logged = await visitor.ask("tools/call", { name: "test_tool_with_logging" });
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
])("at %s a form is refused in words, and sound comes as the revision can tell it", async (revision, sound) => {
  const visitor = new Visitor(http.url, MODERN);
  expect((await visitor.enter(revision))?.result?.["protocolVersion"]).toBe(revision);
  const asked = await visitor.ask("tools/call", { name: "test_elicitation", arguments: { message: "Who?" } });
  expect(asked.answer?.result).toEqual({
    content: text("This tool cannot send elicitation/create: the client's revision does not support elicitation."),
    isError: true,
  });
  const given = await visitor.ask("tools/call", { name: "test_audio_content" });
  expect(given.answer?.result).toMatchObject({ content: [sound] });
});

describe.each<[string, () => Promise<Open>]>([
  ["HTTP", () => Promise.resolve({ url: http.url, close: () => Promise.resolve() })],
  ["stdio", () => bridgeStateless(everything)],
])("what the official suite does not look at in 2026-07-28, over %s", (_name, open) => {
  const question = {
    user_name: {
      method: "elicitation/create",
      params: {
        message: "What is your name?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    },
  };

  async function visit(capabilities: object, body: (visitor: Visitor) => Promise<void>): Promise<void> {
    const server = await open();
    try {
      await body(new Visitor(server.url, { ...capabilities }));
    } finally {
      await server.close();
    }
  }

  const answered = (visitor: Visitor, inputResponses: unknown) =>
    visitor.askAlone("tools/call", { name: "test_input_required_result_elicitation", arguments: {}, inputResponses });

  test("a question is asked until it is answered, and what was not asked is not read", () =>
    visit(MODERN, async (visitor) => {
      const ada = { action: "accept", content: { name: "Ada" } };
      for (const responses of [{}, { wrong: ada }, { user_name: 12345 }]) {
        const { answer } = await answered(visitor, responses);
        expect(answer?.result).toMatchObject({ resultType: "input_required", inputRequests: question });
      }
      expect((await answered(visitor, null)).answer?.error).toMatchObject({ code: -32602 });
      const { answer } = await answered(visitor, {
        user_name: ada,
        more: { action: "accept", content: { name: "B" } },
      });
      expect(answer?.result).toMatchObject({ resultType: "complete", content: text("Hello, Ada!") });
    }));

  test("a client that cannot be asked is not asked", () =>
    visit({ sampling: {} }, async (visitor) => {
      expect(await answered(visitor, {})).toMatchObject({
        status: 400,
        answer: { error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } } },
      });
    }));

  test("lists are complete answers, and what is not there is named", () =>
    visit(MODERN, async (visitor) => {
      for (const [method, member] of [
        ["tools/list", "tools"],
        ["prompts/list", "prompts"],
      ] as const) {
        const { answer } = await visitor.askAlone(method);
        expect(answer?.result).toMatchObject({ resultType: "complete", [member]: expect.any(Array) });
      }
      const uri = "test://nonexistent-resource-for-conformance-testing";
      expect(await visitor.askAlone("resources/read", { uri })).toMatchObject({
        answer: { error: { code: -32602, message: `Resource not found: ${uri}`, data: { uri } } },
      });
    }));

  test("the end of a task is told to who listens for it", () =>
    visit({ extensions: { "io.modelcontextprotocol/tasks": {} } }, async (visitor) => {
      const begun = await visitor.askAlone("tools/call", { name: "failing_job", arguments: {} });
      const taskId = String(begun.answer?.result?.["taskId"]);
      const noWait = () => Promise.resolve();
      const told = await visitor.hearAlone({ taskIds: [taskId] }, "notifications/tasks", noWait);
      expect(told?.params).toMatchObject({
        taskId,
        status: "completed",
        result: { content: text("The job failed, as it always does."), isError: true },
      });
    }));
});
