import { type JsonObject, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { ALL, everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createBlockingTool, createEcho, echo } from "./support.js";

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

describe("the option validationErrors", () => {
  const wrong = { text: 7, colour: "red" };
  const isProtocol = {
    result: [],
    "by-revision": OLD,
    protocol: [...ALL],
  } as const satisfies Record<string, readonly string[]>;

  for (const [mode, revisions] of Object.entries(isProtocol)) {
    everyRevision(`${mode} determines how invalid arguments are reported`, async (open, revision) => {
      const client = await open(
        createEcho({
          toolOptions: { correctArguments: false },
          compat: { validationErrors: mode as keyof typeof isProtocol },
        }),
      );
      const { response: answer } = client.startRequest("tools/call", { name: "echo", arguments: wrong });
      const { result, error } = await answer;
      if ((revisions as readonly string[]).includes(revision)) {
        expect(error).toMatchObject({ code: -32602, data: { issues: expect.any(Array) } });
        expect((error as JsonObject)["message"]).toContain('Invalid arguments for "echo":');
      } else {
        expect(result).toMatchObject({ isError: true, content: [{ type: "text" }] });
        expect(JSON.stringify(result)).toContain('Invalid arguments for \\"echo\\":');
      }
    });
  }

  everyRevision("a malformed call gets -32602 in every mode", async (open) => {
    for (const mode of ["result", "by-revision", "protocol"] as const) {
      const client = await open(createEcho({ compat: { validationErrors: mode } }));
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
  const gate = createBlockingTool();
  const tools = [echo, broken, missing, gate.tool];
  const client = await open(createEcho({ tools, limits: { callTimeoutMs: 15 }, ...options }));
  const answers = [
    client.startRequest("tools/call", { name: "unheard-of" }),
    client.startRequest("tools/call", { name: "echo", arguments: {} }),
    client.startRequest("tools/call", { name: "broken" }),
    client.startRequest("tools/call", { name: "gate" }),
    client.startRequest("tools/call", { name: "missing" }),
  ];
  const codes: unknown[] = [];
  for (const { response: answer } of answers) {
    const { error, result } = await answer;
    codes.push((error as JsonObject | undefined)?.["code"] ?? (result as JsonObject)["isError"]);
  }
  return codes;
};

/** The codes of an older server. */
const ERRORS = {
  UNKNOWN_TOOL: { code: -32601 },
  SCHEMA_MISMATCH: { code: -32602 },
  TOOL_ERROR: { code: -32603 },
  TIMEOUT: { code: -32000, message: "Tool execution timeout" },
};

describe("the option errors", () => {
  onRevisions(HANDSHAKE, "has codes by the kinds of errors, of which the narrowest applies", async (open) => {
    expect(await codesOf(open, {})).toEqual([-32602, true, true, true, true]);
    expect(await codesOf(open, { compat: { errors: ERRORS } })).toEqual([-32601, -32602, -32603, -32000, -32603]);
    const errors = { TEMPLATE_NOT_FOUND: { code: -32000 }, INVALID_ARGUMENTS: { code: -32002 } };
    expect(await codesOf(open, { compat: { errors } })).toEqual([-32602, -32002, true, true, -32000]);
    const all = { ERROR: { code: -1 }, SCHEMA_MISMATCH: { code: -2 } };
    expect(await codesOf(open, { compat: { errors: all } })).toEqual([-1, -2, -1, -1, -1]);
  });

  onRevisions([STATELESS], "does not apply to the stateless revision [RPC-17]", async (open) => {
    expect(await codesOf(open, { compat: { errors: ERRORS } })).toEqual([-32602, true, true, true, true]);
  });

  onRevisions(HANDSHAKE, "has messages and data with placeholders", async (open) => {
    const errors = {
      ERROR: { data: { details: "{message}" } },
      METHOD_NOT_FOUND: { message: "Method not found", data: { method: "{method}", known: false } },
      UNKNOWN_TOOL: { message: "No tool {tool}{nothing}", data: { nearest: "{didYouMean}", nothing: "{nothing}" } },
      TEMPLATE_NOT_FOUND: { code: -32000, message: "Template not found" },
      INVALID_PARAMS: { data: null },
    };
    const client = await open(createEcho({ compat: { errors }, tools: [echo, missing] }));
    const errorOf = async (method: string, params: JsonObject = {}) =>
      (await client.startRequest(method, params).response)["error"];
    expect(await errorOf("no/such")).toEqual({
      code: -32601,
      message: "Method not found",
      data: { method: "no/such", known: false },
    });
    expect(await errorOf("tools/call", { name: "ehco" })).toEqual({
      code: -32602,
      message: "No tool ehco",
      data: { nearest: "echo" },
    });
    expect(await errorOf("tools/call", { name: 1 })).toEqual({
      code: -32602,
      message: 'Invalid params: "name" must be a string',
    });
    expect(await errorOf("tools/call", { name: "missing" })).toEqual({
      code: -32000,
      message: "Template not found",
      data: { details: "No such template" },
    });
  });

  onRevisions(HANDSHAKE, "keeps the data of a tool error that has a code", async (open) => {
    const failing = tool({
      name: "failing",
      description: "Fails.",
      run: () => {
        throw new ToolError("Gone.", { code: "GONE", details: { since: 5 }, hint: { action: "look elsewhere" } });
      },
    });
    const client = await open(createEcho({ compat: { errors: { GONE: { code: -32004 } } }, tools: [failing] }));
    await expect(client.callTool("failing")).rejects.toMatchObject({
      code: -32004,
      message: "Gone. Look elsewhere.",
      data: { code: "GONE", since: 5, hint: { action: "look elsewhere" } },
    });
  });
});

// The schema knows no such methods, so these conversations are not judged by it.
describe.each([...ALL])("directToolMethods in %s", (revision) => {
  test("treats a method with the name of a tool as a call of the tool", async () => {
    const client = await connectTestClient(createEcho({ compat: { directToolMethods: true } }), { revision });
    const called = await client.callTool("echo", { text: "a" });
    expect(await client.request("echo", { text: "a" })).toEqual(called);
    await expect(client.request("unheard-of")).rejects.toMatchObject({ code: -32601 });
    expect((await client.request("echo", { text: "a", colour: "red" }))["isError"]).toBe(true);
  });

  test("passes on the _meta of the request", async () => {
    const stepping = tool({ name: "stepping", description: "Reports.", run: (_, call) => call.progress(1) });
    const client = await connectTestClient(createEcho({ compat: { directToolMethods: true }, tools: [stepping] }), {
      revision,
    });
    await client.request("stepping", { _meta: { progressToken: "p" } });
    expect(client.received("notifications/progress")).toHaveLength(1);
  });

  test("never replaces a method of the protocol", async () => {
    const sly = { ...echo, name: "tools.list", aliases: ["tools/list"] };
    const client = await connectTestClient(createEcho({ compat: { directToolMethods: true }, tools: [sly] }), {
      revision,
    });
    expect(await client.listTools()).toHaveLength(1);
  });
});

describe("directToolMethods and input requests", () => {
  const asking = tool({
    name: "asking",
    description: "Asks who it is.",
    input: { type: "object", properties: { requestState: { type: "string" } } },
    run: async ({ requestState = "no state" }, call) => {
      const form = { type: "object", properties: { name: { type: "string" } } } as const;
      const answer = requestState === "mine" ? undefined : await call.elicit("who", "Who is it?", form);
      return `${String(answer?.["name"])}, ${requestState}`;
    },
  });
  const server = () => createEcho({ compat: { directToolMethods: true }, tools: [asking] });

  test("inputResponses and requestState are not arguments in the stateless revision", async () => {
    const client = await connectTestClient(server(), { revision: STATELESS });
    const { requestState } = (await client.request("asking")) as { requestState: string };
    const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
    const answered = await client.request("asking", { requestState, inputResponses });
    expect(answered).toMatchObject({ content: [{ text: "Ada, no state" }] });
  });

  test("inputResponses and requestState are arguments in other revisions", async () => {
    const client = await connectTestClient(server(), { revision: "2025-11-25" });
    const answered = await client.request("asking", { requestState: "mine" });
    expect(answered).toMatchObject({ content: [{ text: "undefined, mine" }] });
  });
});

test.each([
  [{ name: "" }, "name must be a non-empty string"],
  [{ version: 7 as never }, "version must be a non-empty string"],
  [
    { compat: { lifecycle: "loose" as never } },
    "compat.lifecycle must be one of tolerant, strict, strict-ping, off, not loose",
  ],
  [{ compat: { batch: true as never } }, "compat.batch must be one of auto, always, never, not true"],
  [
    { compat: { validationErrors: "none" as never } },
    "compat.validationErrors must be one of result, by-revision, protocol, not none",
  ],
  [{ compat: { errors: { timeout: {} } } }, "compat.errors.timeout must be a kind such as UNKNOWN_TOOL"],
  [{ compat: { errors: { TIMEOUT: { code: "1" as never } } } }, "compat.errors.TIMEOUT.code must be an integer"],
  [
    { toolOptions: { unknownArguments: "drop" as never } },
    "toolOptions.unknownArguments must be one of reject, allow, not drop",
  ],
  [
    { protocol: { revisions: ["2099-01-01"] } },
    "unknown revision 2099-01-01; expected one of 2026-07-28, 2025-11-25, 2025-06-18, ",
  ],
  [{ protocol: { revisions: [] } }, "protocol.revisions must name at least one revision"],
  [{ limits: { callsInFlight: 0 } }, "limits.callsInFlight must be a positive number"],
  [{ limits: { pageSize: Number.NaN } }, "limits.pageSize must be a positive number"],
  [{ limits: { speed: 1 } as never }, "unknown option limits.speed"],
  [{ limits: { rate: { burst: 0, perSecond: 1 } } }, "limits.rate needs burst of at least 1 and perSecond above 0"],
  [{ tools: [echo, echo] }, 'Cannot register tool "echo": the name "echo" is already taken'],
])("a server cannot be created with %j", (options, message) => {
  expect(() => createEcho(options)).toThrow(TypeError);
  expect(() => createEcho(options)).toThrow(message);
});
