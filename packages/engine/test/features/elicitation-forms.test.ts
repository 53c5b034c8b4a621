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
    run: async (_input, call) => ({ answer: (await call.elicit("form", "Fill in.", form)) ?? "none" }),
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
  onRevisions(
    LIVE,
    "uses only the schema features of the client's revision [ELI-02 ELI-05]",
    async (open, revision) => {
      const client = await open(serverWith([asking(everything)]), { responses: { form: { name: "Ada", age: 36 } } });
      expect((await client.callTool("asking"))["structuredContent"]).toEqual({
        answer: { name: "Ada", age: 36, share: 0.5, plan: "free", news: false },
      });
      const [question] = client.received("elicitation/create");
      expect(question?.["params"]).toEqual({
        message: "Fill in.",
        requestedSchema: { type: "object", properties: FIELDS[revision], required: ["name", "age"] },
        _meta: { "toolwright/inputRequest": "form" },
      });
    },
  );

  onRevisions([STATELESS], "is the same in the stateless revision [ELI-02]", async (open) => {
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
    const client = await open(serverWith([asking(titled)]), { responses: { form: { size: "l" } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { size: "l" } });
    expect(client.received("elicitation/create")[0]).toMatchObject({ params: { requestedSchema: titled } });
  });

  onRevisions(["2025-06-18"], "has enumNames instead of titles before 2025-11-25 [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(titled)]), { responses: { form: { size: "l" } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { size: "l" } });
    expect(client.received("elicitation/create")[0]).toMatchObject({
      params: {
        requestedSchema: {
          type: "object",
          properties: { size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] } },
        },
      },
    });
  });

  const several = z.object({ tags: z.array(z.enum(["a", "b"])).min(1) });

  onRevisions(["2025-11-25", STATELESS], "may have a multi-select field from 2025-11-25 on [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(several)]), { responses: { form: { tags: ["a", "b"] } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { tags: ["a", "b"] } });
  });

  onRevisions(["2025-06-18"], "with a multi-select field fails the tool with an explanation [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(several)]));
    expect(await client.callTool("asking")).toMatchObject({
      isError: true,
      content: [
        {
          text: 'This tool cannot send elicitation/create: the client\'s revision does not support multiple choice fields ("tags").',
        },
      ],
    });
    expect(client.received("elicitation/create")).toEqual([]);
  });

  onRevisions(ASKING, "with a nested field fails the tool, and the log says why [ELI-02]", async (open) => {
    const entries: LogEntry[] = [];
    const nested = z.object({ address: z.object({ street: z.string() }) });
    const client = await open(serverWith([asking(nested)], {}, entries));
    expect(await client.callTool("asking")).toMatchObject({ isError: true });
    expect(String(entries[0]?.error)).toBe(
      'TypeError: Cannot create the form: "address" must be a string, a number, a boolean or an enum of strings',
    );
    expect(client.received("elicitation/create")).toEqual([]);
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
        `TypeError: Cannot create the form: "${Object.keys(properties)[0]}" asks for a secret, which would pass through the client; let the user enter it on your own page with call.elicitUrl`,
      );
      expect(client.received("elicitation/create")).toEqual([]);
    }
  });
});

describe("a form that shows a URL", () => {
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
        'TypeError: Cannot create the form: "a" shows a URL that the user might open unwarned; use call.elicitUrl',
      );
      expect(client.received("elicitation/create")).toEqual([]);
    }
  });
});

describe("nullable fields and literals", () => {
  const form = z.object({ plan: z.enum(["free", "paid"]).nullable(), kind: z.literal("gift") });

  onRevisions(ASKING, "are converted to schema features that every client supports [ELI-02]", async (open) => {
    const client = await open(serverWith([asking(form)]), { responses: { form: { kind: "gift" } } });
    expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { plan: null, kind: "gift" } });
  });
});

describe("a response to a form", () => {
  onRevisions(
    ASKING,
    "is validated with the form: defaults are added, unknown members removed [ELI-03]",
    async (open) => {
      const form = z.object({ n: z.number().default(7) });
      const client = await open(serverWith([asking(form)]), { responses: { form: { extra: "x" } } });
      expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: { n: 7 } });
    },
  );

  onRevisions(
    LIVE,
    "that does not match the form is an error result in revisions with a handshake [ELI-03]",
    async (open) => {
      const client = await open(serverWith([asking(everything)]), { responses: { form: { name: "", age: "old" } } });
      const result = await client.callTool("asking");
      expect(result).toMatchObject({ isError: true, structuredContent: { code: "BAD_ANSWER" } });
      const [block] = result["content"] as { text: string }[];
      expect(block?.text).toMatch(
        /^The response does not match the form: name: expected .*; age: expected .*, got "old"$/,
      );
    },
  );

  onRevisions(
    [STATELESS],
    "that does not match the form is requested again in the stateless revision [ELI-03 MRTR-08]",
    async (open) => {
      const given: object[] = [{ name: "Ada", age: "old" }, { name: "Ada" }, { name: "Ada", age: 36 }];
      const client = await open(serverWith([asking(everything)]), { responses: () => given.shift() as never });
      expect((await client.callTool("asking"))["structuredContent"]).toMatchObject({
        answer: { name: "Ada", age: 36 },
      });
      expect(given).toEqual([]);
    },
  );

  onRevisions(ASKING, "that declines has no content, even if the client sends some [ELI-03]", async (open) => {
    for (const action of ["decline", "cancel"] as const) {
      const client = await open(serverWith([asking(everything)]), { responses: { form: action } });
      expect((await client.callTool("asking"))["structuredContent"]).toEqual({ answer: "none" });
    }
  });
});
