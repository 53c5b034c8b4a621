import { content, image, type LogEntry, type Tool, ToolError, text, tool } from "@toolwright/engine";
import type { TestSample } from "@toolwright/engine/testing";
import type { SamplingRequest } from "@toolwright/engine/types";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { settled, Wire } from "./wire.js";

const BOTH = ["2025-11-25", STATELESS];
type Params = { messages: { role: string; content: unknown }[]; toolChoice: unknown; tools: { name: string }[] };

let rolls = 0;
const roll = tool({
  name: "roll",
  description: "Rolls a die, never the same.",
  input: z.object({ sides: z.number().int() }),
  run: ({ sides }) => {
    rolls += 1;
    return `rolled ${rolls} of ${sides}`;
  },
});
const fail = tool({ name: "fail", description: "Fails.", run: () => Promise.reject(new ToolError("Out of dice.")) });
const crash = tool({ name: "crash", description: "Crashes.", run: () => Promise.reject(new Error("secret")) });
const draw = tool({
  name: "draw",
  description: "Draws.",
  run: () => content(text("a dot"), image("AAAA", "image/png")),
});
const count = tool({
  name: "count",
  description: "Counts.",
  output: z.object({ n: z.number() }),
  run: () => ({ n: 3 }),
});

const use = (id: string, name: string, input: object = {}) => ({ type: "tool_use", id, name, input });
const uses = (...blocks: object[]): TestSample =>
  ({
    role: "assistant",
    content: blocks.length === 1 ? blocks[0] : blocks,
    model: "m",
    stopReason: "toolUse",
  }) as never;

const playing = (tools: readonly Tool[], more: Partial<SamplingRequest> = {}) =>
  tool({
    name: "play",
    description: "Lets the model play.",
    run: async (_input, call) =>
      (await call.sample("game", { prompt: "Play.", tools, ...more } as SamplingRequest)).text,
  });
const textResult = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });

/** A model that says one thing after the other, and all that it was asked. */
function model(...answers: TestSample[]) {
  const asked: [name: string, params: Params][] = [];
  const samples = (name: string, params: object): TestSample => {
    asked.push([name, params as Params]);
    return answers[asked.length - 1] ?? "out of words";
  };
  return { asked, samples };
}

