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
    const answer = await call.ask("confirm", `Deploy ${service}?`, sure);
    if (answer === undefined) return "No answer.";
    return answer.sure ? `Deployed ${service}.` : "Left alone.";
  },
});
const said = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });

describe("one handler", () => {
  onRevisions(
    ASKING,
    "asks and goes on with the answer on every revision that has forms [MRTR-11 ELI-03]",
    async (open) => {
      for (const [answer, words] of [
        [{ sure: true }, "Deployed web."],
        [{ sure: false }, "Left alone."],
        ["decline", "No answer."],
        ["cancel", "No answer."],
      ] as const) {
        const client = await open(serverWith([deploy]), { answers: { confirm: answer } });
        expect(await client.callTool("deploy", { service: "web" })).toMatchObject(said(words));
      }
    },
  );

  onRevisions(LIVE, "sends one request of its own for each question [MRTR-11 CLI-02]", async (open) => {
    const client = await open(serverWith([deploy]), { answers: { confirm: { sure: true } } });
    expect(client.heard("elicitation/create")).toEqual([]);
    await client.callTool("deploy", { service: "web" });
    expect(client.heard("elicitation/create")).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "elicitation/create",
        params: {
          message: "Deploy web?",
          requestedSchema: { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] },
          _meta: { "toolwright/question": "confirm" },
        },
      },
    ]);
  });

  onRevisions(
    [STATELESS],
    "sends no request, but ends with bare questions under their names [MRTR-02 MRTR-03]",
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

  onRevisions([STATELESS], "answers input_required to tools/call alone [MRTR-01]", async (open) => {
    const client = await open(serverWith([deploy]), { answers: { confirm: { sure: true } } });
    await client.request("server/discover");
    await client.listTools();
    await client.callTool("deploy", { service: "web" });
    const kinds = client.conversation
      .filter(({ from }) => from === "server")
      .map(({ message }) => (message as { result: { resultType: string } }).result.resultType);
    expect(kinds).toEqual(["complete", "complete", "input_required", "complete"]);
  });

  onRevisions(TOO_OLD, "fails cleanly where nobody can be asked, and can be called again [ELI-01]", async (open) => {
    const client = await open(serverWith([deploy]), { answers: { confirm: { sure: true } } });
    for (let round = 0; round < 2; round += 1) {
      expect(await client.callTool("deploy", { service: "web" })).toMatchObject({
        content: [{ text: "This tool has to ask the user, but the client's revision has no way to ask." }],
        isError: true,
      });
    }
    expect(client.heard("elicitation/create")).toEqual([]);
  });
});

describe("a client that declared no forms", () => {
  for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }, { elicitation: true }]) {
    const named = JSON.stringify(capabilities);

    onRevisions([STATELESS], `is refused with what is missing: ${named} [MRTR-04 CLI-01 ELI-05]`, async (open) => {
      const client = await open(serverWith([deploy]), { capabilities });
      await expect(client.callTool("deploy", { service: "web" })).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: {} } },
      });
    });

    onRevisions(LIVE, `gets a failed result and no question: ${named} [CLI-01 ELI-05]`, async (open) => {
      const client = await open(serverWith([deploy]), { capabilities });
      expect(await client.callTool("deploy", { service: "web" })).toMatchObject({
        isError: true,
        structuredContent: { code: "CANNOT_ASK" },
      });
      expect(client.heard("elicitation/create")).toEqual([]);
    });
  }

  onRevisions([STATELESS], "is judged by the request at hand, not by an earlier one [CLI-01]", async (open) => {
    const server = serverWith([deploy]);
    const client = await open(server);
    const params = { name: "deploy", arguments: { service: "web" } };
    expect(await client.request("tools/call", params)).toMatchObject({ resultType: "input_required" });
    const bare = { "io.modelcontextprotocol/clientCapabilities": {} };
    await expect(client.request("tools/call", { ...params, _meta: bare })).rejects.toMatchObject({ code: -32021 });
  });

  everyRevision("can be served by a handler that does without", async (open) => {
    const patient = tool({
      name: "patient",
      description: "Asks if it can.",
      async run(_input, call) {
        const answer = await call.ask("sure", "Sure?", sure).catch(() => ({ sure: true }));
        return answer?.sure ? "went on" : "stopped";
      },
    });
    const client = await open(serverWith([patient]), { capabilities: {} });
    expect(await client.callTool("patient")).toMatchObject(said("went on"));
  });
});

