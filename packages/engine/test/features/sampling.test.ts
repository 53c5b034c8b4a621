import { assistant, audio, image, type LogEntry, resourceLink, text, tool, user } from "@toolwright/engine";
import type { SamplingRequest } from "@toolwright/engine/types";
import { describe, expect } from "vitest";
import { ALL, everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const WITH_ARRAYS = ["2025-11-25", STATELESS];
const ONE_BLOCK = ["2024-11-05", "2025-03-26", "2025-06-18"];

const sampling = (request: SamplingRequest) =>
  tool({
    name: "sampling",
    description: "Asks the model.",
    run: async (_input, call) => ({ said: { ...(await call.sample("ask", request)) } }),
  });

/** The structured content, or the text of it where the revision has none. */
const valueOf = (result: object): unknown => JSON.parse((result as { content: [{ text: string }] }).content[0].text);

const full: SamplingRequest = {
  messages: [
    user("Hello"),
    assistant("Hi"),
    { role: "user", content: [text("What is this?"), image("AAAA", "image/png")] },
  ],
  maxTokens: 50,
  systemPrompt: "Be brief.",
  temperature: 0.5,
  stopSequences: ["END"],
  modelPreferences: { hints: [{ name: "small" }], costPriority: 1 },
  includeContext: "none",
  metadata: { tier: "free" },
};
const passedOn = {
  maxTokens: 50,
  systemPrompt: "Be brief.",
  temperature: 0.5,
  stopSequences: ["END"],
  modelPreferences: { hints: [{ name: "small" }], costPriority: 1 },
  includeContext: "none",
  metadata: { tier: "free" },
};
const first = [
  { role: "user", content: { type: "text", text: "Hello" } },
  { role: "assistant", content: { type: "text", text: "Hi" } },
];
const pieces = [
  { type: "text", text: "What is this?" },
  { type: "image", data: "AAAA", mimeType: "image/png" },
];

describe("call.sample", () => {
  everyRevision("resolves with the response of the client's model [SAMP-01 MRTR-11]", async (open) => {
    const client = await open(serverWith([sampling({ prompt: "Capital of France?" })]), { samples: { ask: "Paris" } });
    expect(valueOf(await client.callTool("sampling"))).toEqual({
      said: {
        role: "assistant",
        content: [{ type: "text", text: "Paris" }],
        text: "Paris",
        model: "test-model",
        stopReason: "endTurn",
      },
    });
  });

  onRevisions(WITH_ARRAYS, "joins the text of several content blocks [SAMP-05]", async (open) => {
    const content = [
      { type: "text", text: "Pa" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "text", text: "ris" },
    ];
    const client = await open(serverWith([sampling({ prompt: "Capital of France?" })]), {
      samples: { ask: { role: "assistant", content, model: "m" } },
    });
    expect(valueOf(await client.callTool("sampling"))).toEqual({
      said: { role: "assistant", content, text: "Paris", model: "m" },
    });
  });

  onRevisions(HANDSHAKE, "sends one request with all options [SAMP-01 CLI-02]", async (open, revision) => {
    const client = await open(serverWith([sampling(full)]), { samples: { ask: "A dot." } });
    await client.callTool("sampling");
    const messages = ONE_BLOCK.includes(revision)
      ? [...first, ...pieces.map((content) => ({ role: "user", content }))]
      : [...first, { role: "user", content: pieces }];
    expect(client.received("sampling/createMessage")).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "sampling/createMessage",
        params: { messages, ...passedOn, _meta: { "toolwright/inputRequest": "ask" } },
      },
    ]);
  });

  onRevisions(
    [STATELESS],
    "ends with a named input request in the stateless revision [MRTR-03 SAMP-01]",
    async (open) => {
      const client = await open(serverWith([sampling(full)]), { samples: {} });
      const { inputRequests } = await client.request("tools/call", { name: "sampling" });
      expect(inputRequests).toEqual({
        ask: {
          method: "sampling/createMessage",
          params: { messages: [...first, { role: "user", content: pieces }], ...passedOn },
        },
      });
    },
  );

  onRevisions(
    [STATELESS],
    "repeats the request if the result is invalid, in the stateless revision [MRTR-08]",
    async (open) => {
      const said = { role: "assistant", model: "m", content: { type: "text", text: "Paris" } };
      const given: object[] = [
        {},
        { ...said, model: 7 },
        { ...said, role: "system" },
        { ...said, content: { type: "text" } },
        { ...said, content: [{ type: "thought", text: "x" }] },
        { ...said, content: { type: "tool_use", id: "1", name: "x", input: {} } },
        { ...said, stopReason: 7 },
        said,
      ];
      const client = await open(serverWith([sampling({ prompt: "Capital?" })]), {
        samples: () => given.shift() as never,
      });
      expect(valueOf(await client.callTool("sampling"))).toMatchObject({ said: { text: "Paris" } });
      expect(given).toEqual([]);
    },
  );

  onRevisions(HANDSHAKE, "fails with an explanation if the result is invalid [CLI-04]", async (open) => {
    const client = await open(serverWith([sampling({ prompt: "Capital?" })]), {
      samples: { ask: { role: "assistant", content: { type: "text", text: "Paris" } } },
    });
    expect(await client.callTool("sampling")).toMatchObject({
      content: [{ text: "The client's sampling result is invalid: its model must be a string." }],
      isError: true,
    });
  });
});

