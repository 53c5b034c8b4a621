import { type LogEntry, prompt, resource, tool } from "@toolwright/engine";
import { describe, expect } from "vitest";
import { z } from "zod";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const ASKING = ["2025-06-18", "2025-11-25", STATELESS];
const LIVE = ["2025-06-18", "2025-11-25"];
const TOO_OLD = ["2024-11-05", "2025-03-26"];

const sure = z.object({ sure: z.boolean() });
const deploy = tool({
  name: "deploy",
  description: "Deploys.",
  input: z.object({ service: z.string() }),
  async run({ service }, call) {
    const answer = await call.elicit("confirm", `Deploy ${service}?`, sure);
    if (answer === undefined) return "No answer.";
    return answer.sure ? `Deployed ${service}.` : "Left alone.";
  },
});
const textResult = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });

describe("call.elicit", () => {
  onRevisions(ASKING, "resolves with the response in every revision that has forms [MRTR-11 ELI-03]", async (open) => {
    for (const [answer, words] of [
      [{ sure: true }, "Deployed web."],
      [{ sure: false }, "Left alone."],
      ["decline", "No answer."],
      ["cancel", "No answer."],
    ] as const) {
      const client = await open(serverWith([deploy]), { responses: { confirm: answer } });
      expect(await client.callTool("deploy", { service: "web" })).toMatchObject(textResult(words));
    }
  });

  onRevisions(
    LIVE,
    "sends one request per elicitation in revisions with a handshake [MRTR-11 CLI-02]",
    async (open) => {
      const client = await open(serverWith([deploy]), { responses: { confirm: { sure: true } } });
      expect(client.received("elicitation/create")).toEqual([]);
      await client.callTool("deploy", { service: "web" });
      expect(client.received("elicitation/create")).toEqual([
        {
          jsonrpc: "2.0",
          id: 1,
          method: "elicitation/create",
          params: {
            message: "Deploy web?",
            requestedSchema: { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] },
            _meta: { "toolwright/inputRequest": "confirm" },
          },
        },
      ]);
    },
  );

  onRevisions(
    [STATELESS],
    "ends the call with named inputRequests in the stateless revision [MRTR-02 MRTR-03]",
    async (open) => {
      const client = await open(serverWith([deploy]));
      const result = await client.request("tools/call", { name: "deploy", arguments: { service: "web" } });
      expect(result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
      expect(result["inputRequests"]).toEqual({
        confirm: {
          method: "elicitation/create",
          params: {
            message: "Deploy web?",
            requestedSchema: { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] },
          },
        },
      });
      expect(Object.keys(result).toSorted()).toEqual(["_meta", "inputRequests", "requestState", "resultType"]);
    },
  );

  onRevisions([STATELESS], "returns input_required only for tools/call [MRTR-01]", async (open) => {
    const client = await open(serverWith([deploy]), { responses: { confirm: { sure: true } } });
    await client.request("server/discover");
    await client.listTools();
    await client.callTool("deploy", { service: "web" });
    const kinds = client.conversation
      .filter(({ from }) => from === "server")
      .map(({ message }) => (message as { result: { resultType: string } }).result.resultType);
    expect(kinds).toEqual(["complete", "complete", "input_required", "complete"]);
  });

  onRevisions(
    TOO_OLD,
    "fails with an explanation if the client has no forms, and the tool can be called again [ELI-01]",
    async (open) => {
      const client = await open(serverWith([deploy]), { responses: { confirm: { sure: true } } });
      for (let round = 0; round < 2; round += 1) {
        expect(await client.callTool("deploy", { service: "web" })).toMatchObject({
          content: [
            { text: "This tool cannot send elicitation/create: the client's revision does not support elicitation." },
          ],
          isError: true,
        });
      }
      expect(client.received("elicitation/create")).toEqual([]);
    },
  );
});

