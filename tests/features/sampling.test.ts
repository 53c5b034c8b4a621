import {
  assistant,
  audio,
  image,
  type LogEntry,
  resourceLink,
  type SampleRequest,
  text,
  tool,
  user,
} from "@toolwright/engine";
import { describe, expect } from "vitest";
import { ALL, everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const WITH_ARRAYS = ["2025-11-25", STATELESS];
const ONE_BLOCK = ["2024-11-05", "2025-03-26", "2025-06-18"];

const sampling = (request: SampleRequest) =>
  tool({
    name: "sampling",
    description: "Asks the model.",
    run: async (_input, call) => ({ said: { ...(await call.sample("ask", request)) } }),
  });

/** The structured content, or the text of it where the revision has none. */
const valueOf = (result: object): unknown => JSON.parse((result as { content: [{ text: string }] }).content[0].text);

const full: SampleRequest = {
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

describe("one handler", () => {
  everyRevision("asks the client's model and goes on with what it said [SAMP-01 MRTR-11]", async (open) => {
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

  onRevisions(WITH_ARRAYS, "gives all text of an answer in several blocks [SAMP-05]", async (open) => {
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

  onRevisions(HANDSHAKE, "sends one request, with all that it was given [SAMP-01 CLI-02]", async (open, revision) => {
    const client = await open(serverWith([sampling(full)]), { samples: { ask: "A dot." } });
    await client.callTool("sampling");
    const messages = ONE_BLOCK.includes(revision)
      ? [...first, ...pieces.map((content) => ({ role: "user", content }))]
      : [...first, { role: "user", content: pieces }];
    expect(client.heard("sampling/createMessage")).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "sampling/createMessage",
        params: { messages, ...passedOn, _meta: { "toolwright/question": "ask" } },
      },
    ]);
  });

  onRevisions([STATELESS], "ends with a bare request under its name [MRTR-03 SAMP-01]", async (open) => {
    const client = await open(serverWith([sampling(full)]), { samples: {} });
    const { inputRequests } = await client.request("tools/call", { name: "sampling" });
    expect(inputRequests).toEqual({
      ask: {
        method: "sampling/createMessage",
        params: { messages: [...first, { role: "user", content: pieces }], ...passedOn },
      },
    });
  });

  onRevisions([STATELESS], "is asked again where the answer cannot be read [MRTR-08]", async (open) => {
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
  });

  onRevisions(HANDSHAKE, "fails in words where the answer cannot be read [CLI-04]", async (open) => {
    const client = await open(serverWith([sampling({ prompt: "Capital?" })]), {
      samples: { ask: { role: "assistant", content: { type: "text", text: "Paris" } } },
    });
    expect(await client.callTool("sampling")).toMatchObject({
      content: [{ text: "The answer of the client's model could not be read: it does not name the model." }],
      isError: true,
    });
  });
});

describe("what older clients do not know of a block", () => {
  const annotations = { priority: 1, lastModified: "2025-01-01T00:00:00Z" };
  const block = { ...text("Hello"), _meta: { "example.com/x": 1 }, annotations };
  const KNOWN = { type: "text", text: "Hello", annotations: { priority: 1 } };

  onRevisions(HANDSHAKE, "is left out for them [SAMP-01]", async (open, revision) => {
    const client = await open(serverWith([sampling({ messages: [user(block)] })]), { samples: { ask: "ok" } });
    await client.callTool("sampling");
    const content = revision < "2025-06-18" ? KNOWN : { ...KNOWN, _meta: { "example.com/x": 1 }, annotations };
    expect(client.heard("sampling/createMessage")[0]).toMatchObject({
      params: { messages: [{ role: "user", content }] },
    });
    expect(JSON.stringify(client.heard("sampling/createMessage")).includes("lastModified")).toBe(
      revision >= "2025-06-18",
    );
    expect(JSON.stringify(client.heard("sampling/createMessage")).includes("example.com/x")).toBe(
      revision >= "2025-06-18",
    );
  });
});

describe("sound", () => {
  const sound: SampleRequest = { messages: [{ role: "user", content: audio("AAAA", "audio/wav") }] };

  onRevisions(ALL.slice(0, -1), "may be asked about from 2025-03-26 on [SAMP-01]", async (open) => {
    const client = await open(serverWith([sampling(sound)]), { samples: { ask: "A bell." } });
    expect(valueOf(await client.callTool("sampling"))).toMatchObject({ said: { text: "A bell." } });
  });

  onRevisions(["2024-11-05"], "cannot before, and the tool says so [SAMP-01]", async (open) => {
    const client = await open(serverWith([sampling(sound)]), { samples: { ask: "A bell." } });
    expect(await client.callTool("sampling")).toMatchObject({
      content: [
        { text: "This tool has to use the client's model, but the client's revision has no sound in sampling." },
      ],
      isError: true,
    });
    expect(client.heard("sampling/createMessage")).toEqual([]);
  });
});

describe("a client that declared no sampling", () => {
  onRevisions(HANDSHAKE, "gets a failed result and no question [CLI-01]", async (open) => {
    const client = await open(serverWith([sampling({ prompt: "?" })]), { capabilities: { elicitation: {} } });
    expect(await client.callTool("sampling")).toMatchObject({
      content: [
        { text: "This tool has to use the client's model, and this client cannot be asked (it declared no sampling)." },
      ],
      isError: true,
    });
    expect(client.heard("sampling/createMessage")).toEqual([]);
  });

  onRevisions([STATELESS], "is refused with what is missing [CLI-01 MRTR-04]", async (open) => {
    const client = await open(serverWith([sampling({ prompt: "?" })]), { capabilities: { elicitation: {} } });
    await expect(client.callTool("sampling")).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
  });
});

describe("context of servers", () => {
  const request: SampleRequest = { prompt: "?", includeContext: "thisServer" };

  onRevisions(["2025-11-25"], "is asked for only where declared [SAMP-04]", async (open) => {
    const without = await open(serverWith([sampling(request)]), { capabilities: { sampling: { tools: {} } } });
    expect(await without.callTool("sampling")).toMatchObject({
      content: [{ text: expect.stringContaining("it declared no sampling.context") }],
      isError: true,
    });
    expect(without.heard("sampling/createMessage")).toEqual([]);
  });

  onRevisions([STATELESS], "is asked for only where declared, else -32021 [SAMP-04]", async (open) => {
    const client = await open(serverWith([sampling(request)]), { capabilities: { sampling: {} } });
    await expect(client.callTool("sampling")).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: { context: {} } } },
    });
  });

  onRevisions(WITH_ARRAYS, "is asked for where declared [SAMP-04]", async (open) => {
    const client = await open(serverWith([sampling(request)]), {
      capabilities: { sampling: { context: {} } },
      samples: { ask: "ok" },
    });
    expect(valueOf(await client.callTool("sampling"))).toMatchObject({ said: { text: "ok" } });
  });

  onRevisions(ONE_BLOCK, "needs no mention before 2025-11-25 [SAMP-04]", async (open) => {
    const client = await open(serverWith([sampling(request)]), {
      capabilities: { sampling: {} },
      samples: { ask: "ok" },
    });
    expect(valueOf(await client.callTool("sampling"))).toMatchObject({ said: { text: "ok" } });
    expect(client.heard("sampling/createMessage")[0]).toMatchObject({ params: { includeContext: "thisServer" } });
  });
});

