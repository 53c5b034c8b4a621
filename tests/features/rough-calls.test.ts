import { content, RpcError, ToolError, text, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { HANDSHAKE, onRevisions } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Gate, settled, Wire } from "./wire.js";

const form = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;

/** A Standard Schema that takes as long as a test likes. */
function slowSchema(checked: Promise<unknown>) {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: async (value: unknown) => {
        await checked;
        return { value: value as object };
      },
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
    },
  } as const;
}

onRevisions(
  HANDSHAKE,
  "an error whose data JSON cannot write still gets an answer, and frees its place",
  async (open) => {
    const broken = tool({
      name: "broken",
      description: "Fails in an odd way.",
      run: () => Promise.reject(new RpcError(-32603, "odd", { n: 1n as never })),
    });
    const fine = tool({ name: "fine", description: "Works.", run: () => "fine" });
    const client = await open(serverWith([broken, fine], { limits: { callsInFlight: 1 } }));
    await expect(client.callTool("broken")).rejects.toMatchObject({
      code: -32603,
      message: "Internal error: the details are in the server's log",
    });
    expect(await client.callTool("fine")).toMatchObject({ content: [{ text: "fine" }] });
  },
);

describe("a question whose call is over", () => {
  test("is taken back at once", async () => {
    const impatient = tool({
      name: "impatient",
      description: "Does not wait.",
      run: async (_input, call) => {
        void call.ask("ok", "Is it?", form);
        await settled(1);
        return "went on";
      },
    });
    const wire = new Wire(serverWith([impatient]), "2025-11-25");
    wire.initialize();
    wire.say({ id: 7, method: "tools/call", params: { name: "impatient" } });
    expect(await wire.until({ id: 7 })).toMatchObject({ result: { content: [{ text: "went on" }] } });
    expect(wire.kinds).toEqual(["answer", "elicitation/create", "notifications/cancelled", "answer"]);
    wire.expectLegal();
  });

  test("the time in which a person was asked counts for neither limit", async () => {
    const patient = tool({
      name: "patient",
      description: "Asks, then works.",
      run: async (_input, call) => {
        await call.ask("ok", "Is it?", form);
        await settled(40);
        return "done";
      },
    });
    const wire = new Wire(serverWith([patient], { limits: { callTimeoutMs: 300, callTotalMs: 300 } }), "2025-11-25");
    wire.initialize();
    wire.say({ id: 7, method: "tools/call", params: { name: "patient" } });
    await settled(280);
    wire.say({ id: 1, result: { action: "accept", content: { ok: true } } });
    expect(await wire.until({ id: 7 })).toMatchObject({ result: { content: [{ text: "done" }] } });
  });

  test.each(["__proto__", "", "a b", "x".repeat(65)])("cannot be called %j", async (name) => {
    const odd = tool({
      name: "odd",
      description: "Asks under an odd name.",
      run: async (_input, call) => {
        await call.ask(name, "Is it?", form);
      },
    });
    const wire = new Wire(serverWith([odd]), "2025-11-25");
    wire.initialize();
    wire.say({ id: 7, method: "tools/call", params: { name: "odd" } });
    expect(await wire.until({ id: 7 })).toMatchObject({ result: { isError: true } });
    expect(wire.kinds).toEqual(["answer", "answer"]);
  });
});

describe("arguments that take their time to be checked", () => {
  const slow = (checked: Promise<unknown>) =>
    tool({ name: "slow", description: "Checks slowly.", input: slowSchema(checked), run: () => "ran" });

  test("hold a place like any other call, and run out of time like it", async () => {
    const limits = { callsInFlight: 1, callsQueued: 1, callTimeoutMs: 20 };
    const wire = new Wire(serverWith([slow(new Promise(() => {}))], { limits }), "2025-11-25");
    wire.initialize();
    for (const id of [1, 2, 3]) wire.say({ id, method: "tools/call", params: { name: "slow" } });
    expect(await wire.until({ id: 3 })).toMatchObject({ result: { structuredContent: { code: "BUSY" } } });
    expect(await wire.until({ id: 1 })).toMatchObject({ result: { structuredContent: { code: "TIMEOUT" } } });
    expect(await wire.until({ id: 2 })).toMatchObject({ result: { structuredContent: { code: "TIMEOUT" } } });
  });

  test("are read in the end", async () => {
    const gate = new Gate<void>();
    const wire = new Wire(serverWith([slow(gate.opened)]), "2025-11-25");
    wire.initialize();
    wire.say({ id: 1, method: "tools/call", params: { name: "slow" } });
    gate.open();
    expect(await wire.until({ id: 1 })).toMatchObject({ result: { content: [{ text: "ran" }] } });
  });
});

test("a tool that was never given to tool() is checked all the same", () => {
  const run = () => "";
  expect(() => serverWith([{ name: "has space", description: "d", run }])).toThrow(/^Cannot define tool "has space": /);
  expect(() => serverWith([{ name: "t", description: "d", aliases: [""], run }])).toThrow(/an alias must be/);
});

