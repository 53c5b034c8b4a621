import { fileURLToPath } from "node:url";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Answers,
  type Face,
  type OfficialTestClient,
  officialTestClients,
  type TestClient,
} from "./everything-clients.js";
import { ServerTarget } from "./server-transport.js";
import { violationsOf } from "./violations.js";

const server = fileURLToPath(new URL("../../examples/everything/main.mjs", import.meta.url));

/** The user's answer to each elicitation. */
const SAID: Readonly<Record<string, object>> = {
  "What is your name?": { action: "accept", content: { name: "Ada" } },
  "Step 1: what is your name?": { action: "accept", content: { name: "Ada" } },
  "Step 2: Ada, which colour do you like?": { action: "accept", content: { color: "blue" } },
  "Shall it go on?": { action: "decline" },
  "Please allow access on this page.": { action: "accept" },
  "Delete a.txt?": { action: "accept", content: { confirm: true } },
};

const answers: Answers = {
  person: ({ message }) => (SAID[String(message)] ?? { action: "cancel" }) as Record<string, unknown>,
  model: () => ({ role: "assistant", content: { type: "text", text: "Bonjour!" }, model: "m", stopReason: "endTurn" }),
  roots: { roots: [{ uri: "file:///work", name: "work" }] },
};

async function call(client: Face, name: string, args: object = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return content.map(({ text }) => text).join("\n");
}

const servers = new Map(
  (["stdio", "HTTP", "HTTP+SSE"] as const).map((transport) => [transport, new ServerTarget(server, transport)]),
);
beforeAll(() => Promise.all([...servers.values()].map((target) => target.open())));
afterAll(() => Promise.all([...servers.values()].map((target) => target.close())));

/** Runs a test with a client; every message of the server must be valid. */
async function meet(
  { revision, transport, open }: OfficialTestClient,
  body: (client: TestClient) => Promise<void>,
): Promise<void> {
  const client = await open(servers.get(transport) as ServerTarget, answers);
  await body(client);
  await client.client.close();
  expect(violationsOf(revision, client.recorded.messages)).toEqual([]);
  // What a client asks for in vain is logged.
  expect(client.recorded.stderr().replaceAll(/^\[WARNING\] .* rejected: .*\n/gm, "")).toBe("");
}