describe("what a client can be asked for", () => {
  const KINDS = ["ask", "visit", "sample", "sampleWithTools", "roots"] as const;
  const looking = tool({
    name: "looking",
    description: "Looks before it asks.",
    run: (_input, call) => KINDS.filter((kind) => call.can(kind)).join(" "),
  });
  const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
  const POSSIBLE: Readonly<Record<string, string>> = {
    "2024-11-05": "sample roots",
    "2025-03-26": "sample roots",
    "2025-06-18": "ask sample roots",
    "2025-11-25": "ask visit sample sampleWithTools roots",
    [STATELESS]: "ask visit sample sampleWithTools roots",
  };

  everyRevision("is what it declared and its revision has [CLI-01 ELI-05 SAMP-02]", async (open, revision) => {
    const able = await open(serverWith([looking]), { capabilities: all });
    expect(await able.callTool("looking")).toMatchObject(said(POSSIBLE[revision] as string));
    const mute = await open(serverWith([looking]), { capabilities: {} });
    expect(await mute.callTool("looking")).toMatchObject(said(""));
  });

  onRevisions(["2025-11-25", STATELESS], "is told apart by its parts [CLI-01 ELI-05 SAMP-02]", async (open) => {
    for (const [capabilities, kinds] of [
      [{ elicitation: {} }, "ask"],
      [{ elicitation: { form: { applyDefaults: true } } }, "ask"],
      [{ elicitation: { url: {} } }, "visit"],
      [{ sampling: {} }, "sample"],
      [{ sampling: { tools: {} } }, "sample sampleWithTools"],
      [{ roots: { listChanged: true } }, "roots"],
      [{ roots: true, sampling: "yes", elicitation: [] }, ""],
    ] as const) {
      const client = await open(serverWith([looking]), { capabilities: capabilities as never });
      expect(await client.callTool("looking"), JSON.stringify(capabilities)).toMatchObject(said(kinds));
    }
  });

  onRevisions([STATELESS], "is asked by a known name only", async (open) => {
    const entries: LogEntry[] = [];
    const wrong = tool({
      name: "wrong",
      description: "Asks wrongly.",
      run: (_input, call) => call.can("sing" as never),
    });
    const client = await open(serverWith([wrong], {}, entries));
    expect(await client.callTool("wrong")).toMatchObject({ isError: true });
    expect(String(entries[0]?.error)).toBe(
      'TypeError: "sing" is nothing to ask for; there are ask, visit, sample, sampleWithTools, roots, show',
    );
  });
});