describe("sampling with tools", () => {
  onRevisions(
    BOTH,
    "runs the tools until the model answers, the same with and without a handshake [SAMP-03 SAMP-05 MRTR-11]",
    async (open) => {
      rolls = 0;
      const game = model(
        uses(use("a", "roll", { sides: 6 }), use("b", "roll", { sides: 20 })),
        uses(use("c", "roll", { sides: 2 })),
        "I win.",
      );
      const client = await open(serverWith([playing([roll])]), { samples: game.samples });
      expect(await client.callTool("play")).toMatchObject(textResult("I win."));
      expect(rolls).toBe(3);
      expect(game.asked.map(([name]) => name)).toEqual(["game", "game.2", "game.3"]);
      expect(game.asked.map(([, { messages }]) => messages.length)).toEqual([1, 3, 5]);
      expect(game.asked[2]?.[1].messages).toEqual([
        { role: "user", content: { type: "text", text: "Play." } },
        { role: "assistant", content: [use("a", "roll", { sides: 6 }), use("b", "roll", { sides: 20 })] },
        {
          role: "user",
          content: [
            { type: "tool_result", toolUseId: "a", content: [{ type: "text", text: "rolled 1 of 6" }] },
            { type: "tool_result", toolUseId: "b", content: [{ type: "text", text: "rolled 2 of 20" }] },
          ],
        },
        { role: "assistant", content: use("c", "roll", { sides: 2 }) },
        {
          role: "user",
          content: { type: "tool_result", toolUseId: "c", content: [{ type: "text", text: "rolled 3 of 2" }] },
        },
      ]);
    },
  );

  onRevisions(BOTH, "sends tool definitions like tools/list [SAMP-02]", async (open) => {
    const game = model("no need");
    const client = await open(serverWith([playing([roll, count])]), { samples: game.samples });
    await client.callTool("play");
    expect(game.asked[0]?.[1]).toMatchObject({
      toolChoice: { mode: "auto" },
      tools: [
        {
          name: "roll",
          description: "Rolls a die, never the same.",
          inputSchema: { type: "object", properties: { sides: { type: "integer" } }, required: ["sides"] },
        },
        { name: "count", outputSchema: { type: "object", properties: { n: { type: "number" } } } },
      ],
    });
  });

  onRevisions(BOTH, "returns every failure to the model as an error result [SAMP-03]", async (open) => {
    const game = model(
      uses(
        use("1", "fail"),
        use("2", "crash"),
        use("3", "roll", { sides: {} }),
        use("4", "nobody"),
        use("5", "roll", { sides: 6 }),
      ),
      "Enough.",
    );
    rolls = 0;
    const client = await open(serverWith([playing([fail, crash, roll])]), { samples: game.samples });
    expect(await client.callTool("play")).toMatchObject(textResult("Enough."));
    const failed = (id: string, words: unknown) => ({
      type: "tool_result",
      toolUseId: id,
      content: [{ type: "text", text: words }],
      isError: true,
    });
    expect(game.asked[1]?.[1].messages[2]?.content).toEqual([
      failed("1", "Out of dice."),
      failed("2", "The tool failed unexpectedly."),
      failed("3", expect.stringMatching(/^Invalid arguments for "roll": sides: expected/)),
      failed("4", 'There is no tool "nobody"; there are fail, crash, roll.'),
      { type: "tool_result", toolUseId: "5", content: [{ type: "text", text: "rolled 1 of 6" }] },
    ]);
  });

  onRevisions(
    BOTH,
    "returns an error result if the output does not match the output schema, and the log says why [SAMP-03]",
    async (open) => {
      const entries: LogEntry[] = [];
      const liar = tool({ ...count, name: "liar", run: () => ({ n: "three" }) as never });
      const game = model(uses(use("1", "liar")), "Hm.");
      const client = await open(serverWith([playing([liar])], {}, entries), { samples: game.samples });
      await client.callTool("play");
      expect(game.asked[1]?.[1].messages[2]?.content).toMatchObject({
        toolUseId: "1",
        content: [{ text: "The tool failed unexpectedly." }],
        isError: true,
      });
      expect(entries[0]).toMatchObject({
        level: "error",
        message: 'tool "liar" failed when the client\'s model used it',
      });
    },
  );

  onRevisions(["2025-11-25"], "fails if the model uses two tools with the same id [SAMP-03]", async (open) => {
    const game = model(uses(use("a", "count"), use("a", "count")));
    const client = await open(serverWith([playing([count])]), { samples: game.samples });
    expect(await client.callTool("play")).toMatchObject({
      content: [{ text: "The client's sampling result is invalid: it uses two tools with the same id." }],
      isError: true,
    });
  });

  onRevisions(BOTH, "rejects two tools with the same name", async (open) => {
    const entries: LogEntry[] = [];
    const client = await open(serverWith([playing([count, count])], {}, entries), { samples: {} });
    expect(await client.callTool("play")).toMatchObject({ isError: true });
    expect(String(entries[0]?.error)).toBe("TypeError: Cannot sample: two tools have the same name");
  });

  onRevisions(BOTH, "returns content blocks and structured content unchanged [SAMP-03]", async (open) => {
    const game = model(uses(use("1", "draw"), use("2", "count")), "Seen.");
    const client = await open(serverWith([playing([draw, count])]), { samples: game.samples });
    await client.callTool("play");
    expect(game.asked[1]?.[1].messages[2]?.content).toEqual([
      {
        type: "tool_result",
        toolUseId: "1",
        content: [
          { type: "text", text: "a dot" },
          { type: "image", data: "AAAA", mimeType: "image/png" },
        ],
      },
      {
        type: "tool_result",
        toolUseId: "2",
        content: [{ type: "text", text: '{"n":3}' }],
        structuredContent: { n: 3 },
      },
    ]);
  });

  onRevisions(BOTH, "tells the model to answer after the last round [SAMP-05]", async (open) => {
    const again = uses(use("a", "roll", { sides: 6 }));
    const game = model(again, again, "All right.");
    const client = await open(serverWith([playing([roll], { maxRounds: 2 })]), { samples: game.samples });
    expect(await client.callTool("play")).toMatchObject(textResult("All right."));
    expect(game.asked.map(([, { toolChoice }]) => toolChoice)).toEqual([
      { mode: "auto" },
      { mode: "auto" },
      { mode: "none" },
    ]);
  });

  onRevisions(BOTH, "fails if the model still uses tools after the last round [SAMP-05]", async (open) => {
    const again = uses(use("a", "roll", { sides: 6 }));
    const game = model(again, again, again, again);
    const client = await open(serverWith([playing([roll])], { limits: { samplingRounds: 3 } }), {
      samples: game.samples,
    });
    expect(await client.callTool("play")).toMatchObject({
      content: [{ text: "The client's model still uses tools after 3 rounds, where it had to answer." }],
      isError: true,
      structuredContent: { code: "TOO_MANY_ROUNDS", limit: "samplingRounds" },
    });
    expect(game.asked).toHaveLength(4);
  });

  onRevisions(BOTH, "sends toolChoice required only in the first round [SAMP-05]", async (open) => {
    const game = model(uses(use("a", "roll", { sides: 6 })), "Done.");
    const client = await open(serverWith([playing([roll], { toolChoice: "required" })]), { samples: game.samples });
    expect(await client.callTool("play")).toMatchObject(textResult("Done."));
    expect(game.asked.map(([, { toolChoice }]) => toolChoice)).toEqual([{ mode: "required" }, { mode: "auto" }]);
  });
});

