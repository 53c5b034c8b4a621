import { type JsonObject, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { ALL, everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, createGate, echo } from "./support.js";

const OLD = ["2024-11-05", "2025-03-26", "2025-06-18"];
const broken = tool({
  name: "broken",
  description: "Fails.",
  run: () => {
    throw new Error("on purpose");
  },
});
const missing = tool({
  name: "missing",
  description: "Finds nothing.",
  run: () => {
    throw new ToolError("No such template", { code: "TEMPLATE_NOT_FOUND" });
  },
});

describe("validationErrors", () => {
  const wrong = { text: 7, colour: "red" };
  const isProtocol = {
    result: [],
    "by-revision": OLD,
    protocol: [...ALL],
  } as const satisfies Record<string, readonly string[]>;

  for (const [mode, revisions] of Object.entries(isProtocol)) {
    everyRevision(`${mode} tells wrong arguments in its way`, async (open, revision) => {
      const client = await open(createEcho({ repair: false, validationErrors: mode as keyof typeof isProtocol }));
      const { answer } = client.start("tools/call", { name: "echo", arguments: wrong });
      const { result, error } = await answer;
      if ((revisions as readonly string[]).includes(revision)) {
        expect(error).toMatchObject({ code: -32602, data: { faults: expect.any(Array) } });
        expect((error as JsonObject)["message"]).toContain('The arguments of "echo" are not right:');
      } else {
        expect(result).toMatchObject({ isError: true, content: [{ type: "text" }] });
        expect(JSON.stringify(result)).toContain('The arguments of \\"echo\\" are not right:');
      }
    });
  }

  everyRevision("a malformed call is -32602 in every mode", async (open) => {
    for (const mode of ["result", "by-revision", "protocol"] as const) {
      const client = await open(createEcho({ validationErrors: mode }));
      await expect(client.request("tools/call", { name: "echo", arguments: [] })).rejects.toMatchObject({
        code: -32602,
        message: 'Invalid params: "arguments" must be an object',
      });
    }
  });
});

/** The codes of five failures: unknown tool, wrong arguments, a failing tool, one that takes too long, one with a name. */
const codesOf = async (
  open: Parameters<Parameters<typeof everyRevision>[1]>[0],
  options: Partial<ServerOptions>,
): Promise<unknown[]> => {
  const gate = createGate();
  const tools = [echo, broken, missing, gate.tool];
  const client = await open(createEcho({ tools, limits: { callTimeoutMs: 15 }, ...options }));
  const answers = [
    client.start("tools/call", { name: "unheard-of" }),
    client.start("tools/call", { name: "echo", arguments: {} }),
    client.start("tools/call", { name: "broken" }),
    client.start("tools/call", { name: "gate" }),
    client.start("tools/call", { name: "missing" }),
  ];
  const codes: unknown[] = [];
  for (const { answer } of answers) {
    const { error, result } = await answer;
    codes.push((error as JsonObject | undefined)?.["code"] ?? (result as JsonObject)["isError"]);
  }
  return codes;
};

describe("legacyCodes", () => {
  onRevisions(HANDSHAKE, "paiml, rag and ancplua have the numbers of their lines", async (open) => {
    expect(await codesOf(open, {})).toEqual([-32602, true, true, true, true]);
    expect(await codesOf(open, { legacyCodes: "paiml" })).toEqual([-32602, -32002, true, true, -32000]);
    expect(await codesOf(open, { legacyCodes: "rag" })).toEqual([-32000, true, -32001, -32001, true]);
    expect(await codesOf(open, { legacyCodes: "ancplua" })).toEqual([-32601, -32602, -32603, -32000, true]);
  });

  onRevisions([STATELESS], "none of them reaches the stateless revision [RPC-17]", async (open) => {
    for (const legacyCodes of ["paiml", "rag", "ancplua"] as const) {
      expect(await codesOf(open, { legacyCodes })).toEqual([-32602, true, true, true, true]);
    }
  });

  onRevisions(HANDSHAKE, "paiml has a number for calls over the rate", async (open) => {
    const rate = { burst: 1, perSecond: 1, over: "reject" } as const;
    const client = await open(createEcho({ legacyCodes: "paiml", rate }));
    await client.callTool("echo", { text: "a" });
    await expect(client.callTool("echo", { text: "b" })).rejects.toMatchObject({ code: -32003 });
  });
});

// The schema knows no such methods, so these conversations are not judged by it.
describe.each([...ALL])("directToolMethods in %s", (revision) => {
  test("serves a method named like a tool as a call of it", async () => {
    const client = await connect(createEcho({ directToolMethods: true }), { revision });
    const called = await client.callTool("echo", { text: "a" });
    expect(await client.request("echo", { text: "a" })).toEqual(called);
    await expect(client.request("unheard-of")).rejects.toMatchObject({ code: -32601 });
    expect((await client.request("echo", { text: "a", colour: "red" }))["isError"]).toBe(true);
  });

  test("passes the metadata of the request on", async () => {
    const stepping = tool({ name: "stepping", description: "Reports.", run: (_, call) => call.progress(1) });
    const client = await connect(createEcho({ directToolMethods: true, tools: [stepping] }), { revision });
    await client.request("stepping", { _meta: { progressToken: "p" } });
    expect(client.heard("notifications/progress")).toHaveLength(1);
  });

  test("never hides a method of the protocol behind a tool", async () => {
    const sly = { ...echo, name: "tools.list", aliases: ["tools/list"] };
    const client = await connect(createEcho({ directToolMethods: true, tools: [sly] }), { revision });
    expect(await client.listTools()).toHaveLength(1);
  });
});

describe("directToolMethods and questions", () => {
  const asking = tool({
    name: "asking",
    description: "Asks who it is.",
    input: { type: "object", properties: { requestState: { type: "string" } } },
    run: async ({ requestState = "no state" }, call) => {
      const form = { type: "object", properties: { name: { type: "string" } } } as const;
      const answer = requestState === "mine" ? undefined : await call.ask("who", "Who is it?", form);
      return `${String(answer?.["name"])}, ${requestState}`;
    },
  });
  const server = () => createEcho({ directToolMethods: true, tools: [asking] });

  test("what answers a question of the stateless revision is no argument", async () => {
    const client = await connect(server(), { revision: STATELESS });
    const { requestState } = (await client.request("asking")) as { requestState: string };
    const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
    const answered = await client.request("asking", { requestState, inputResponses });
    expect(answered).toMatchObject({ content: [{ text: "Ada, no state" }] });
  });

  test("other revisions have no such words, so that there they are arguments", async () => {
    const client = await connect(server(), { revision: "2025-11-25" });
    const answered = await client.request("asking", { requestState: "mine" });
    expect(answered).toMatchObject({ content: [{ text: "undefined, mine" }] });
  });
});

test.each([
  [{ name: "" }, "name must be a non-empty string"],
  [{ version: 7 as never }, "version must be a non-empty string"],
  [{ lifecycle: "loose" as never }, "lifecycle must be one of tolerant, strict, off, not loose"],
  [{ batch: true as never }, "batch must be one of auto, always, never, not true"],
  [{ validationErrors: "none" as never }, "validationErrors must be one of result, by-revision, protocol, not none"],
  [{ legacyCodes: "other" as never }, "legacyCodes must be one of paiml, rag, ancplua, not other"],
  [{ unknownArguments: "drop" as never }, "unknownArguments must be one of refuse, allow, not drop"],
  [{ revisions: ["2099-01-01"] }, "revision 2099-01-01 is unknown; known are 2026-07-28, 2025-11-25, 2025-06-18, "],
  [{ revisions: [] }, "revisions must name at least one"],
  [{ limits: { callsInFlight: 0 } }, "limits.callsInFlight must be a positive number"],
  [{ limits: { pageSize: Number.NaN } }, "limits.pageSize must be a positive number"],
  [{ limits: { speed: 1 } as never }, "limits.speed is unknown"],
  [{ rate: { burst: 0, perSecond: 1 } }, "rate needs burst of at least 1 and perSecond above 0"],
  [{ tools: [echo, echo] }, 'Cannot register tool "echo": the name "echo" is taken'],
])("a server cannot be made with %j", (options, message) => {
  expect(() => createEcho(options)).toThrow(TypeError);
  expect(() => createEcho(options)).toThrow(message);
});
