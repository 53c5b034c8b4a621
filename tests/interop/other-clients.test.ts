import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Listening, startListening } from "../support/start-listening.js";
import { drive, missing, runProgram } from "./other-clients.js";
import type { ExchangedMessage } from "./recorded-transport.js";
import { startRecordingProxy } from "./recording-proxy.js";
import { violationsOf } from "./violations.js";

/** Several clients run at once, each a process. */
const TIME_LIMIT_MS = 90_000;
const HANDSHAKE = "2025-11-25";
const STATELESS = "2026-07-28";
const GREETING = [{ type: "text", text: "Hello, Ada!" }];
const FAILURE = {
  content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
  isError: true,
};
const STATIC_TEXT = {
  uri: "test://static-text",
  mimeType: "text/plain",
  text: "This is the content of the static text resource.",
};

/** The first and last tool, and their number. */
const ALL_TOOLS = ["test_simple_text", "test_trigger_resource_change", 38];

type Members = Readonly<Record<string, unknown>>;
type Transport = "http" | "sse";

const everything = fileURLToPath(new URL("../../examples/everything/main.mjs", import.meta.url));
let server: Listening;
beforeAll(async () => {
  if (missing === "") server = await startListening(everything, "--sse");
});
afterAll(() => server?.close());

/** The revisions of a conversation. */
function revisionsOf(messages: readonly ExchangedMessage[]): unknown[] {
  const versions = messages.map(({ from, message }) => {
    const { params, result } = message as { params?: { _meta?: Members }; result?: Members };
    return from === "client" ? params?._meta?.["io.modelcontextprotocol/protocolVersion"] : result?.["protocolVersion"];
  });
  return [...new Set(versions.filter((version) => version !== undefined))];
}

/** Runs a client through the recording proxy, and checks that the server sent only what the revision allows. */
async function meet<ClientReport>(
  transport: Transport,
  revision: string,
  visit: (url: string) => Promise<ClientReport>,
) {
  const proxy = await startRecordingProxy(server.url);
  try {
    const report = await visit(transport === "sse" ? new URL("/sse", proxy.url).href : proxy.url);
    expect(revisionsOf(proxy.messages)).toEqual([revision]);
    expect(violationsOf(revision, proxy.messages)).toEqual([]);
    expect(proxy.requests).toContain(transport === "sse" ? "POST /messages 202" : "POST /mcp 200");
    return { report, refused: new Set(proxy.requests.filter((request) => !/ 20\d$/.test(request))) };
  } finally {
    await proxy.close();
  }
}

/** Runs a library that lists and calls tools, and optionally does more. */
async function meetLibrary(name: string, transport: Transport, revision: string): Promise<Members> {
  const { report, refused } = await meet(transport, revision, (url) => drive(name, transport, url));
  expect([...refused]).toEqual([]);
  const { tools, ...rest } = report as { tools: string[] };
  expect(ends(tools)).toEqual(ALL_TOOLS);
  return rest;
}

const ends = (names: readonly string[]) => [names[0], names.at(-1), names.length];

/** What a server says about itself without a handshake. */
const SELF = { "io.modelcontextprotocol/serverInfo": expect.objectContaining({ name: "everything" }) as Members };

describe.skipIf(missing !== "").concurrent(`over HTTP${missing}`, { timeout: TIME_LIMIT_MS }, () => {
  test.each([
    { era: "legacy", transport: "http", revision: HANDSHAKE },
    { era: "auto", transport: "http", revision: STATELESS },
    { era: "modern", transport: "http", revision: STATELESS },
    { era: "legacy", transport: "sse", revision: HANDSHAKE },
  ] as const)(
    "the Inspector's command line lists, calls and reads, in the era $era over $transport",
    async ({ era, transport, revision }) => {
      const { refused } = await meet(transport, revision, async (url) => {
        const where = ["--cli", url, "--transport", transport, "--protocol-era", era];
        const ask = (...args: string[]) => runProgram("inspector", ...where, "--method", ...args);
        const { tools } = (await ask("tools/list")) as { tools: { name: string }[] };
        expect(ends(tools.map(({ name }) => name))).toEqual(ALL_TOOLS);
        expect(await ask("tools/call", "--tool-name", "greet", "--tool-arg", "name=Ada")).toEqual({
          content: GREETING,
          isError: false,
          ...(revision === STATELESS && { resultType: "complete", _meta: SELF }),
        });
        expect(await ask("resources/read", "--uri", "test://static-text")).toMatchObject({ contents: [STATIC_TEXT] });
      });
      expect([...refused]).toEqual([]);
    },
  );

  test.each(["http", "sse"] as const)("mcporter lists and calls over %s", async (transport) => {
    const { refused } = await meet(transport, HANDSHAKE, async (url) => {
      const where = ["--http-url", url, "--allow-http", "--name", "everything"];
      const { tools } = (await runProgram("mcporter", "list", ...where, "--json")) as { tools: { name: string }[] };
      expect(ends(tools.map(({ name }) => name))).toEqual(ALL_TOOLS);
      expect(await runProgram("mcporter", "call", ...where, "greet", "name=Ada", "--output", "json")).toEqual({
        content: GREETING,
        isError: false,
      });
    });
    // It tries the newer transport first, and falls back to the older one.
    expect([...refused]).toEqual(transport === "sse" ? ["POST /sse 405"] : []);
  });

  test.each([
    ["http", STATELESS],
    ["sse", HANDSHAKE],
  ] as const)(
    "the AI SDK's client lists, calls, answers an elicitation and reads over %s",
    async (transport, revision) => {
      expect(await meetLibrary("ai-sdk", transport, revision)).toEqual({
        greeted: GREETING,
        failed: FAILURE,
        asked: GREETING,
        read: [STATIC_TEXT],
      });
    },
  );

  test.each(["http", "sse"] as const)(
    "LangChain's client lists, calls, receives progress and log messages, and reads over %s",
    async (transport) => {
      expect(await meetLibrary("langchain", transport, HANDSHAKE)).toEqual({
        greeted: "Hello, Ada!",
        failed: expect.stringContaining("This tool intentionally returns an error for testing") as string,
        reported: "All steps are done.",
        logged: "Tool with logging executed successfully",
        received: {
          progress: ["0/100", "50/100", "100/100"],
          logged: ["Tool execution started", "Tool processing data", "Tool execution completed"],
        },
        read: [STATIC_TEXT],
      });
    },
  );

  test.each([
    ["http", STATELESS],
    ["sse", HANDSHAKE],
  ] as const)("the client of OpenAI's agents lists, calls and reads over %s", async (transport, revision) => {
    expect(await meetLibrary("openai-agents", transport, revision)).toEqual({
      greeted: GREETING,
      failed: FAILURE,
      read: [STATIC_TEXT],
    });
  });
});