describe("block members that the revision does not have", () => {
  const annotations = { priority: 1, lastModified: "2025-01-01T00:00:00Z" };
  const block = { ...text("Hello"), _meta: { "example.com/x": 1 }, annotations };
  const KNOWN = { type: "text", text: "Hello", annotations: { priority: 1 } };

  onRevisions(HANDSHAKE, "are omitted [SAMP-01]", async (open, revision) => {
    const client = await open(serverWith([sampling({ messages: [user(block)] })]), { samples: { ask: "ok" } });
    await client.callTool("sampling");
    const content = revision < "2025-06-18" ? KNOWN : { ...KNOWN, _meta: { "example.com/x": 1 }, annotations };
    expect(client.received("sampling/createMessage")[0]).toMatchObject({
      params: { messages: [{ role: "user", content }] },
    });
    expect(JSON.stringify(client.received("sampling/createMessage")).includes("lastModified")).toBe(
      revision >= "2025-06-18",
    );
    expect(JSON.stringify(client.received("sampling/createMessage")).includes("example.com/x")).toBe(
      revision >= "2025-06-18",
    );
  });
});

describe("audio", () => {
  const sound: SamplingRequest = { messages: [{ role: "user", content: audio("AAAA", "audio/wav") }] };

  onRevisions(ALL.slice(0, -1), "is supported from 2025-03-26 on [SAMP-01]", async (open) => {
    const client = await open(serverWith([sampling(sound)]), { samples: { ask: "A bell." } });
    expect(valueOf(await client.callTool("sampling"))).toMatchObject({ said: { text: "A bell." } });
  });

  onRevisions(
    ["2024-11-05"],
    "is not supported before, and the tool fails with an explanation [SAMP-01]",
    async (open) => {
      const client = await open(serverWith([sampling(sound)]), { samples: { ask: "A bell." } });
      expect(await client.callTool("sampling")).toMatchObject({
        content: [
          {
            text: "This tool cannot send sampling/createMessage: the client's revision does not support audio in sampling.",
          },
        ],
        isError: true,
      });
      expect(client.received("sampling/createMessage")).toEqual([]);
    },
  );
});

describe("a client without the sampling capability", () => {
  onRevisions(HANDSHAKE, "gets an error result and no request [CLI-01]", async (open) => {
    const client = await open(serverWith([sampling({ prompt: "?" })]), { capabilities: { elicitation: {} } });
    expect(await client.callTool("sampling")).toMatchObject({
      content: [{ text: "This tool cannot send sampling/createMessage: the client did not declare sampling." }],
      isError: true,
    });
    expect(client.received("sampling/createMessage")).toEqual([]);
  });

  onRevisions([STATELESS], "gets an error that names the missing capability [CLI-01 MRTR-04]", async (open) => {
    const client = await open(serverWith([sampling({ prompt: "?" })]), { capabilities: { elicitation: {} } });
    await expect(client.callTool("sampling")).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
  });
});

describe("includeContext", () => {
  const request: SamplingRequest = { prompt: "?", includeContext: "thisServer" };

  onRevisions(
    ["2025-11-25"],
    "requires the capability sampling.context, else an error result [SAMP-04]",
    async (open) => {
      const without = await open(serverWith([sampling(request)]), { capabilities: { sampling: { tools: {} } } });
      expect(await without.callTool("sampling")).toMatchObject({
        content: [{ text: expect.stringContaining("the client did not declare sampling.context") }],
        isError: true,
      });
      expect(without.received("sampling/createMessage")).toEqual([]);
    },
  );

  onRevisions([STATELESS], "requires the capability sampling.context, else error -32021 [SAMP-04]", async (open) => {
    const client = await open(serverWith([sampling(request)]), { capabilities: { sampling: {} } });
    await expect(client.callTool("sampling")).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: { context: {} } } },
    });
  });

  onRevisions(WITH_ARRAYS, "is sent if the capability is declared [SAMP-04]", async (open) => {
    const client = await open(serverWith([sampling(request)]), {
      capabilities: { sampling: { context: {} } },
      samples: { ask: "ok" },
    });
    expect(valueOf(await client.callTool("sampling"))).toMatchObject({ said: { text: "ok" } });
  });

  onRevisions(ONE_BLOCK, "requires no capability before 2025-11-25 [SAMP-04]", async (open) => {
    const client = await open(serverWith([sampling(request)]), {
      capabilities: { sampling: {} },
      samples: { ask: "ok" },
    });
    expect(valueOf(await client.callTool("sampling"))).toMatchObject({ said: { text: "ok" } });
    expect(client.received("sampling/createMessage")[0]).toMatchObject({ params: { includeContext: "thisServer" } });
  });
});

describe("an invalid sampling request", () => {
  const invalid: [request: object, reason: string][] = [
    [{}, "specify either prompt or messages"],
    [{ prompt: "a", messages: [user("b")] }, "specify either prompt or messages"],
    [{ messages: [{ role: "user", content: [] }] }, "message 0 must consist of text, image or audio blocks"],
    [{ messages: [user(resourceLink("file:///a", "a"))] }, "message 0 must consist of text, image or audio blocks"],
  ];

  onRevisions(WITH_ARRAYS, "fails the tool before it is sent, and the log says why", async (open) => {
    for (const [request, reason] of invalid) {
      const entries: LogEntry[] = [];
      const client = await open(serverWith([sampling(request as never)], {}, entries), { samples: { ask: "x" } });
      expect(await client.callTool("sampling")).toMatchObject({ isError: true });
      expect(String(entries[0]?.error)).toContain(`TypeError: Cannot sample "ask": ${reason}`);
      expect(client.received("sampling/createMessage")).toEqual([]);
    }
  });
});
