import {
  annotated,
  assistant,
  audio,
  content,
  embeddedResource,
  image,
  type JsonObject,
  type LogEntry,
  type PromptValue,
  prompt,
  resourceLink,
  type SchemaSource,
  type ServerOptions,
  ToolError,
  text,
  user,
} from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const giving = (value: unknown) =>
  prompt({ name: "p", description: "A prompt.", run: () => value as Exclude<PromptValue, undefined> });
const serve = (
  prompts: NonNullable<ServerOptions["prompts"]>,
  options: Partial<ServerOptions> = {},
  entries: LogEntry[] = [],
) => serverWith([], { prompts, ...options }, entries);
/** A prompt that says the arguments it got. */
const showing = (input: SchemaSource) =>
  prompt({ name: "p", description: "A prompt.", input, run: (given: unknown) => JSON.stringify(given) });

describe("prompts/list", () => {
  everyRevision("lists each prompt with the members of the revision [PRM-01 META-01]", async (open, revision) => {
    const review = prompt({
      name: "review",
      title: "Review code",
      description: "Reviews some code.",
      input: {
        type: "object",
        properties: {
          code: { type: "string", title: "The code", description: "What to review." },
          depth: { type: "integer" },
        },
        required: ["code"],
      },
      icons: [{ src: "https://example.com/r.svg" }],
      meta: { "example.com/a": 1 },
      run: () => "",
    });
    const client = await open(serve([review, giving("")]));
    expect((await client.request("prompts/list"))["prompts"]).toEqual([
      {
        name: "review",
        ...(revision >= "2025-06-18" && { title: "Review code" }),
        description: "Reviews some code.",
        arguments: [
          {
            name: "code",
            ...(revision >= "2025-06-18" && { title: "The code" }),
            description: "What to review.",
            required: true,
          },
          { name: "depth", required: false },
        ],
        ...(revision >= "2025-11-25" && { icons: [{ src: "https://example.com/r.svg" }] }),
        ...(revision >= "2025-06-18" && { _meta: { "example.com/a": 1 } }),
      },
      { name: "p", description: "A prompt." },
    ]);
  });

  everyRevision("lists the fields of a zod schema, and which are optional [PRM-01]", async (open) => {
    const input = z.object({ topic: z.string().describe("About what."), tone: z.enum(["dry", "warm"]).default("dry") });
    const client = await open(serve([showing(input)]));
    expect((await client.request("prompts/list"))["prompts"]).toMatchObject([
      {
        arguments: [
          { name: "topic", description: "About what.", required: true },
          { name: "tone", required: false },
        ],
      },
    ]);
  });
});