describe.each(officialTestClients)("with the official client $name, the example server", (official) => {
  const { revision } = official;
  const visit = (body: (client: TestClient) => Promise<void>) => meet(official, body);

  test("lists and reads resources, single ones, those of a template, and pages of tools", () =>
    visit(async ({ client, recorded }) => {
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual([
        "test://static-text",
        "test://static-binary",
        "test://watched-resource",
        "ui://everything/clock.html",
      ]);
      const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
      expect(await read("test://static-text")).toEqual({
        uri: "test://static-text",
        mimeType: "text/plain",
        text: "This is the content of the static text resource.",
      });
      const binary = await read("test://static-binary");
      expect([binary?.["mimeType"], String(binary?.["blob"]).slice(0, 11)]).toEqual(["image/png", "iVBORw0KGgo"]);

      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["test://template/{id}/data"]);
      expect(JSON.parse(String((await read("test://template/123/data"))?.["text"]))).toMatchObject({ id: "123" });

      const { tools } = await client.listTools();
      const meta = {
        ui: { resourceUri: "ui://everything/clock.html" },
        "ui/resourceUri": "ui://everything/clock.html",
      };
      const shown = tools.find(({ name }) => name === "show_time");
      expect(shown?.["_meta"]).toEqual(revision >= "2025-06-18" ? meta : undefined);
      expect(await read("ui://everything/clock.html")).toMatchObject({ mimeType: "text/html;profile=mcp-app" });
      expect(await call(client, "show_time")).toMatch(/^\{"time":"\d{4}-/);

      await expect(client.readResource({ uri: "test://nowhere" })).rejects.toThrow(
        "Resource not found: test://nowhere",
      );
      // Version 2 of the client reports the new error code instead of the old one, so the transport is inspected.
      const code = revision === "2026-07-28" ? -32602 : -32002;
      expect(recorded.messages.at(-1)?.message).toMatchObject({ error: { code } });
    }));

  test("lists and gets prompts, and completes arguments", () =>
    visit(async ({ client }) => {
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toContain("test_prompt_with_arguments");
      const filled = { name: "test_prompt_with_arguments", arguments: { arg1: "one", arg2: "two" } };
      expect((await client.getPrompt(filled)).messages).toEqual([
        { role: "user", content: { type: "text", text: "Prompt with arguments: arg1='one', arg2='two'" } },
      ]);
      const { messages } = await client.getPrompt({ name: "test_prompt_with_image" });
      expect(messages[0]).toMatchObject({ role: "user", content: { type: "image", mimeType: "image/png" } });

      const complete = async (params: object) => (await client.complete({ ...params })).completion["values"];
      const template = { type: "ref/resource", uri: "test://template/{id}/data" };
      expect(await complete({ ref: template, argument: { name: "id", value: "12" } })).toEqual(["123", "124"]);
      const ref = { type: "ref/prompt", name: "test_prompt_with_arguments" };
      expect(await complete({ ref, argument: { name: "arg1", value: "par" } })).toEqual(["paris", "park", "party"]);
      const context = { arguments: { arg1: "rain" } };
      expect(await complete({ ref, argument: { name: "arg2", value: "" }, context })).toEqual([
        "rain today",
        "rain tomorrow",
      ]);
    }));

  test("notifies of a changed resource after a subscription", () =>
    visit(async ({ client, watch }) => {
      let hear = (_uri: string): void => undefined;
      const changed = new Promise<string>((resolve) => {
        hear = resolve;
      });
      await watch("test://watched-resource", hear);
      expect(await call(client, "test_trigger_resource_change")).toBe("Whoever watches it has been told.");
      expect(await changed).toBe("test://watched-resource");
    }));

  test("sends log messages to a client that enables them", () =>
    visit(async ({ client, enableLogs }) => {
      const lines: unknown[] = [];
      const more = await enableLogs((line) => lines.push(line));
      await client.callTool({ name: "test_tool_with_logging", ...more });
      await expect
        .poll(() => lines)
        .toEqual(["Tool execution started", "Tool processing data", "Tool execution completed"]);
    }));

  test("asks the client, its model and its user", () =>
    visit(async ({ client }) => {
      expect(await call(client, "test_sampling", { prompt: "Say hello." })).toBe("LLM response: Bonjour!");
      expect(await call(client, "test_input_required_result_list_roots")).toBe("work: file:///work");
      const page = await call(client, "test_elicitation_url");
      if (revision >= "2025-11-25") expect(page).toBe("The page was opened.");
      else expect(page).toMatch(/^This tool cannot send /);
      if (revision < "2025-06-18") {
        expect(await call(client, "test_input_required_result_elicitation")).toBe(
          "This tool cannot send elicitation/create: the client's revision does not support elicitation.",
        );
        return;
      }
      expect(await call(client, "test_input_required_result_elicitation")).toBe("Hello, Ada!");
      expect(await call(client, "test_streaming_elicitation")).toBe("Left alone.");
      expect(await call(client, "test_input_required_result_multiple_inputs")).toBe("Bonjour! Ada, you have 1 roots.");
      expect(await call(client, "test_input_required_result_multi_round")).toBe("Ada likes blue.");
    }));
});

/** Only version 1 of the official client supports tasks as the newest handshake revision defines them. */
describe.each(officialTestClients.filter(({ name }) => name.startsWith("sdk 1.32 2025-11-25")))(
  "with the official client $name, a task of the example server",
  (official) => {
    async function follow(client: Face, name: string, args: object): Promise<unknown[]> {
      const { tasks } = (client as unknown as ClientV1).experimental;
      const report: unknown[] = [];
      const stream = tasks.callToolStream({ name, arguments: { ...args } }, undefined, { task: { ttl: 60_000 } });
      for await (const message of stream) {
        if (message.type === "taskCreated") report.push("created");
        if (message.type === "result") report.push(message.result.content);
        if (message.type === "error") report.push(message.error.message);
      }
      return report;
    }

    test("is polled until it has a result", () =>
      meet(official, async ({ client }) => {
        await client.listTools();
        expect(await follow(client, "slow_compute", { seconds: 0.1, label: "pi" })).toEqual([
          "created",
          [{ type: "text", text: "Computed pi in 0.1 s." }],
        ]);
      }));

    test("elicits input meanwhile", () =>
      meet(official, async ({ client }) => {
        await client.listTools();
        expect(await follow(client, "confirm_delete", { filename: "a.txt" })).toEqual([
          "created",
          [{ type: "text", text: "Deleted a.txt." }],
        ]);
      }));
  },
);
