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
    const [left, right] = await Promise.all([call.elicit("left", "Left?", word), call.elicit("right", "Right?", word)]);
    return `${left?.word} and ${right?.word}`;
  },
});
const inTurn = tool({
  name: "in_turn",
  description: "Asks one thing after the other.",
  input: z.object({ topic: z.string().optional() }),
  async run(_input, call) {
    const first = await call.elicit("first", "First?", word);
    const second = await call.elicit("second", `And after ${first?.word}?`, word);
    return `${first?.word}, then ${second?.word}`;
  },
});
const textResult = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });
const answers = { left: { word: "l" }, right: { word: "r" }, first: { word: "one" }, second: { word: "two" } };

describe("two concurrent input requests", () => {
  onRevisions(ASKING, "both get their response [MRTR-11]", async (open) => {
    const client = await open(serverWith([together]), { responses: answers });
    expect(await client.callTool("together")).toMatchObject(textResult("l and r"));
  });

  onRevisions([STATELESS], "are sent in one round [MRTR-02 MRTR-03]", async (open) => {
    const client = await open(serverWith([together]));
    const asked = await client.request("tools/call", { name: "together" });
    expect(Object.keys(asked["inputRequests"] as object)).toEqual(["left", "right"]);
    const result = await client.request("tools/call", {
      name: "together",
      inputResponses: { left: accept({ word: "l" }), right: accept({ word: "r" }) },
      requestState: asked["requestState"] as string,
    });
    expect(result).toMatchObject(textResult("l and r"));
  });

  onRevisions([STATELESS], "with one response repeat the other request [MRTR-08]", async (open) => {
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
    expect(result).toMatchObject(textResult("l and r"));
  });
});

describe("two sequential input requests", () => {
  onRevisions(ASKING, "both get their response, and the second can use the first [MRTR-11]", async (open) => {
    const messages: unknown[] = [];
    const client = await open(serverWith([inTurn]), {
      responses: (name, { message }) => {
        messages.push(message);
        return answers[name as "first" | "second"];
      },
    });
    expect(await client.callTool("in_turn")).toMatchObject(textResult("one, then two"));
    expect(messages).toEqual(["First?", "And after one?"]);
  });

  onRevisions([STATELESS], "are two rounds, each with its own requestState [MRTR-02]", async (open) => {
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
    expect(result).toMatchObject(textResult("one, then two"));
  });
});

describe("inputResponses", () => {
  onRevisions(
    [STATELESS],
    "with a wrong key are ignored, and the request is repeated [MRTR-08 MRTR-09]",
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

  onRevisions([STATELESS], "that were not requested are ignored [MRTR-09]", async (open) => {
    const client = await open(serverWith([together]));
    const asked = await client.request("tools/call", { name: "together" });
    const result = await client.request("tools/call", {
      name: "together",
      inputResponses: { left: accept({ word: "l" }), extra: null, right: accept({ word: "r" }), constructor: 7 },
      requestState: asked["requestState"] as string,
    });
    expect(result).toMatchObject(textResult("l and r"));
  });

  onRevisions([STATELESS], "that are not an object are rejected [MRTR-09]", async (open) => {
    const client = await open(serverWith([inTurn, together]));
    for (const inputResponses of [null, 7, "first", true, [accept({ word: "x" })]]) {
      await expect(client.request("tools/call", { name: "in_turn", inputResponses })).rejects.toMatchObject({
        code: -32602,
        message: "Invalid params: inputResponses must be an object",
      });
    }
  });

  onRevisions([STATELESS], "that are invalid are requested again [MRTR-08 MRTR-09]", async (open) => {
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

  onRevisions([STATELESS], "without requestState are accepted [MRTR-05]", async (open) => {
    const client = await open(serverWith([together]));
    const inputResponses = { left: accept({ word: "l" }), right: accept({ word: "r" }) };
    expect(await client.request("tools/call", { name: "together", inputResponses })).toMatchObject(
      textResult("l and r"),
    );
  });
});

describe("a response that the tool has not read yet", () => {
  let runs = 0;
  const wandering = tool({
    name: "wandering",
    description: "Asks in another order each time.",
    async run(_input, call) {
      runs += 1;
      if (runs === 1) await Promise.all([call.elicit("left", "Left?", word), call.elicit("right", "Right?", word)]);
      const left = await call.elicit("left", "Left?", word);
      const first = await call.elicit("first", "First?", word);
      const right = await call.elicit("right", "Right?", word);
      return `${left?.word} ${first?.word} ${right?.word}`;
    },
  });

  onRevisions([STATELESS], "is kept in the state, and the request is not repeated [MRTR-05]", async (open) => {
    runs = 0;
    const asked: string[] = [];
    const client = await open(serverWith([wandering]), {
      responses: (name) => {
        asked.push(name);
        return answers[name as "left" | "right" | "first"];
      },
    });
    expect(await client.callTool("wandering")).toMatchObject(textResult("l one r"));
    expect(asked).toEqual(["left", "right", "first"]);
  });
});

describe("input requests that depend on concurrent responses", () => {
  const branching = tool({
    name: "branching",
    description: "Asks in two branches.",
    async run(_input, call) {
      const branch = async () => {
        const left = await call.elicit("left", "Left?", word);
        const first = await call.elicit("first", `After ${left?.word}?`, word);
        return `${left?.word} ${first?.word}`;
      };
      const [one, right] = await Promise.all([branch(), call.elicit("right", "Right?", word)]);
      return `${one} ${right?.word}`;
    },
  });

  onRevisions(ASKING, "are each sent once [MRTR-11]", async (open) => {
    const asked: string[] = [];
    const client = await open(serverWith([branching]), {
      responses: (name) => {
        asked.push(name);
        return answers[name as "left" | "right" | "first"];
      },
    });
    expect(await client.callTool("branching")).toMatchObject(textResult("l one r"));
    expect(asked.toSorted()).toEqual(["first", "left", "right"]);
  });
});

describe("an input request that changes between rounds", () => {
  let price = 1;
  const pricey = tool({
    name: "pricey",
    description: "Asks about a price.",
    async run(_input, call) {
      const asked = price;
      const answer = await call.elicit("pay", `Pay ${asked}?`, word);
      return `${answer?.word} for ${asked}`;
    },
  });

  onRevisions([STATELESS], "is sent again, and the old response is ignored [MRTR-08]", async (open) => {
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
    expect(result).toMatchObject(textResult("well for 1000"));
  });
});

describe("a call that requests input forever", () => {
  let round = 0;
  const endless = tool({
    name: "endless",
    description: "Asks for ever.",
    async run(_input, call) {
      round += 1;
      await call.elicit(`q${round}`, "More?", word);
      return "never";
    },
  });

  onRevisions([STATELESS], "fails after limits.inputRounds [SEC-07]", async (open) => {
    round = 0;
    const client = await open(serverWith([endless], { limits: { inputRounds: 3 } }), {
      responses: () => ({ word: "x" }),
    });
    expect(await client.callTool("endless")).toMatchObject({
      content: [{ text: "The call was aborted after 3 rounds of input requests." }],
      isError: true,
      structuredContent: { code: "TOO_MANY_ROUNDS" },
    });
  });
});