describe("prompts/get", () => {
  everyRevision("converts what a prompt returns to messages of one block each [PRM-02]", async (open) => {
    const said = { type: "text", text: "Hello" };
    for (const [value, messages] of [
      ["Hello", [{ role: "user", content: said }]],
      [text("Hello"), [{ role: "user", content: said }]],
      [user("Hello"), [{ role: "user", content: said }]],
      [
        content(text("Hello"), text("Hello")),
        [
          { role: "user", content: said },
          { role: "user", content: said },
        ],
      ],
      [
        [user("Hello"), assistant(text("Hello"))],
        [
          { role: "user", content: said },
          { role: "assistant", content: said },
        ],
      ],
      [[], []],
    ] as const) {
      const client = await open(serve([giving(value)]));
      expect(await client.request("prompts/get", { name: "p" })).toMatchObject({ description: "A prompt.", messages });
    }
  });

  everyRevision(
    "converts content types that the revision does not have [TOOL-15 RES-04 META-01]",
    async (open, revision) => {
      const old = { audience: ["user" as const], priority: 1, lastModified: "2026-01-31T00:00:00Z" };
      const client = await open(
        serve([
          giving([
            user(annotated(text("words"), old)),
            user(image(new Uint8Array([1]), "image/png")),
            user(audio("AQ==", "audio/wav")),
            assistant(embeddedResource("x:a", { text: "inside" }, "text/plain")),
            user(resourceLink("x:b", "b", { title: "B", icons: [{ src: "https://example.com/b.png" }] })),
            user({ ...text("noted"), _meta: { "example.com/a": 1 } }),
          ]),
        ]),
      );
      const { messages } = (await client.request("prompts/get", { name: "p" })) as { messages: JsonObject[] };
      const isNew = revision >= "2025-06-18";
      expect(messages.map((message) => message["content"])).toEqual([
        {
          type: "text",
          text: "words",
          annotations: { audience: ["user"], priority: 1, ...(isNew && { lastModified: "2026-01-31T00:00:00Z" }) },
        },
        { type: "image", data: "AQ==", mimeType: "image/png" },
        revision === "2024-11-05"
          ? { type: "resource", resource: { uri: "content:audio", mimeType: "audio/wav", blob: "AQ==" } }
          : { type: "audio", data: "AQ==", mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "x:a", mimeType: "text/plain", text: "inside" } },
        isNew
          ? {
              type: "resource_link",
              uri: "x:b",
              name: "b",
              title: "B",
              ...(revision >= "2025-11-25" && { icons: [{ src: "https://example.com/b.png" }] }),
            }
          : { type: "text", text: "B: x:b" },
        { type: "text", text: "noted", ...(isNew && { _meta: { "example.com/a": 1 } }) },
      ]);
    },
  );

  everyRevision("converts string arguments to the types of the schema [PRM-03]", async (open) => {
    const plain = {
      type: "object",
      properties: {
        name: { type: "string" },
        count: { type: "integer" },
        loud: { type: "boolean" },
        tone: { enum: ["dry", "warm"] },
      },
    };
    const zod = z.object({
      name: z.string(),
      count: z.number().int(),
      loud: z.boolean().default(false),
      tone: z.enum(["dry", "warm"]).optional(),
    });
    for (const input of [plain, zod]) {
      const client = await open(serve([showing(input)], { toolOptions: { correctArguments: false } }));
      const get = async (given: JsonObject) => {
        const { messages } = await client.request("prompts/get", { name: "p", arguments: given });
        const [{ content: said }] = messages as [{ content: { text: string } }];
        return JSON.parse(said.text) as unknown;
      };
      expect(await get({ name: "5", count: "5", loud: "true", tone: "warm" })).toEqual({
        name: "5",
        count: 5,
        loud: true,
        tone: "warm",
      });
      expect(await get({ name: "true", count: "-1", loud: "false" })).toEqual({
        name: "true",
        count: -1,
        loud: false,
      });
    }
  });

  everyRevision("lists every missing, unknown and invalid argument [PRM-04]", async (open) => {
    const input = {
      type: "object",
      properties: { code: { type: "string" }, depth: { type: "integer" }, tone: { enum: ["dry", "warm"] } },
      required: ["code"],
    };
    const client = await open(serve([showing(input)]));
    const refusal = async (given?: JsonObject) => {
      const params = { name: "p", ...(given && { arguments: given }) };
      const error = (await client.startRequest("prompts/get", params).response)["error"] as JsonObject;
      expect(error["code"]).toBe(-32602);
      const { issues } = error["data"] as { issues: string[] };
      expect(error["message"]).toBe(
        ['The arguments of the prompt "p" are invalid:', ...issues.map((issue) => `- ${issue}`)].join("\n"),
      );
      return issues;
    };
    expect(await refusal()).toEqual([expect.stringMatching(/^code: required/)]);
    expect(await refusal({})).toEqual([expect.stringMatching(/^code: required/)]);
    const all = await refusal({ depth: "deep", tone: "loud", colour: "red" });
    expect(all.map((issue) => issue.split(":")[0])).toEqual(
      expect.arrayContaining(["code", "colour", "depth", "tone"]),
    );
    expect(all).toHaveLength(4);
  });

  everyRevision("rejects arguments that are not strings, and names them [PRM-03]", async (open) => {
    const client = await open(serve([showing({ type: "object", properties: { n: { type: "integer" } } })]));
    for (const value of [5, true, null, ["a"], { a: 1 }]) {
      await expect(client.request("prompts/get", { name: "p", arguments: { n: value } })).rejects.toMatchObject({
        code: -32602,
        message: "Invalid params: arguments.n must be a string",
      });
    }
    for (const given of ["{}", ["a"], null, 5]) {
      await expect(client.request("prompts/get", { name: "p", arguments: given })).rejects.toMatchObject({
        code: -32602,
        message: 'Invalid params: "arguments" must be an object',
      });
    }
  });

  everyRevision("rejects an unknown prompt, and suggests the closest name [PRM-04]", async (open) => {
    const client = await open(serve([prompt({ name: "review_code", description: "d", run: () => "" })]));
    await expect(client.request("prompts/get", { name: "reviewCode" })).rejects.toMatchObject({
      code: -32602,
      message: "Unknown prompt: reviewCode",
      data: { didYouMean: "review_code" },
    });
    await expect(client.request("prompts/get", { name: "weather" })).rejects.toMatchObject({ code: -32602 });
    await expect(client.request("prompts/get", { name: 5 })).rejects.toMatchObject({
      code: -32602,
      message: 'Invalid params: "name" must be a string',
    });
    await expect(client.request("prompts/get", {})).rejects.toMatchObject({ code: -32602 });
  });

  everyRevision("hides the error of a prompt that fails [RPC-11 PRM-02]", async (open) => {
    for (const value of [undefined, null, 5, { role: "system", content: text("a") }, [text("a")], { type: "poem" }]) {
      const entries: LogEntry[] = [];
      const client = await open(serve([giving(value)], {}, entries));
      await expect(client.request("prompts/get", { name: "p" })).rejects.toMatchObject({
        code: -32603,
        message: "The prompt failed unexpectedly: the details are in the server's log",
      });
      expect(entries).toMatchObject([
        { error: { message: expect.stringMatching(/^A prompt (?:must return|returned) /) } },
      ]);
    }
    const run = (): string => {
      throw new ToolError("No poems today.", { code: "CLOSED" });
    };
    const client = await open(serve([prompt({ name: "p", description: "d", run })]));
    await expect(client.request("prompts/get", { name: "p" })).rejects.toMatchObject({
      code: -32603,
      message: "No poems today.",
      data: { code: "CLOSED" },
    });
  });

  everyRevision("is aborted by its timeout", async (open) => {
    const run = () => new Promise<string>(() => undefined);
    const client = await open(serve([prompt({ name: "p", description: "d", timeoutMs: 20, run })]));
    await expect(client.request("prompts/get", { name: "p" })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^The prompt "p" did not finish/),
      data: { code: "TIMEOUT" },
    });
  });
});