test("an instance of a class is a tool, with its own this", async () => {
  class Counter {
    readonly name = "count";
    readonly description = "Counts.";
    #count = 0;
    run(): string {
      this.#count += 1;
      return String(this.#count);
    }
  }
  const wire = new Wire(serverWith([tool(new Counter())]), "2025-11-25");
  wire.initialize();
  wire.say({ id: 1, method: "tools/call", params: { name: "count" } });
  expect(await wire.until({ id: 1 })).toMatchObject({ result: { content: [{ text: "1" }] } });
});

describe("what a tool gives by mistake", () => {
  const call = async (run: () => unknown) => {
    const wire = new Wire(
      serverWith([tool({ name: "odd", description: "Odd.", run: run as () => string })]),
      "2025-11-25",
    );
    wire.initialize();
    wire.say({ id: 1, method: "tools/call", params: { name: "odd" } });
    const { result } = await wire.until({ id: 1 });
    wire.expectLegal();
    return result as { isError: boolean; content: { text: string }[]; structuredContent?: object };
  };

  test.each([
    ["blocks that are texts", () => content("str" as never)],
    ["a list in place of a block", () => content([text("a")] as never)],
    ["a text that is a number", () => content(text(5 as never))],
    ["a block of no known kind", () => content({ type: "nope" as "text" })],
    ["a link without a name", () => content({ type: "resource_link", uri: "a:b" })],
  ])("%s is a failure of the tool, never an illegal result", async (_what, run) => {
    expect((await call(run)).content[0]?.text).toMatch(/^The tool failed unexpectedly\. Reference: /);
  });

  test("an error that was returned counts as thrown", async () => {
    expect(await call(() => new ToolError("No such note.", { code: "NONE" }))).toMatchObject({
      content: [{ text: "No such note." }],
      isError: true,
      structuredContent: { code: "NONE" },
    });
    expect((await call(() => new Error("secret"))).content[0]?.text).toMatch(/^The tool failed unexpectedly/);
  });

  test("details that JSON cannot write are left out, and the words get through", async () => {
    const run = () => Promise.reject(new ToolError("Lost.", { code: "LOST", details: { n: 1n as never } }));
    expect(await call(run)).toMatchObject({ content: [{ text: "Lost." }], structuredContent: { code: "LOST" } });
  });

  test("an endless message is cut", async () => {
    const { content: blocks } = await call(() => Promise.reject(new ToolError("x".repeat(11 << 20))));
    expect(blocks[0]?.text).toHaveLength(65_537);
  });
});

test("a schema that throws is a fault of the tool, and told like one", async () => {
  const input = slowSchema(Promise.resolve());
  const throwing = {
    "~standard": {
      ...input["~standard"],
      validate: () => {
        throw new Error("bug");
      },
    },
  } as never;
  const wire = new Wire(
    serverWith([tool({ name: "odd", description: "Odd.", input: throwing, run: () => "" })]),
    "2025-11-25",
  );
  wire.initialize();
  wire.say({ id: 1, method: "tools/call", params: { name: "odd" } });
  expect(await wire.until({ id: 1 })).toMatchObject({ result: { isError: true } });
});

test("a notice over the size limit is not sent, and the call goes on", async () => {
  const loud = tool({
    name: "loud",
    description: "Says too much.",
    run: (_input, call) => {
      call.log("info", "x".repeat(3000));
      call.log("info", "short");
      return "done";
    },
  });
  const wire = new Wire(serverWith([loud], { limits: { messageBytes: 2000 } }), "2025-11-25");
  wire.initialize();
  wire.say({ id: 1, method: "tools/call", params: { name: "loud" } });
  await wire.until({ id: 1 });
  expect(wire.heard.filter(({ method }) => method === "notifications/message").map(({ params }) => params)).toEqual([
    { level: "info", data: "short" },
  ]);
});

test("the name of an unknown tool is not repeated without end", async () => {
  const wire = new Wire(serverWith([tool({ name: "a", description: "A.", run: () => "" })]), "2025-11-25");
  wire.initialize();
  wire.say({ id: 1, method: "tools/call", params: { name: "n".repeat(100_000) } });
  expect(await wire.until({ id: 1 })).toMatchObject({ error: { message: `Unknown tool: ${"n".repeat(200)}…` } });
});

test("what a call offers can be taken apart from it", async () => {
  const apart = tool({
    name: "apart",
    description: "Uses parts of its call.",
    run(_input, { progress, log, can }) {
      progress(1);
      log("info", "said");
      return String(can("roots"));
    },
  });
  const wire = new Wire(serverWith([apart]), "2025-11-25");
  wire.initialize();
  wire.say({ id: 1, method: "tools/call", params: { name: "apart", _meta: { progressToken: "p" } } });
  expect(await wire.until({ method: "notifications/progress" })).toMatchObject({ params: { progress: 1 } });
  expect(await wire.until({ id: 1 })).toMatchObject({ result: { content: [{ text: "false" }], isError: false } });
});