describe("the capability sampling.tools", () => {
  onRevisions(["2025-11-25"], "is required, else an error result [SAMP-02 CLI-01]", async (open) => {
    const client = await open(serverWith([playing([roll])]), { capabilities: { sampling: {} } });
    expect(await client.callTool("play")).toMatchObject({
      content: [{ text: expect.stringContaining("the client did not declare sampling.tools") }],
      isError: true,
    });
    expect(client.received("sampling/createMessage")).toEqual([]);
  });

  onRevisions([STATELESS], "is required, else error -32021 [SAMP-02 CLI-01 MRTR-04]", async (open) => {
    const client = await open(serverWith([playing([roll])]), { capabilities: { sampling: {} } });
    await expect(client.callTool("play")).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: { tools: {} } } },
    });
  });

  onRevisions(
    ["2024-11-05", "2025-03-26", "2025-06-18"],
    "does not exist before 2025-11-25 [SAMP-01]",
    async (open) => {
      const client = await open(serverWith([playing([roll])]), { samples: { game: "x" } });
      expect(await client.callTool("play")).toMatchObject({
        content: [
          {
            text: "This tool cannot send sampling/createMessage: the client's revision does not support tools in sampling.",
          },
        ],
        isError: true,
      });
      expect(client.received("sampling/createMessage")).toEqual([]);
    },
  );
});

describe("tool results in the rounds of a stateless call", () => {
  onRevisions([STATELESS], "are computed once, on any instance [MRTR-05]", async (open) => {
    rolls = 0;
    const server = () => serverWith([playing([roll])], { secret: "a shared secret!" });
    const request = async (more: object) =>
      (await open(server(), { samples: {} })).request("tools/call", { name: "play", ...more });
    const one = await request({});
    const two = await request({
      inputResponses: { game: uses(use("a", "roll", { sides: 6 })) },
      requestState: one["requestState"],
    });
    const three = await request({
      inputResponses: { "game.2": uses(use("b", "roll", { sides: 6 })) },
      requestState: two["requestState"],
    });
    expect(rolls).toBe(2);
    expect(JSON.stringify(three["inputRequests"])).toContain("rolled 1 of 6");
    const four = await request({
      inputResponses: { "game.3": { role: "assistant", content: { type: "text", text: "Won." }, model: "m" } },
      requestState: three["requestState"],
    });
    expect(four).toMatchObject(textResult("Won."));
    expect(rolls).toBe(2);
  });

  onRevisions([STATELESS], "fail the call if they exceed limits.requestStateBytes [SEC-07]", async (open) => {
    const long = tool({ name: "long", description: "Says much.", run: () => "x".repeat(2000) });
    const game = model(uses(use("a", "long")), "never");
    const client = await open(serverWith([playing([long])], { limits: { requestStateBytes: 1000 } }), {
      samples: game.samples,
    });
    expect(await client.callTool("play")).toMatchObject({
      content: [
        {
          text: expect.stringMatching(/^The request state has \d+ bytes of tool results; the limit is 1000\.$/),
        },
      ],
      isError: true,
      structuredContent: { code: "TOO_MUCH_TO_KEEP", limit: "requestStateBytes", max: 1000 },
    });
  });
});

