import { content, RpcError, ToolError, text, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { HANDSHAKE, onRevisions } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Deferred, settled, Wire } from "./wire.js";

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
  "an error with data that is not serializable still gets a response, and releases its slot",
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

describe("an elicitation of a finished call", () => {
  test("is cancelled at once", async () => {
    const impatient = tool({
      name: "impatient",
      description: "Does not wait.",
      run: async (_input, call) => {
        void call.elicit("ok", "Is it?", form);
        await settled(1);
        return "went on";
      },
    });
    const wire = new Wire(serverWith([impatient]), "2025-11-25");
    wire.initialize();
    wire.send({ id: 7, method: "tools/call", params: { name: "impatient" } });
    expect(await wire.waitFor({ id: 7 })).toMatchObject({ result: { content: [{ text: "went on" }] } });
    expect(wire.receivedMethods).toEqual(["response", "elicitation/create", "notifications/cancelled", "response"]);
    wire.expectLegal();
  });

  test("the time that the user takes counts towards neither timeout", async () => {
    const patient = tool({
      name: "patient",
      description: "Asks, then works.",
      run: async (_input, call) => {
        await call.elicit("ok", "Is it?", form);
        await settled(40);
        return "done";
      },
    });
    const wire = new Wire(serverWith([patient], { limits: { callTimeoutMs: 300, callTotalMs: 300 } }), "2025-11-25");
    wire.initialize();
    wire.send({ id: 7, method: "tools/call", params: { name: "patient" } });
    await settled(280);
    wire.send({ id: 1, result: { action: "accept", content: { ok: true } } });
    expect(await wire.waitFor({ id: 7 })).toMatchObject({ result: { content: [{ text: "done" }] } });
  });

  test.each(["__proto__", "", "a b", "x".repeat(65)])("an elicitation cannot have the name %j", async (name) => {
    const odd = tool({
      name: "odd",
      description: "Asks under an odd name.",
      run: async (_input, call) => {
        await call.elicit(name, "Is it?", form);
      },
    });
    const wire = new Wire(serverWith([odd]), "2025-11-25");
    wire.initialize();
    wire.send({ id: 7, method: "tools/call", params: { name: "odd" } });
    expect(await wire.waitFor({ id: 7 })).toMatchObject({ result: { isError: true } });
    expect(wire.receivedMethods).toEqual(["response", "response"]);
  });
});

describe("arguments with an asynchronous schema", () => {
  const slow = (checked: Promise<unknown>) =>
    tool({ name: "slow", description: "Checks slowly.", input: slowSchema(checked), run: () => "ran" });

  test("occupy a slot and time out like any other call", async () => {
    const limits = { callsInFlight: 1, callsQueued: 1, callTimeoutMs: 20 };
    const wire = new Wire(serverWith([slow(new Promise(() => {}))], { limits }), "2025-11-25");
    wire.initialize();
    for (const id of [1, 2, 3]) wire.send({ id, method: "tools/call", params: { name: "slow" } });
    expect(await wire.waitFor({ id: 3 })).toMatchObject({ result: { structuredContent: { code: "BUSY" } } });
    expect(await wire.waitFor({ id: 1 })).toMatchObject({ result: { structuredContent: { code: "TIMEOUT" } } });
    expect(await wire.waitFor({ id: 2 })).toMatchObject({ result: { structuredContent: { code: "TIMEOUT" } } });
  });

  test("are validated", async () => {
    const gate = new Deferred<void>();
    const wire = new Wire(serverWith([slow(gate.promise)]), "2025-11-25");
    wire.initialize();
    wire.send({ id: 1, method: "tools/call", params: { name: "slow" } });
    gate.resolve();
    expect(await wire.waitFor({ id: 1 })).toMatchObject({ result: { content: [{ text: "ran" }] } });
  });
});

test("a tool that was not created with tool() is validated as well", () => {
  const run = () => "";
  expect(() => serverWith([{ name: "has space", description: "d", run }])).toThrow(/^Cannot define tool "has space": /);
  expect(() => serverWith([{ name: "t", description: "d", aliases: [""], run }])).toThrow(/aliases must be/);
});

