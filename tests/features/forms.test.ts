import { type LogEntry, type SchemaSource, tool } from "@toolwright/engine";
import { describe, expect } from "vitest";
import { z } from "zod";
import { onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const LIVE = ["2025-06-18", "2025-11-25"];
const ASKING = [...LIVE, STATELESS];

const asking = (form: SchemaSource) =>
  tool({
    name: "asking",
    description: "Asks.",
    run: async (_input, call) => ({ answer: (await call.ask("form", "Fill in.", form)) ?? "none" }),
  });

const everything = z.object({
  name: z.string().min(1).max(20).describe("Your name").meta({ title: "Name" }),
  mail: z.email().optional(),
  when: z.iso.date().optional(),
  key: z.uuid().optional(),
  age: z.number().int().positive().max(150),
  share: z.number().multipleOf(0.5).default(0.5),
  plan: z.enum(["free", "paid"]).default("free"),
  news: z.boolean().default(false),
});
const shared = {
  name: { type: "string", minLength: 1, maxLength: 20, description: "Your name", title: "Name" },
  mail: { type: "string", format: "email" },
  when: { type: "string", format: "date" },
  key: { type: "string" },
  age: { type: "integer", minimum: 1, maximum: 150 },
  share: { type: "number" },
  plan: { type: "string", enum: ["free", "paid"] },
  news: { type: "boolean", default: false },
};
const FIELDS: Readonly<Record<string, object>> = {
  "2025-06-18": shared,
  "2025-11-25": {
    ...shared,
    share: { type: "number", default: 0.5 },
    plan: { type: "string", enum: ["free", "paid"], default: "free" },
  },
};

describe("a form", () => {
  onRevisions(LIVE, "uses only what clients of its revision know [ELI-02 ELI-05]", async (open, revision) => {
    const client = await open(serverWith([asking(everything)]), { answers: { form: { name: "Ada", age: 36 } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({
      answer: { name: "Ada", age: 36, share: 0.5, plan: "free", news: false },
    });
    const [question] = client.heard("elicitation/create");
    expect(question?.["params"]).toEqual({
      message: "Fill in.",
      requestedSchema: { type: "object", properties: FIELDS[revision], required: ["name", "age"] },
      _meta: { "toolwright/question": "form" },
    });
  });

  onRevisions([STATELESS], "is the same on the stateless revision [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(everything)]));
    const { inputRequests } = await client.request("tools/call", { name: "asking" });
    expect(inputRequests).toMatchObject({
      form: { params: { requestedSchema: { type: "object", properties: FIELDS["2025-11-25"] ?? {} } } },
    });
  });

  const titled = {
    type: "object",
    properties: {
      size: {
        type: "string",
        oneOf: [
          { const: "s", title: "Small" },
          { const: "l", title: "Large" },
        ],
        default: "s",
      },
    },
  } as const;

  onRevisions(["2025-11-25"], "has titled choices from 2025-11-25 on [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(titled)]), { answers: { form: { size: "l" } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { size: "l" } });
    expect(client.heard("elicitation/create")[0]).toMatchObject({ params: { requestedSchema: titled } });
  });

  onRevisions(["2025-06-18"], "names its choices in the older way before [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(titled)]), { answers: { form: { size: "l" } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { size: "l" } });
    expect(client.heard("elicitation/create")[0]).toMatchObject({
      params: {
        requestedSchema: {
          type: "object",
          properties: { size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] } },
        },
      },
    });
  });

  const several = z.object({ tags: z.array(z.enum(["a", "b"])).min(1) });

  onRevisions(["2025-11-25", STATELESS], "may ask for several choices from 2025-11-25 on [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(several)]), { answers: { form: { tags: ["a", "b"] } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { tags: ["a", "b"] } });
  });

  onRevisions(["2025-06-18"], "with several choices fails the tool before, in words [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(several)]));
    expect(await client.callTool("asking")).toMatchObject({
      isError: true,
      content: [
        {
          text: 'This tool has to ask the user, but the client\'s revision has no field for several choices ("tags").',
        },
      ],
    });
    expect(client.heard("elicitation/create")).toEqual([]);
  });

  onRevisions(ASKING, "that is not flat is the author's mistake, told in the log [ELI-02]", async (open) => {
    const entries: LogEntry[] = [];
    const nested = z.object({ address: z.object({ street: z.string() }) });
    const client = await open(serverWith([asking(nested)], {}, entries));
    expect(await client.callTool("asking")).toMatchObject({ isError: true });
    expect(String(entries[0]?.error)).toBe(
      'TypeError: Cannot ask with this form: "address" must be text, a number, yes or no, or a choice of texts',
    );
    expect(client.heard("elicitation/create")).toEqual([]);
  });
});