test("a cancelled call runs no further tools of its model", async () => {
  const ran: string[] = [];
  const step = (name: string, run: () => void) =>
    tool({
      name,
      description: "Takes a step.",
      run: () => {
        ran.push(name);
        run();
        return name;
      },
    });
  const first = step("first", () => wire.send({ method: "notifications/cancelled", params: { requestId: 7 } }));
  const second = step("second", () => undefined);
  const wire = new Wire(serverWith([playing([first, second])]), "2025-11-25");
  wire.initialize({ sampling: { tools: {} } });
  wire.send({ id: 7, method: "tools/call", params: { name: "play" } });
  await wire.waitFor({ method: "sampling/createMessage" });
  wire.send({ id: 1, result: uses(use("a", "first"), use("b", "second")) });
  await settled();
  expect(ran).toEqual(["first"]);
  expect(wire.receivedMethods).toEqual(["response", "sampling/createMessage"]);
  wire.expectLegal();
});

describe("a tool that elicits while the model uses it", () => {
  let runs = 0;
  const careful = tool({
    name: "careful",
    description: "Asks before it acts, and swallows what it should not.",
    async run(_input, call) {
      const answer = await call.elicit("sure", "Sure?", z.object({ sure: z.boolean() })).catch(() => undefined);
      if (answer?.sure === true) runs += 1;
      return answer === undefined ? "nobody answered" : `sure: ${answer.sure}`;
    },
  });

  onRevisions(BOTH, "is not logged as failed while it waits for the response", async (open) => {
    const entries: LogEntry[] = [];
    const strict = tool({
      name: "strict",
      description: "Asks.",
      run: async (_input, call) =>
        `sure: ${(await call.elicit("sure", "Sure?", z.object({ sure: z.boolean() })))?.sure}`,
    });
    const game = model(uses(use("a", "strict")), "Thanks.");
    const options = { samples: game.samples, responses: { sure: { sure: false } } };
    const client = await open(serverWith([playing([strict])], {}, entries), options);
    expect(await client.callTool("play")).toMatchObject(textResult("Thanks."));
    expect(JSON.stringify(game.asked[1]?.[1].messages)).toContain("sure: false");
    expect(entries).toEqual([]);
  });

  onRevisions([STATELESS], "ends the call with an error that names the missing capability [MRTR-04]", async (open) => {
    const game = model(uses(use("a", "bold")), "Thanks.");
    const bold = tool({
      name: "bold",
      description: "Asks.",
      run: (_input, call) => call.elicit("sure", "Sure?", z.object({ sure: z.boolean() })),
    });
    const client = await open(serverWith([playing([bold])]), {
      capabilities: { sampling: { tools: {} } },
      samples: game.samples,
    });
    await expect(client.callTool("play")).rejects.toMatchObject({ code: -32021 });
  });

  onRevisions(BOTH, "gets its response, and runs to the end once [MRTR-11]", async (open) => {
    runs = 0;
    const game = model(uses(use("a", "careful")), "Thanks.");
    const client = await open(serverWith([playing([careful])]), {
      samples: game.samples,
      responses: { sure: { sure: true } },
    });
    expect(await client.callTool("play")).toMatchObject(textResult("Thanks."));
    expect(JSON.stringify(game.asked[1]?.[1].messages)).toContain("sure: true");
    expect(runs).toBe(1);
  });
});