describe("a client without the elicitation capability", () => {
  for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }, { elicitation: true }]) {
    const named = JSON.stringify(capabilities);

    onRevisions(
      [STATELESS],
      `gets an error that names the missing capability: ${named} [MRTR-04 CLI-01 ELI-05]`,
      async (open) => {
        const client = await open(serverWith([deploy]), { capabilities });
        await expect(client.callTool("deploy", { service: "web" })).rejects.toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { elicitation: {} } },
        });
      },
    );

    onRevisions(LIVE, `gets an error result and no request: ${named} [CLI-01 ELI-05]`, async (open) => {
      const client = await open(serverWith([deploy]), { capabilities });
      expect(await client.callTool("deploy", { service: "web" })).toMatchObject({
        isError: true,
        structuredContent: { code: "CANNOT_ASK" },
      });
      expect(client.received("elicitation/create")).toEqual([]);
    });
  }

  onRevisions(
    [STATELESS],
    "is recognized by the capabilities of the current request, not an earlier one [CLI-01]",
    async (open) => {
      const server = serverWith([deploy]);
      const client = await open(server);
      const params = { name: "deploy", arguments: { service: "web" } };
      expect(await client.request("tools/call", params)).toMatchObject({ resultType: "input_required" });
      const bare = { "io.modelcontextprotocol/clientCapabilities": {} };
      await expect(client.request("tools/call", { ...params, _meta: bare })).rejects.toMatchObject({ code: -32021 });
    },
  );

  everyRevision("can be served by a handler that checks call.supports", async (open) => {
    const patient = tool({
      name: "patient",
      description: "Asks if it can.",
      async run(_input, call) {
        const answer = await call.elicit("sure", "Sure?", sure).catch(() => ({ sure: true }));
        return answer?.sure ? "went on" : "stopped";
      },
    });
    const client = await open(serverWith([patient]), { capabilities: {} });
    expect(await client.callTool("patient")).toMatchObject(textResult("went on"));
  });
});

describe("call.supports", () => {
  const KINDS = ["elicit", "elicitUrl", "sample", "sampleWithTools", "roots"] as const;
  const looking = tool({
    name: "looking",
    description: "Looks before it asks.",
    run: (_input, call) => KINDS.filter((kind) => call.supports(kind)).join(" "),
  });
  const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
  const POSSIBLE: Readonly<Record<string, string>> = {
    "2024-11-05": "sample roots",
    "2025-03-26": "sample roots",
    "2025-06-18": "elicit sample roots",
    "2025-11-25": "elicit elicitUrl sample sampleWithTools roots",
    [STATELESS]: "elicit elicitUrl sample sampleWithTools roots",
  };

  everyRevision(
    "is true if the client declared the capability and its revision has the feature [CLI-01 ELI-05 SAMP-02]",
    async (open, revision) => {
      const able = await open(serverWith([looking]), { capabilities: all });
      expect(await able.callTool("looking")).toMatchObject(textResult(POSSIBLE[revision] as string));
      const mute = await open(serverWith([looking]), { capabilities: {} });
      expect(await mute.callTool("looking")).toMatchObject(textResult(""));
    },
  );

  onRevisions(
    ["2025-11-25", STATELESS],
    "distinguishes sampling with and without tools [CLI-01 ELI-05 SAMP-02]",
    async (open) => {
      for (const [capabilities, kinds] of [
        [{ elicitation: {} }, "elicit"],
        [{ elicitation: { form: { applyDefaults: true } } }, "elicit"],
        [{ elicitation: { url: {} } }, "elicitUrl"],
        [{ sampling: {} }, "sample"],
        [{ sampling: { tools: {} } }, "sample sampleWithTools"],
        [{ roots: { listChanged: true } }, "roots"],
        [{ roots: true, sampling: "yes", elicitation: [] }, ""],
      ] as const) {
        const client = await open(serverWith([looking]), { capabilities: capabilities as never });
        expect(await client.callTool("looking"), JSON.stringify(capabilities)).toMatchObject(textResult(kinds));
      }
    },
  );

  onRevisions([STATELESS], "throws for an unknown feature", async (open) => {
    const entries: LogEntry[] = [];
    const wrong = tool({
      name: "wrong",
      description: "Asks wrongly.",
      run: (_input, call) => call.supports("sing" as never),
    });
    const client = await open(serverWith([wrong], {}, entries));
    expect(await client.callTool("wrong")).toMatchObject({ isError: true });
    expect(String(entries[0]?.error)).toBe(
      'TypeError: "sing" is not a client feature; use one of elicit, elicitUrl, sample, sampleWithTools, roots, apps',
    );
  });
});