describe("prompts and resources", () => {
  const options = {
    prompts: [
      prompt({
        name: "greet",
        description: "Greets by a name that it asks for.",
        run: async (_input, call) => `Hello ${(await call.ask("who", "Who?", z.object({ name: z.string() })))?.name}`,
      }),
    ],
    resources: [
      resource({
        uri: "note:today",
        name: "today",
        read: async (call) => `Note of ${(await call.ask("who", "Who?", z.object({ name: z.string() })))?.name}`,
      }),
    ],
  };

  onRevisions(ASKING, "ask like tools do [MRTR-01 MRTR-11]", async (open) => {
    const client = await open(serverWith([], options), { answers: { who: { name: "Ada" } } });
    expect(await client.getPrompt("greet")).toMatchObject({ messages: [{ content: { text: "Hello Ada" } }] });
    expect(await client.readResource("note:today")).toMatchObject({ contents: [{ text: "Note of Ada" }] });
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(["greet"]);
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(["note:today"]);
  });

  onRevisions([STATELESS], "end with the question [MRTR-01]", async (open) => {
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

  onRevisions(TOO_OLD, "fail cleanly where nobody can be asked [ELI-01]", async (open) => {
    const client = await open(serverWith([], options), { answers: { who: { name: "Ada" } } });
    await expect(client.getPrompt("greet")).rejects.toMatchObject({
      message: "This prompt has to ask the user, but the client's revision has no way to ask.",
    });
    await expect(client.readResource("note:today")).rejects.toMatchObject({
      message: "This resource has to ask the user, but the client's revision has no way to ask.",
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
            if (call.can("ask")) return ["cannot happen"];
            return [(await call.ask("who", "Who?", z.object({ name: z.string() })))?.name ?? ""];
          },
        },
        run: () => "Hello",
      }),
    ],
  };

  everyRevision("asks nobody, for no revision lets it end with a question [MRTR-01]", async (open) => {
    const entries: LogEntry[] = [];
    const client = await open(serverWith([], options, entries), { answers: { who: { name: "Ada" } } });
    const params = { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "name", value: "A" } };
    await expect(client.request("completion/complete", params)).rejects.toMatchObject({ code: -32603 });
    expect(String(entries[0]?.error)).toBe("TypeError: A completion cannot ask: only tools, prompts and resources can");
    expect(client.heard("elicitation/create")).toEqual([]);
  });
});

describe("forms declared by name", () => {
  onRevisions(["2025-11-25", STATELESS], "are asked [ELI-05]", async (open) => {
    const client = await open(serverWith([deploy]), {
      capabilities: { elicitation: { form: {}, url: {} } },
      answers: { confirm: { sure: true } },
    });
    expect(await client.callTool("deploy", { service: "web" })).toMatchObject(said("Deployed web."));
  });
});

describe("asking twice under one name", () => {
  const twice = tool({
    name: "twice",
    description: "Asks twice.",
    async run(_input, call) {
      await call.ask("same", "First?", sure);
      await call.ask("same", "Second?", sure);
      return "never";
    },
  });

  onRevisions(ASKING, "fails the tool, and the log says why", async (open) => {
    const entries: LogEntry[] = [];
    const client = await open(serverWith([twice], {}, entries), { answers: { same: { sure: true } } });
    expect(await client.callTool("twice")).toMatchObject({ isError: true });
    expect(String(entries.at(-1)?.error)).toBe(
      'TypeError: The tool asks twice under the name "same"; give each question a name of its own',
    );
  });
});

describe("a question that is not waited for", () => {
  const careless = tool({
    name: "careless",
    description: "Asks and goes on.",
    run(_input, call) {
      void call.ask("sure", "Sure?", sure);
      return "done";
    },
  });

  onRevisions([STATELESS], "is still asked", async (open) => {
    const client = await open(serverWith([careless]), { answers: { sure: { sure: true } } });
    expect(await client.request("tools/call", { name: "careless" })).toMatchObject({ resultType: "input_required" });
    expect(await client.callTool("careless")).toMatchObject(said("done"));
  });

  onRevisions([STATELESS], "is asked again where its answer is none [MRTR-08]", async (open) => {
    const client = await open(serverWith([careless]));
    const inputResponses = { sure: { action: "maybe" } };
    expect(await client.request("tools/call", { name: "careless", inputResponses })).toMatchObject({
      resultType: "input_required",
    });
  });
});

describe("a handler that catches everything", () => {
  const catching = tool({
    name: "catching",
    description: "Swallows.",
    async run(_input, call) {
      try {
        return (await call.ask("sure", "Sure?", sure))?.sure ? "yes" : "no";
      } catch {
        return "swallowed";
      }
    },
  });

  onRevisions(ASKING, "still asks [MRTR-02]", async (open) => {
    const client = await open(serverWith([catching]), { answers: { sure: { sure: true } } });
    expect(await client.callTool("catching")).toMatchObject(said("yes"));
  });
});
