import { tool } from "@toolwright/engine";
import { describe, expect } from "vitest";
import { z } from "zod";
import { onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const ASKING = ["2025-06-18", "2025-11-25", STATELESS];
const word = z.object({ word: z.string() });
const accept = (content: { word: string }) => ({ action: "accept", content });

const together = tool({
  name: "together",
  description: "Asks two things at once.",
  async run(_input, call) {
    const [left, right] = await Promise.all([call.ask("left", "Left?", word), call.ask("right", "Right?", word)]);
    return `${left?.word} and ${right?.word}`;
  },
});
const inTurn = tool({
  name: "in_turn",
  description: "Asks one thing after the other.",
  input: z.object({ topic: z.string().optional() }),
  async run(_input, call) {
    const first = await call.ask("first", "First?", word);
    const second = await call.ask("second", `And after ${first?.word}?`, word);
    return `${first?.word}, then ${second?.word}`;
  },
});
const said = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });
const answers = { left: { word: "l" }, right: { word: "r" }, first: { word: "one" }, second: { word: "two" } };

describe("two questions at once", () => {
  onRevisions(ASKING, "are both answered [MRTR-11]", async (open) => {
    const client = await open(serverWith([together]), { answers });
    expect(await client.callTool("together")).toMatchObject(said("l and r"));
  });

  onRevisions([STATELESS], "are one round [MRTR-02 MRTR-03]", async (open) => {
    const client = await open(serverWith([together]));
    const asked = await client.request("tools/call", { name: "together" });
    expect(Object.keys(asked["inputRequests"] as object)).toEqual(["left", "right"]);
    const result = await client.request("tools/call", {
      name: "together",
      inputResponses: { left: accept({ word: "l" }), right: accept({ word: "r" }) },
      requestState: asked["requestState"] as string,
    });
    expect(result).toMatchObject(said("l and r"));
  });

  onRevisions([STATELESS], "of which one is answered leave the other to be asked again [MRTR-08]", async (open) => {
    const client = await open(serverWith([together]));
    const asked = await client.request("tools/call", { name: "together" });
    const again = await client.request("tools/call", {
      name: "together",
      inputResponses: { right: accept({ word: "r" }) },
      requestState: asked["requestState"] as string,
    });
    expect(Object.keys(again["inputRequests"] as object)).toEqual(["left"]);
    const result = await client.request("tools/call", {
      name: "together",
      inputResponses: { left: accept({ word: "l" }) },
      requestState: again["requestState"] as string,
    });
    expect(result).toMatchObject(said("l and r"));
  });
});

describe("two questions in turn", () => {
  onRevisions(ASKING, "are both answered, and the second knows the first answer [MRTR-11]", async (open) => {
    const messages: unknown[] = [];
    const client = await open(serverWith([inTurn]), {
      answers: (name, { message }) => {
        messages.push(message);
        return answers[name as "first" | "second"];
      },
    });
    expect(await client.callTool("in_turn")).toMatchObject(said("one, then two"));
    expect(messages).toEqual(["First?", "And after one?"]);
  });

  onRevisions([STATELESS], "are two rounds, each with a state of its own [MRTR-02]", async (open) => {
    const client = await open(serverWith([inTurn]));
    const one = await client.request("tools/call", { name: "in_turn" });
    expect(Object.keys(one["inputRequests"] as object)).toEqual(["first"]);
    const two = await client.request("tools/call", {
      name: "in_turn",
      inputResponses: { first: accept({ word: "one" }) },
      requestState: one["requestState"] as string,
    });
    expect(Object.keys(two["inputRequests"] as object)).toEqual(["second"]);
    expect(two["requestState"]).not.toBe(one["requestState"]);
    const result = await client.request("tools/call", {
      name: "in_turn",
      inputResponses: { second: accept({ word: "two" }) },
      requestState: two["requestState"] as string,
    });
    expect(result).toMatchObject(said("one, then two"));
  });
});

