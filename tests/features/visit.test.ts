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
      (await call.visit("pay", "Please pay.", url, id === undefined ? {} : { id }))
        ? "will look whether it is paid"
        : "not paid",
  });
const said = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });
const completed = (client: TestClient) => client.heard("notifications/elicitation/complete");

describe("one handler", () => {
  onRevisions(BOTH, "sends people to a page; yes is consent and no more [ELI-11 ELI-03 MRTR-11]", async (open) => {
    for (const [answer, words] of [
      ["accept", "will look whether it is paid"],
      ["decline", "not paid"],
      ["cancel", "not paid"],
    ] as const) {
      const client = await open(serverWith([paying()]), { capabilities, answers: { pay: answer } });
      expect(await client.callTool("pay")).toMatchObject(said(words));
      expect(completed(client)).toEqual([]);
    }
  });

  onRevisions(["2025-11-25"], "names the page by an id of its own [ELI-06]", async (open) => {
    const server = serverWith([paying()]);
    const client = await open(server, { capabilities, answers: { pay: "accept" } });
    await client.callTool("pay");
    await client.callTool("pay");
    const asked = client.heard("elicitation/create").map(({ params }) => params as { elicitationId: string });
    expect(asked[0]).toEqual({
      mode: "url",
      message: "Please pay.",
      url: PAGE,
      elicitationId: expect.stringMatching(/^[\da-f-]{36}$/),
      _meta: { "toolwright/question": "pay" },
    });
    expect(asked[1]?.elicitationId).not.toBe(asked[0]?.elicitationId);
  });

  onRevisions([STATELESS], "gives the page no id on the stateless revision [ELI-06 MRTR-03]", async (open) => {
    const client = await open(serverWith([paying(PAGE, "order-7")]), { capabilities });
    const { inputRequests } = await client.request("tools/call", { name: "pay" });
    expect(inputRequests).toEqual({
      pay: { method: "elicitation/create", params: { mode: "url", message: "Please pay.", url: PAGE } },
    });
  });

  onRevisions(
    [STATELESS],
    "hears of a page by who was verified, whoever the client claims to be [ELI-12]",
    async (open) => {
      const server = serverWith([paying()]);
      const ada = await open(server, { capabilities, principal: "ada" });
      const eve = await open(server, { capabilities, principal: "eve" });
      const { requestState } = await ada.request("tools/call", { name: "pay" });
      const retry = { name: "pay", inputResponses: { pay: { action: "accept" } }, requestState } as never;
      await expect(eve.request("tools/call", retry)).rejects.toMatchObject({ code: -32602 });
      expect(await ada.request("tools/call", retry)).toMatchObject(said("will look whether it is paid"));
    },
  );
});

describe("a client that shows no pages", () => {
  const FORMS_ONLY = [{ elicitation: {} }, { elicitation: { form: {} } }, {}];

  onRevisions(
    ["2025-11-25"],
    "gets a failed result, no question and never -32042 [ELI-05 ELI-07 CLI-01]",
    async (open) => {
      for (const declared of FORMS_ONLY) {
        const client = await open(serverWith([paying()]), { capabilities: declared });
        expect(await client.callTool("pay")).toMatchObject({
          content: [
            {
              text: "This tool has to show the user a page, and this client cannot be asked (it declared no elicitation.url).",
            },
          ],
          isError: true,
          structuredContent: { code: "CANNOT_ASK" },
        });
        expect(client.heard("elicitation/create")).toEqual([]);
      }
    },
  );

  onRevisions([STATELESS], "is refused with what is missing [ELI-05 MRTR-04 CLI-01]", async (open) => {
    for (const declared of FORMS_ONLY) {
      const client = await open(serverWith([paying()]), { capabilities: declared });
      await expect(client.callTool("pay")).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: { url: {} } } },
      });
    }
  });

  onRevisions(["2025-06-18"], "because its revision has none is told so in the result [ELI-05]", async (open) => {
    const client = await open(serverWith([paying()]), { capabilities: { elicitation: {} } });
    expect(await client.callTool("pay")).toMatchObject({
      content: [{ text: "This tool has to show the user a page, but the client's revision has no pages to open." }],
      isError: true,
    });
    expect(client.heard("elicitation/create")).toEqual([]);
  });
});

