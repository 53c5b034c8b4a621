import { type JsonObject, tool } from "@toolwright/engine";
import { expect } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { createBlockingTool, createEcho, echo, messagesFrom, settled } from "./support.js";

/** A value whose every member is what `read` gives for its name. */
const strange = (read: (name: string | symbol) => unknown) => new Proxy({}, { get: (_, name) => read(name) });

/** Everything a tool can do wrong; none of it may harm anybody else. */
const faults: Record<string, () => unknown> = {
  "throws at once": () => {
    throw new Error("on purpose");
  },
  "throws text": () => {
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- authors do this
    throw "text";
  },
  "throws nothing": () => {
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- authors do this
    throw undefined;
  },
  "rejects later": async () => {
    await settled(1);
    throw new Error("on purpose");
  },
  "rejects with nothing": () => Promise.reject(),
  "overflows the stack": () => {
    const deeper = (): number => deeper() + 1;
    return deeper();
  },
  "returns a circle": () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    return circle;
  },
  "returns a bigint": () => 7n,
  "returns a function": () => () => 7,
  "returns a symbol": () => Symbol("no"),
  "returns what throws when it is written": () => ({
    toJSON() {
      throw new Error("on purpose");
    },
  }),
  "returns a thenable that throws": () =>
    strange(() => () => {
      throw new Error("on purpose");
    }),
  "returns what throws at every look": () =>
    strange(() => {
      throw new Error("on purpose");
    }),
};

for (const [fault, run] of Object.entries(faults)) {
  everyRevision(`a tool that ${fault} fails alone`, async (open) => {
    const gate = createBlockingTool();
    const faulty = tool({ name: "faulty", description: "Fails.", run: () => run() as string });
    const client = await open(createEcho({ tools: [echo, faulty, gate.tool] }));
    const running = client.startRequest("tools/call", { name: "gate" });
    const result = await client.callTool("faulty");
    expect(result["isError"]).toBe(true);
    expect((result["content"] as JsonObject[])[0]?.["text"]).toMatch(
      /^The tool failed unexpectedly\. Reference: [\da-f]{8}$/,
    );
    expect((await client.callTool("echo", { text: "a" }))["content"]).toEqual([{ type: "text", text: "a" }]);
    gate.open();
    expect((await running.response)["result"]).toMatchObject({ isError: false });
  });
}

everyRevision("a tool that never returns does not delay other calls", async (open) => {
  const endless = tool({
    name: "endless",
    description: "Never ends.",
    run: () => new Promise<string>(() => undefined),
  });
  const client = await open(createEcho({ tools: [echo, endless] }));
  for (let round = 0; round < 20; round += 1) client.startRequest("tools/call", { name: "endless" });
  expect((await client.callTool("echo", { text: "a" }))["content"]).toEqual([{ type: "text", text: "a" }]);
  expect(await client.listTools()).toHaveLength(2);
});

everyRevision("the late result of a tool that ignores its signal is dropped", async (open) => {
  const stubborn = tool({ name: "stubborn", description: "Takes long.", run: () => settled(400).then(() => "late") });
  const client = await open(createEcho({ tools: [stubborn], limits: { callTimeoutMs: 10 } }));
  expect((await client.callTool("stubborn"))["isError"]).toBe(true);
  const before = messagesFrom(client).length;
  await settled(600);
  expect(messagesFrom(client)).toHaveLength(before);
});

everyRevision("the late error of a cancelled tool is dropped, without an unhandled rejection", async (open) => {
  const sulking = tool({
    name: "sulking",
    description: "Fails when stopped.",
    run: (_, call) =>
      new Promise<string>((_resolve, reject) => {
        call.signal.addEventListener("abort", () => reject(new Error("then I fail")));
      }),
  });
  const client = await open(createEcho({ tools: [sulking] }));
  const { id } = client.startRequest("tools/call", { name: "sulking" });
  client.notify("notifications/cancelled", { requestId: id });
  await settled();
  expect(messagesFrom(client).filter((message) => message["id"] === id)).toEqual([]);
});

everyRevision("many concurrent calls each get one response with their own result", async (open) => {
  const shuffled = tool({
    name: "shuffled",
    description: "Ends out of order.",
    input: { type: "object", properties: { at: { type: "integer" } }, required: ["at"] },
    run: async ({ at }) => {
      await settled((at * 7) % 13);
      return String(at);
    },
  });
  const client = await open(createEcho({ tools: [shuffled], limits: { callsInFlight: 32 } }));
  const calls = Array.from({ length: 200 }, (_, at) =>
    client.startRequest("tools/call", { name: "shuffled", arguments: { at } }),
  );
  const answers = await Promise.all(calls.map(({ response: answer }) => answer));
  expect(answers.map(({ result }) => (result as { content: { text: string }[] }).content[0]?.text)).toEqual(
    Array.from({ length: 200 }, (_, at) => String(at)),
  );
  expect(messagesFrom(client).filter(({ id }) => id !== undefined)).toHaveLength(
    client.revision === "2026-07-28" ? 200 : 201,
  );
});