describe("a form that asks for a secret", () => {
  const secrets = [
    { password: { type: "string" } },
    { apiKey: { type: "string" } },
    { pin: { type: "integer" } },
    { word: { type: "string", title: "Your access token" } },
    { word: { type: "string", format: "password" } },
    { word: { type: "string", writeOnly: true } },
  ];

  onRevisions(ASKING, "is never sent; the log says what to do instead [ELI-04]", async (open) => {
    for (const properties of secrets) {
      const entries: LogEntry[] = [];
      const client = await open(serverWith([asking({ type: "object", properties })], {}, entries));
      expect(await client.callTool("asking"), JSON.stringify(properties)).toMatchObject({ isError: true });
      expect(String(entries[0]?.error)).toBe(
        `TypeError: Cannot ask with this form: "${Object.keys(properties)[0]}" asks for a secret, which would pass through the client; let the user enter it on a page of yours, with call.visit`,
      );
      expect(client.heard("elicitation/create")).toEqual([]);
    }
  });
});

describe("a form with an address to click on", () => {
  onRevisions(ASKING, "is never sent [ELI-09]", async (open) => {
    for (const field of [
      { type: "string", description: "See https://example.com/terms" },
      { type: "string", title: "http://example.com" },
      { type: "string", oneOf: [{ const: "a", title: "Pay at https://example.com" }] },
    ]) {
      const entries: LogEntry[] = [];
      const client = await open(serverWith([asking({ type: "object", properties: { a: field } })], {}, entries));
      expect(await client.callTool("asking")).toMatchObject({ isError: true });
      expect(String(entries[0]?.error)).toBe(
        'TypeError: Cannot ask with this form: "a" shows an address that a person might open unwarned; use call.visit',
      );
      expect(client.heard("elicitation/create")).toEqual([]);
    }
  });
});

describe("fields that may be null and fixed values", () => {
  const form = z.object({ plan: z.enum(["free", "paid"]).nullable(), kind: z.literal("gift") });

  onRevisions(ASKING, "are asked for in words that every client knows [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(form)]), { answers: { form: { kind: "gift" } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { plan: null, kind: "gift" } });
  });
});

describe("an answer", () => {
  onRevisions(
    ASKING,
    "is read through the form: defaults are filled in, extra members dropped [ELI-03]",
    async (open) => {
      const form = z.object({ n: z.number().default(7) });
      const client = await open(serverWith([asking(form)]), { answers: { form: { extra: "x" } } });
      expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { n: 7 } });
    },
  );

  onRevisions(LIVE, "that does not fit is a failed result on handshake revisions [ELI-03]", async (open) => {
    const client = await open(serverWith([asking(everything)]), { answers: { form: { name: "", age: "old" } } });
    const result = await client.callTool("asking");
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "BAD_ANSWER" } });
    const [block] = result["content"] as { text: string }[];
    expect(block?.text).toMatch(/^The answer does not fit the form: name: expected .*; age: expected .*, got "old"$/);
  });

  onRevisions(
    [STATELESS],
    "that does not fit is asked for again on the stateless one [ELI-03 MRTR-08]",
    async (open) => {
      const given: object[] = [{ name: "Ada", age: "old" }, { name: "Ada" }, { name: "Ada", age: 36 }];
      const client = await open(serverWith([asking(everything)]), { answers: () => given.shift() as never });
      expect((await client.callTool("asking"))["structuredContent"]).toMatchObject({
        answer: { name: "Ada", age: 36 },
      });
      expect(given).toEqual([]);
    },
  );

  onRevisions(ASKING, "that declines has no content that anybody reads [ELI-03]", async (open) => {
    for (const action of ["decline", "cancel"] as const) {
      const client = await open(serverWith([asking(everything)]), { answers: { form: action } });
      expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: "none" });
    }
  });
});