describe("prompts and resources", () => {
  const options = {
    prompts: [
      prompt({
        name: "greet",
        description: "Greets by a name that it asks for.",
        run: async (_input, call) =>
          `Hello ${(await call.elicit("who", "Who?", z.object({ name: z.string() })))?.name}`,
      }),
    ],
    resources: [
      resource({
        uri: "note:today",
        name: "today",
        read: async (call) => `Note of ${(await call.elicit("who", "Who?", z.object({ name: z.string() })))?.name}`,
      }),
    ],
  };

  onRevisions(ASKING, "can elicit like tools [MRTR-01 MRTR-11]", async (open) => {
    const client = await open(serverWith([], options), { responses: { who: { name: "Ada" } } });
    expect(await client.getPrompt("greet")).toMatchObject({ messages: [{ content: { text: "Hello Ada" } }] });
    expect(await client.readResource("note:today")).toMatchObject({ contents: [{ text: "Note of Ada" }] });
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(["greet"]);
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(["note:today"]);
  });

  onRevisions([STATELESS], "end with the input request in the stateless revision [MRTR-01]", async (open) => {
    const client = await open(serverWith([], options));
    for (const [method, params] of [
      ["prompts/get", { name: "greet" }],
      ["resources/read", { uri: "note:today" }],
    ] as const) {
      expect(await client.request(method, params)).toMatchObject({
        resultType: "input_required",
        inputRequests: { who: { method: "elicitation/create" } },
      });
    }
  });

  onRevisions(TOO_OLD, "fail with an explanation if the client has no forms [ELI-01]", async (open) => {
    const client = await open(serverWith([], options), { responses: { who: { name: "Ada" } } });
    await expect(client.getPrompt("greet")).rejects.toMatchObject({
      message: "This prompt cannot send elicitation/create: the client's revision does not support elicitation.",
    });
    await expect(client.readResource("note:today")).rejects.toMatchObject({
      message: "This resource cannot send elicitation/create: the client's revision does not support elicitation.",
    });
  });
});

describe("a completion", () => {
  const options = {
    prompts: [
      prompt({
        name: "greet",
        description: "Greets.",
        input: z.object({ name: z.string() }),
        complete: {
          name: async (_typed, _others, call) => {
            if (call.supports("elicit")) return ["cannot happen"];
            return [(await call.elicit("who", "Who?", z.object({ name: z.string() })))?.name ?? ""];
          },
        },
        run: () => "Hello",
      }),
    ],
  };

  everyRevision("cannot elicit in any revision [MRTR-01]", async (open) => {
    const entries: LogEntry[] = [];
    const client = await open(serverWith([], options, entries), { responses: { who: { name: "Ada" } } });
    const params = { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "name", value: "A" } };
    await expect(client.request("completion/complete", params)).rejects.toMatchObject({ code: -32603 });
    expect(String(entries[0]?.error)).toBe(
      "TypeError: completion/complete cannot send requests to the client: only tools, prompts and resources/read can",
    );
    expect(client.received("elicitation/create")).toEqual([]);
  });
});

describe("the capability elicitation.form", () => {
  onRevisions(["2025-11-25", STATELESS], "enables forms [ELI-05]", async (open) => {
    const client = await open(serverWith([deploy]), {
      capabilities: { elicitation: { form: {}, url: {} } },
      responses: { confirm: { sure: true } },
    });
    expect(await client.callTool("deploy", { service: "web" })).toMatchObject(textResult("Deployed web."));
  });
});

describe("two elicitations with the same name", () => {
  const twice = tool({
    name: "twice",
    description: "Asks twice.",
    async run(_input, call) {
      await call.elicit("same", "First?", sure);
      await call.elicit("same", "Second?", sure);
      return "never";
    },
  });

  onRevisions(ASKING, "fail the tool, and the log says why", async (open) => {
    const entries: LogEntry[] = [];
    const client = await open(serverWith([twice], {}, entries), { responses: { same: { sure: true } } });
    expect(await client.callTool("twice")).toMatchObject({ isError: true });
    expect(String(entries.at(-1)?.error)).toBe('TypeError: Two input requests of this call have the name "same"');
  });
});

describe("an elicitation that the handler does not await", () => {
  const careless = tool({
    name: "careless",
    description: "Asks and goes on.",
    run(_input, call) {
      void call.elicit("sure", "Sure?", sure);
      return "done";
    },
  });

  onRevisions([STATELESS], "is still sent", async (open) => {
    const client = await open(serverWith([careless]), { responses: { sure: { sure: true } } });
    expect(await client.request("tools/call", { name: "careless" })).toMatchObject({ resultType: "input_required" });
    expect(await client.callTool("careless")).toMatchObject(textResult("done"));
  });

  onRevisions([STATELESS], "is sent again if the response is invalid [MRTR-08]", async (open) => {
    const client = await open(serverWith([careless]));
    const inputResponses = { sure: { action: "maybe" } };
    expect(await client.request("tools/call", { name: "careless", inputResponses })).toMatchObject({
      resultType: "input_required",
    });
  });
});

describe("a handler that catches all errors", () => {
  const catching = tool({
    name: "catching",
    description: "Swallows.",
    async run(_input, call) {
      try {
        return (await call.elicit("sure", "Sure?", sure))?.sure ? "yes" : "no";
      } catch {
        return "swallowed";
      }
    },
  });

  onRevisions(ASKING, "still sends its elicitation [MRTR-02]", async (open) => {
    const client = await open(serverWith([catching]), { responses: { sure: { sure: true } } });
    expect(await client.callTool("catching")).toMatchObject(textResult("yes"));
  });
});