describe("a sampling that the author got wrong", () => {
  onRevisions(WITH_ARRAYS, "fails the tool before anything is asked, and the log says why", async (open) => {
    for (const [request, reason] of [
      [{}, "give a prompt, or messages"],
      [{ prompt: "a", messages: [user("b")] }, "give a prompt, or messages"],
      [{ messages: [] }, "messages must be a list with at least one message"],
      [{ prompt: "a", maxTokens: 0 }, "maxTokens must be a positive whole number"],
      [{ prompt: "a", maxtokens: 5 }, "maxtokens is unknown; did you mean maxTokens?"],
      [{ prompt: "a", includeContext: "all" }, "includeContext must be none, thisServer or allServers"],
      [{ prompt: "a", temperature: Number.NaN }, "temperature must be a number"],
      [{ prompt: "a", systemPrompt: 5 }, "systemPrompt must be text"],
      [{ prompt: "a", stopSequences: "stop" }, "stopSequences must be a list of texts"],
      [{ prompt: "a", metadata: [] }, "metadata must be an object"],
      [
        { prompt: "a", modelPreferences: { costPriority: 2 } },
        "modelPreferences must be an object with hints and priorities from 0 to 1",
      ],
      [
        { prompt: "a", modelPreferences: { hints: ["small"] } },
        "modelPreferences must be an object with hints and priorities from 0 to 1",
      ],
      [{ prompt: "a", toolChoice: "any" }, "toolChoice must be auto, required or none"],
      [{ prompt: "a", rounds: 0.5 }, "rounds must be a positive whole number"],
      [{ messages: [{ role: "system", content: "a" }] }, "message 0 must be of the role user or assistant"],
      [{ messages: [{ role: "user", content: [] }] }, "message 0 must hold text, images or sound, and nothing else"],
      [
        { messages: [user(resourceLink("file:///a", "a"))] },
        "message 0 must hold text, images or sound, and nothing else",
      ],
    ] as const) {
      const entries: LogEntry[] = [];
      const client = await open(serverWith([sampling(request as never)], {}, entries), { samples: { ask: "x" } });
      expect(await client.callTool("sampling")).toMatchObject({ isError: true });
      expect(String(entries[0]?.error)).toBe(`TypeError: Cannot sample "ask": ${reason}`);
      expect(client.heard("sampling/createMessage")).toEqual([]);
    }
  });
});