test("a class instance can be a tool, with its own this", async () => {
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
  wire.send({ id: 1, method: "tools/call", params: { name: "count" } });
  expect(await wire.waitFor({ id: 1 })).toMatchObject({ result: { content: [{ text: "1" }] } });
});

describe("an invalid value that a tool returns", () => {
  const call = async (run: () => unknown) => {
    const wire = new Wire(
      serverWith([tool({ name: "odd", description: "Odd.", run: run as () => string })]),
      "2025-11-25",
    );
    wire.initialize();
    wire.send({ id: 1, method: "tools/call", params: { name: "odd" } });
    const { result } = await wire.waitFor({ id: 1 });
    wire.expectLegal();
    return result as { isError: boolean; content: { text: string }[]; structuredContent?: object };
  };

  test.each([
    ["blocks that are texts", () => content("str" as never)],
    ["a list in place of a block", () => content([text("a")] as never)],
    ["a text that is a number", () => content(text(5 as never))],
    ["a block of no known kind", () => content({ type: "nope" as "text" })],
    ["a link without a name", () => content({ type: "resource_link", uri: "a:b" })],
  ])("%s is an error result, never an invalid result", async (_what, run) => {
    expect((await call(run)).content[0]?.text).toMatch(/^The tool failed unexpectedly\. Reference: /);
  });

  test("a returned Error is treated as thrown", async () => {
    expect(await call(() => new ToolError("No such note.", { code: "NONE" }))).toMatchObject({
      content: [{ text: "No such note." }],
      isError: true,
      structuredContent: { code: "NONE" },
    });
    expect((await call(() => new Error("secret"))).content[0]?.text).toMatch(/^The tool failed unexpectedly/);
  });

  test("error details that are not serializable are omitted, and the message is kept", async () => {
    const run = () => Promise.reject(new ToolError("Lost.", { code: "LOST", details: { n: 1n as never } }));
    expect(await call(run)).toMatchObject({ content: [{ text: "Lost." }], structuredContent: { code: "LOST" } });
  });

  test("a long error message is truncated", async () => {
    const { content: blocks } = await call(() => Promise.reject(new ToolError("x".repeat(11 << 20))));
    expect(blocks[0]?.text).toHaveLength(65_537);
  });
});

test("a schema that throws is reported as an error of the tool", async () => {
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
  wire.send({ id: 1, method: "tools/call", params: { name: "odd" } });
  expect(await wire.waitFor({ id: 1 })).toMatchObject({ result: { isError: true } });
});

test("a notification over the size limit is dropped, and the call continues", async () => {
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
  wire.send({ id: 1, method: "tools/call", params: { name: "loud" } });
  await wire.waitFor({ id: 1 });
  expect(wire.received.filter(({ method }) => method === "notifications/message").map(({ params }) => params)).toEqual([
    { level: "info", data: "short" },
  ]);
});

test("the name of an unknown tool is truncated in the error", async () => {
  const wire = new Wire(serverWith([tool({ name: "a", description: "A.", run: () => "" })]), "2025-11-25");
  wire.initialize();
  wire.send({ id: 1, method: "tools/call", params: { name: "n".repeat(100_000) } });
  expect(await wire.waitFor({ id: 1 })).toMatchObject({ error: { message: `Unknown tool: ${"n".repeat(200)}…` } });
});

test("the methods of call can be destructured", async () => {
  const apart = tool({
    name: "apart",
    description: "Uses parts of its call.",
    run(_input, { progress, log, supports: can }) {
      progress(1);
      log("info", "said");
      return String(can("roots"));
    },
  });
  const wire = new Wire(serverWith([apart]), "2025-11-25");
  wire.initialize();
  wire.send({ id: 1, method: "tools/call", params: { name: "apart", _meta: { progressToken: "p" } } });
  expect(await wire.waitFor({ method: "notifications/progress" })).toMatchObject({ params: { progress: 1 } });
  expect(await wire.waitFor({ id: 1 })).toMatchObject({ result: { content: [{ text: "false" }], isError: false } });
});