describe("an address", () => {
  const ADDRESSES = [
    ["http://example.com/", "must begin with https: (http: is for the local machine alone)"],
    ["http://127.0.0.1.example.com/", "must begin with https: (http: is for the local machine alone)"],
    ["javascript:alert(1)", "must begin with https: (http: is for the local machine alone)"],
    ["file:///etc/passwd", "must begin with https: (http: is for the local machine alone)"],
    ["https://ada:secret@example.com/", "must not carry a user name or a password"],
    ["https://ada@example.com/", "must not carry a user name or a password"],
    [
      "https://example.com/?access_token=abc",
      "must not carry access with it (access_token): whoever reads it could use it",
    ],
    ["example.com", 'is no URL: "example.com"'],
    ["", 'is no URL: ""'],
  ] as const;

  onRevisions(BOTH, "that is not fit for a person fails the tool before anybody is asked [ELI-09]", async (open) => {
    for (const [url, reason] of ADDRESSES) {
      const entries: LogEntry[] = [];
      const client = await open(serverWith([paying(url)], {}, entries), { capabilities });
      expect(await client.callTool("pay")).toMatchObject({ isError: true });
      expect(String(entries[0]?.error)).toBe(`TypeError: Cannot ask for the visit "pay": its address ${reason}`);
      expect(client.heard("elicitation/create")).toEqual([]);
    }
  });

  onRevisions(BOTH, "on the local machine may be http, for trying things out [ELI-09]", async (open) => {
    for (const url of ["http://localhost:8080/a", "http://app.localhost/", "http://127.0.0.1/", "http://[::1]:3000/"]) {
      const client = await open(serverWith([paying(url)]), { capabilities, answers: { pay: "accept" } });
      expect(await client.callTool("pay")).toMatchObject(said("will look whether it is paid"));
    }
  });
});

describe("a visit that is done", () => {
  onRevisions(["2025-11-25"], "is told once, to the client that was asked [ELI-08]", async (open) => {
    const server = serverWith([paying(PAGE, "order-7")]);
    const asked = await open(server, { capabilities, answers: { pay: "accept" } });
    const other = await open(server, { capabilities });
    server.visitDone("order-7");
    expect(completed(asked)).toEqual([]);
    await asked.callTool("pay");
    server.visitDone("order-8");
    expect(completed(asked)).toEqual([]);
    server.visitDone("order-7");
    server.visitDone("order-7");
    expect(completed(asked)).toEqual([
      { jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId: "order-7" } },
    ]);
    expect(completed(other)).toEqual([]);
  });

  onRevisions(
    ["2025-11-25"],
    "is told to nobody who has gone, and remembered for no more than 1000 pages [ELI-08]",
    async (open) => {
      const many = tool({
        name: "many",
        description: "Asks for many pages.",
        run: async (_input, call) => {
          for (let at = 0; at < 1001; at += 1) await call.visit(`v${at}`, "Look.", PAGE, { id: `page-${at}` });
          return "asked";
        },
      });
      const server = serverWith([many]);
      const client = await open(server, { capabilities, answers: () => "accept" });
      await client.callTool("many");
      server.visitDone("page-0");
      expect(completed(client)).toEqual([]);
      server.visitDone("page-1");
      expect(completed(client)).toHaveLength(1);
      client.close();
      server.visitDone("page-2");
      expect(completed(client)).toHaveLength(1);
    },
  );

  onRevisions([STATELESS, ...HANDSHAKE.slice(1)], "is told to no client of another revision [ELI-08]", async (open) => {
    const server = serverWith([paying(PAGE, "order-7")]);
    const client = await open(server, { capabilities, answers: { pay: "accept" } });
    await client.callTool("pay");
    server.visitDone("order-7");
    expect(completed(client)).toEqual([]);
  });
});

test("a visit that is done is not told to a client whose conversation has ended [ELI-08]", async () => {
  const server = serverWith([paying(PAGE, "order-7")]);
  const wire = new Wire(server, "2025-11-25");
  wire.initialize(capabilities);
  wire.say({ id: 7, method: "tools/call", params: { name: "pay" } });
  await wire.until({ method: "elicitation/create" });
  wire.session.end();
  server.visitDone("order-7");
  await wire.until({ id: 7 });
  expect(wire.kinds).toEqual(["answer", "elicitation/create", "answer"]);
});

describe("errors", () => {
  const failing = (fail: () => unknown) => tool({ name: "failing", description: "Fails.", run: () => void fail() });

  onRevisions(["2025-11-25"], "are -32042 for nothing that a tool does [ELI-07]", async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_input, call) => ((await call.ask("a", "A?", z.object({ a: z.string() }))) ? "yes" : "no"),
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
