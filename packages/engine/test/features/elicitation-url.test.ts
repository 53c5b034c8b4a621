import { type LogEntry, tool } from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Wire } from "./wire.js";

const BOTH = ["2025-11-25", STATELESS];
const capabilities = { elicitation: { form: {}, url: {} } };
const PAGE = "https://pay.example.com/checkout?order=7";

const paying = (url: string = PAGE, id?: string) =>
  tool({
    name: "pay",
    description: "Lets the user pay on a page.",
    run: async (_input, call) =>
      (await call.elicitUrl("pay", "Please pay.", url, id === undefined ? {} : { id }))
        ? "will look whether it is paid"
        : "not paid",
  });
const textResult = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });
const completed = (client: TestClient) => client.received("notifications/elicitation/complete");

describe("call.elicitUrl", () => {
  onRevisions(BOTH, "resolves with whether the user agreed to open the page [ELI-11 ELI-03 MRTR-11]", async (open) => {
    for (const [answer, words] of [
      ["accept", "will look whether it is paid"],
      ["decline", "not paid"],
      ["cancel", "not paid"],
    ] as const) {
      const client = await open(serverWith([paying()]), { capabilities, responses: { pay: answer } });
      expect(await client.callTool("pay")).toMatchObject(textResult(words));
      expect(completed(client)).toEqual([]);
    }
  });

  onRevisions(["2025-11-25"], "names the page by an id of its own [ELI-06]", async (open) => {
    const server = serverWith([paying()]);
    const client = await open(server, { capabilities, responses: { pay: "accept" } });
    await client.callTool("pay");
    await client.callTool("pay");
    const asked = client.received("elicitation/create").map(({ params }) => params as { elicitationId: string });
    expect(asked[0]).toEqual({
      mode: "url",
      message: "Please pay.",
      url: PAGE,
      elicitationId: expect.stringMatching(/^[\da-f-]{36}$/),
      _meta: { "toolwright/inputRequest": "pay" },
    });
    expect(asked[1]?.elicitationId).not.toBe(asked[0]?.elicitationId);
  });

  onRevisions([STATELESS], "sends no elicitationId in the stateless revision [ELI-06 MRTR-03]", async (open) => {
    const client = await open(serverWith([paying(PAGE, "order-7")]), { capabilities });
    const { inputRequests } = await client.request("tools/call", { name: "pay" });
    expect(inputRequests).toEqual({
      pay: { method: "elicitation/create", params: { mode: "url", message: "Please pay.", url: PAGE } },
    });
  });

  onRevisions([STATELESS], "uses the authenticated principal, not the client info [ELI-12]", async (open) => {
    const server = serverWith([paying()]);
    const ada = await open(server, { capabilities, principal: "ada" });
    const eve = await open(server, { capabilities, principal: "eve" });
    const { requestState } = await ada.request("tools/call", { name: "pay" });
    const retry = { name: "pay", inputResponses: { pay: { action: "accept" } }, requestState } as never;
    await expect(eve.request("tools/call", retry)).rejects.toMatchObject({ code: -32602 });
    expect(await ada.request("tools/call", retry)).toMatchObject(textResult("will look whether it is paid"));
  });
});

describe("a client without URL elicitation", () => {
  const FORMS_ONLY = [{ elicitation: {} }, { elicitation: { form: {} } }, {}];

  onRevisions(
    ["2025-11-25"],
    "gets an error result, no request, and never error -32042 [ELI-05 ELI-07 CLI-01]",
    async (open) => {
      for (const declared of FORMS_ONLY) {
        const client = await open(serverWith([paying()]), { capabilities: declared });
        expect(await client.callTool("pay")).toMatchObject({
          content: [
            {
              text: "This tool cannot send elicitation/create: the client did not declare elicitation.url.",
            },
          ],
          isError: true,
          structuredContent: { code: "CANNOT_ASK" },
        });
        expect(client.received("elicitation/create")).toEqual([]);
      }
    },
  );

  onRevisions([STATELESS], "gets an error that names the missing capability [ELI-05 MRTR-04 CLI-01]", async (open) => {
    for (const declared of FORMS_ONLY) {
      const client = await open(serverWith([paying()]), { capabilities: declared });
      await expect(client.callTool("pay")).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: { url: {} } } },
      });
    }
  });

  onRevisions(["2025-06-18"], "because of its revision gets an error result that says so [ELI-05]", async (open) => {
    const client = await open(serverWith([paying()]), { capabilities: { elicitation: {} } });
    expect(await client.callTool("pay")).toMatchObject({
      content: [
        { text: "This tool cannot send elicitation/create: the client's revision does not support URL elicitation." },
      ],
      isError: true,
    });
    expect(client.received("elicitation/create")).toEqual([]);
  });
});