describe("a prompt that elicits", () => {
  const form = { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] } as const;
  const asking = prompt({
    name: "p",
    description: "d",
    run: async (_input, call) => `Write in a ${(await call.elicit("tone", "Which tone?", form))?.tone} tone.`,
  });

  onRevisions(["2025-11-25", "2025-06-18"], "sends a request and continues with the response", async (open) => {
    const client = await open(serve([asking]), { responses: { tone: { tone: "warm" } } });
    expect(await client.request("prompts/get", { name: "p" })).toMatchObject({
      messages: [{ content: { text: "Write in a warm tone." } }],
    });
  });

  onRevisions([STATELESS], "ends with the input request and runs again with the response", async (open) => {
    const client = await open(serve([asking]));
    const first = await client.request("prompts/get", { name: "p" });
    expect(first).toMatchObject({ resultType: "input_required", inputRequests: { tone: {} } });
    const inputResponses = { tone: { action: "accept", content: { tone: "warm" } } };
    const requestState = first["requestState"] as string;
    expect(await client.request("prompts/get", { name: "p", inputResponses, requestState })).toMatchObject({
      resultType: "complete",
      messages: [{ content: { text: "Write in a warm tone." } }],
    });
  });
});

describe("an invalid definition is rejected", () => {
  const define = (more: object) => () => serve([prompt({ name: "p", description: "d", run: () => "", ...more })]);
  test.each([
    [{ name: "" }, 'Cannot define prompt "": a name has 1 to 128 characters'],
    [{ description: undefined }, 'Cannot define prompt "p": description is missing'],
    [{ run: "text" }, 'Cannot define prompt "p": run is not a function'],
    [{ timeoutMs: -1 }, 'Cannot define prompt "p": timeoutMs must be a positive number'],
    [{ icons: [{ src: "i.png" }] }, 'Cannot define prompt "p": icons[0].src must be an https: or data: URI'],
    [{ arguments: [] }, /^Cannot define prompt "p": unknown option arguments;/],
    [
      { input: { type: "string" } },
      'Cannot register prompt "p": cannot read the input schema: its root must be of type "object"',
    ],
    [
      { complete: { tone: ["dry"] } },
      'Cannot register prompt "p": complete.tone names an unknown argument; the arguments are none',
    ],
  ])("%j [PRM-01]", (more, message) => {
    expect(define(more)).toThrow(message instanceof RegExp ? message : new TypeError(message));
  });

  test("two prompts with the same name", () => {
    expect(() => serve([giving(""), giving("")])).toThrow(
      new TypeError('Cannot register prompt "p": the name "p" is already taken'),
    );
  });
});