describe("answers", () => {
  onRevisions(
    [STATELESS],
    "under a wrong key are passed over, and the question is asked again [MRTR-08 MRTR-09]",
    async (open) => {
      const client = await open(serverWith([inTurn]));
      const one = await client.request("tools/call", { name: "in_turn" });
      for (const inputResponses of [{}, { First: accept({ word: "x" }) }, { second: accept({ word: "x" }) }]) {
        const again = await client.request("tools/call", {
          name: "in_turn",
          inputResponses,
          requestState: one["requestState"] as string,
        });
        expect(again).toMatchObject({ resultType: "input_required", inputRequests: { first: expect.anything() } });
      }
    },
  );

  onRevisions([STATELESS], "that nobody asked for are ignored beside the right one [MRTR-09]", async (open) => {
    const client = await open(serverWith([together]));
    const asked = await client.request("tools/call", { name: "together" });
    const result = await client.request("tools/call", {
      name: "together",
      inputResponses: { left: accept({ word: "l" }), extra: null, right: accept({ word: "r" }), constructor: 7 },
      requestState: asked["requestState"] as string,
    });
    expect(result).toMatchObject(said("l and r"));
  });

  onRevisions([STATELESS], "that are no object at all are refused [MRTR-09]", async (open) => {
    const client = await open(serverWith([inTurn, together]));
    for (const inputResponses of [null, 7, "first", true, [accept({ word: "x" })]]) {
      await expect(client.request("tools/call", { name: "in_turn", inputResponses })).rejects.toMatchObject({
        code: -32602,
        message: "Invalid params: inputResponses must be an object",
      });
    }
  });

  onRevisions([STATELESS], "that cannot be read are asked for again [MRTR-08 MRTR-09]", async (open) => {
    const client = await open(serverWith([inTurn]));
    const { requestState } = await client.request("tools/call", { name: "in_turn" });
    for (const first of [
      null,
      7,
      "one",
      [],
      {},
      { action: "maybe" },
      { action: "accept" },
      { content: { word: "x" } },
    ]) {
      const again = await client.request("tools/call", {
        name: "in_turn",
        inputResponses: { first },
        requestState: requestState as string,
      });
      expect(again, JSON.stringify(first)).toMatchObject({ resultType: "input_required" });
    }
  });

  onRevisions([STATELESS], "without state are taken at their word [MRTR-05]", async (open) => {
    const client = await open(serverWith([together]));
    const inputResponses = { left: accept({ word: "l" }), right: accept({ word: "r" }) };
    expect(await client.request("tools/call", { name: "together", inputResponses })).toMatchObject(said("l and r"));
  });
});

describe("an answer that the tool did not come to read", () => {
  let runs = 0;
  const wandering = tool({
    name: "wandering",
    description: "Asks in another order each time.",
    async run(_input, call) {
      runs += 1;
      if (runs === 1) await Promise.all([call.ask("left", "Left?", word), call.ask("right", "Right?", word)]);
      const left = await call.ask("left", "Left?", word);
      const first = await call.ask("first", "First?", word);
      const right = await call.ask("right", "Right?", word);
      return `${left?.word} ${first?.word} ${right?.word}`;
    },
  });

  onRevisions([STATELESS], "is kept, and nobody is asked again [MRTR-05]", async (open) => {
    runs = 0;
    const asked: string[] = [];
    const client = await open(serverWith([wandering]), {
      answers: (name) => {
        asked.push(name);
        return answers[name as "left" | "right" | "first"];
      },
    });
    expect(await client.callTool("wandering")).toMatchObject(said("l one r"));
    expect(asked).toEqual(["left", "right", "first"]);
  });
});

describe("questions that follow from answers side by side", () => {
  const branching = tool({
    name: "branching",
    description: "Asks in two branches.",
    async run(_input, call) {
      const branch = async () => {
        const left = await call.ask("left", "Left?", word);
        const first = await call.ask("first", `After ${left?.word}?`, word);
        return `${left?.word} ${first?.word}`;
      };
      const [one, right] = await Promise.all([branch(), call.ask("right", "Right?", word)]);
      return `${one} ${right?.word}`;
    },
  });

  onRevisions(ASKING, "are each asked once [MRTR-11]", async (open) => {
    const asked: string[] = [];
    const client = await open(serverWith([branching]), {
      answers: (name) => {
        asked.push(name);
        return answers[name as "left" | "right" | "first"];
      },
    });
    expect(await client.callTool("branching")).toMatchObject(said("l one r"));
    expect(asked.toSorted()).toEqual(["first", "left", "right"]);
  });
});

describe("a question whose text changed between rounds", () => {
  let price = 1;
  const pricey = tool({
    name: "pricey",
    description: "Asks about a price.",
    async run(_input, call) {
      const asked = price;
      const answer = await call.ask("pay", `Pay ${asked}?`, word);
      return `${answer?.word} for ${asked}`;
    },
  });

  onRevisions([STATELESS], "is asked anew, and the old answer counts for nothing [MRTR-08]", async (open) => {
    price = 1;
    const client = await open(serverWith([pricey]));
    const one = await client.request("tools/call", { name: "pricey" });
    price = 1000;
    const two = await client.request("tools/call", {
      name: "pricey",
      inputResponses: { pay: accept({ word: "yes" }) },
      requestState: one["requestState"] as string,
    });
    expect(two).toMatchObject({
      resultType: "input_required",
      inputRequests: { pay: { params: { message: "Pay 1000?" } } },
    });
    const result = await client.request("tools/call", {
      name: "pricey",
      inputResponses: { pay: accept({ word: "well" }) },
      requestState: two["requestState"] as string,
    });
    expect(result).toMatchObject(said("well for 1000"));
  });
});

describe("a call that never has enough", () => {
  let round = 0;
  const endless = tool({
    name: "endless",
    description: "Asks for ever.",
    async run(_input, call) {
      round += 1;
      await call.ask(`q${round}`, "More?", word);
      return "never";
    },
  });

  onRevisions([STATELESS], "is given up after a number of rounds, in words [SEC-07]", async (open) => {
    round = 0;
    const client = await open(serverWith([endless], { limits: { questionRounds: 3 } }), {
      answers: () => ({ word: "x" }),
    });
    expect(await client.callTool("endless")).toMatchObject({
      content: [{ text: "The call was given up after 3 rounds of questions." }],
      isError: true,
      structuredContent: { code: "TOO_MANY_ROUNDS" },
    });
  });
});