describe("the URL", () => {
  const ADDRESSES = [
    ["http://example.com/", "the URL must use https: (http: only for the local machine)"],
    ["http://127.0.0.1.example.com/", "the URL must use https: (http: only for the local machine)"],
    ["javascript:alert(1)", "the URL must use https: (http: only for the local machine)"],
    ["file:///etc/passwd", "the URL must use https: (http: only for the local machine)"],
    ["https://ada:secret@example.com/", "the URL must not contain a user name or a password"],
    ["https://ada@example.com/", "the URL must not contain a user name or a password"],
    [
      "https://example.com/?access_token=abc",
      "the URL must not contain credentials (access_token): anyone who reads it could use them",
    ],
    ["example.com", '"example.com" is not a URL'],
    ["", '"" is not a URL'],
  ] as const;

  onRevisions(BOTH, "that is not safe fails the tool before anything is sent [ELI-09]", async (open) => {
    for (const [url, reason] of ADDRESSES) {
      const entries: LogEntry[] = [];
      const client = await open(serverWith([paying(url)], {}, entries), { capabilities });
      expect(await client.callTool("pay")).toMatchObject({ isError: true });
      expect(String(entries[0]?.error)).toBe(`TypeError: Cannot elicit "pay": ${reason}`);
      expect(client.received("elicitation/create")).toEqual([]);
    }
  });

  onRevisions(BOTH, "may use http: on the local machine [ELI-09]", async (open) => {
    for (const url of ["http://localhost:8080/a", "http://app.localhost/", "http://127.0.0.1/", "http://[::1]:3000/"]) {
      const client = await open(serverWith([paying(url)]), { capabilities, responses: { pay: "accept" } });
      expect(await client.callTool("pay")).toMatchObject(textResult("will look whether it is paid"));
    }
  });
});

describe("server.completeElicitation", () => {
  onRevisions(["2025-11-25"], "notifies only the client that received the elicitation, once [ELI-08]", async (open) => {
    const server = serverWith([paying(PAGE, "order-7")]);
    const asked = await open(server, { capabilities, responses: { pay: "accept" } });
    const other = await open(server, { capabilities });
    server.completeElicitation("order-7");
    expect(completed(asked)).toEqual([]);
    await asked.callTool("pay");
    server.completeElicitation("order-8");
    expect(completed(asked)).toEqual([]);
    server.completeElicitation("order-7");
    server.completeElicitation("order-7");
    expect(completed(asked)).toEqual([
      { jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId: "order-7" } },
    ]);
    expect(completed(other)).toEqual([]);
  });

  onRevisions(
    ["2025-11-25"],
    "notifies no client that has disconnected, and remembers at most 1000 elicitations [ELI-08]",
    async (open) => {
      const many = tool({
        name: "many",
        description: "Asks for many pages.",
        run: async (_input, call) => {
          for (let at = 0; at < 1001; at += 1) await call.elicitUrl(`v${at}`, "Look.", PAGE, { id: `page-${at}` });
          return "asked";
        },
      });
      const server = serverWith([many]);
      const client = await open(server, { capabilities, responses: () => "accept" });
      await client.callTool("many");
      server.completeElicitation("page-0");
      expect(completed(client)).toEqual([]);
      server.completeElicitation("page-1");
      expect(completed(client)).toHaveLength(1);
      client.close();
      server.completeElicitation("page-2");
      expect(completed(client)).toHaveLength(1);
    },
  );

  onRevisions([STATELESS, ...HANDSHAKE.slice(1)], "notifies no client of another revision [ELI-08]", async (open) => {
    const server = serverWith([paying(PAGE, "order-7")]);
    const client = await open(server, { capabilities, responses: { pay: "accept" } });
    await client.callTool("pay");
    server.completeElicitation("order-7");
    expect(completed(client)).toEqual([]);
  });
});

test("server.completeElicitation does not notify a client whose session has ended [ELI-08]", async () => {
  const server = serverWith([paying(PAGE, "order-7")]);
  const wire = new Wire(server, "2025-11-25");
  wire.initialize(capabilities);
  wire.send({ id: 7, method: "tools/call", params: { name: "pay" } });
  await wire.waitFor({ method: "elicitation/create" });
  wire.session.end();
  server.completeElicitation("order-7");
  await wire.waitFor({ id: 7 });
  expect(wire.receivedMethods).toEqual(["response", "elicitation/create", "response"]);
});

describe("errors", () => {
  const failing = (fail: () => unknown) => tool({ name: "failing", description: "Fails.", run: () => void fail() });

  onRevisions(["2025-11-25"], "are -32042 for nothing that a tool does [ELI-07]", async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_input, call) => ((await call.elicit("a", "A?", z.object({ a: z.string() }))) ? "yes" : "no"),
    });
    const throwing = failing(() => {
      throw Object.assign(new Error("URL elicitation required"), { code: -32042, data: { elicitations: [] } });
    });
    const client = await open(serverWith([asking, paying(), throwing]), { capabilities: {} });
    for (const name of ["asking", "pay", "failing"])
      expect(await client.callTool(name)).toMatchObject({ isError: true });
    const codes = client.conversation.map(({ message }) => (message as { error?: { code: number } }).error?.code);
    expect(codes.filter((code) => code !== undefined)).toEqual([]);
  });
});
