import { createServer, prompt, resource, type ServerOptions, tool } from "@toolwright/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Headers, META, modern, openSite, type Sent, type Site } from "./raw-http.js";

const region = { type: "string", "x-mcp-header": "Region" } as const;
const mirrored = tool({
  name: "mirrored",
  description: "Has arguments that headers repeat.",
  aliases: ["naïve"],
  input: {
    type: "object",
    properties: {
      region,
      level: { type: "integer", "x-mcp-header": "Level" },
      dry: { type: "boolean", "x-mcp-header": "Dry-Run" },
      constructor: { type: "string", "x-mcp-header": "Ctor" },
      place: {
        type: "object",
        properties: { deep: { type: "object", properties: { id: { ...region, "x-mcp-header": "Deep" } } } },
      },
      free: { type: "string" },
    },
  },
  run: (input) => JSON.stringify(input),
});
const echo = tool({
  name: "echo",
  description: "Gives back its arguments.",
  unknownArguments: "allow",
  input: { type: "object" },
  run: (input) => JSON.stringify(input),
});
const options: ServerOptions = {
  name: "test",
  version: "1.0.0",
  log: () => undefined,
  tools: [echo, mirrored],
  prompts: [prompt({ name: "greet", description: "Greets.", run: () => "Hello." })],
  resources: [resource({ uri: "note:///grüße", name: "note", read: () => "a note" })],
};

let site: Site;
beforeAll(async () => {
  site = await openSite(createServer(options), { rate: false });
});
afterAll(() => site.close());

const call = (name: string, given: object = {}, headers: Headers = {}): Sent =>
  modern("tools/call", { name, arguments: given } as never, { "Mcp-Name": name, ...headers });
const withArguments = (given: object, headers: Headers): Sent => call("mirrored", given, headers);

const PASSED = 200;

/** Sends what should pass, or be refused with 400, -32020, its own id and this message. */
async function expectAnswer(sent: Sent, outcome: typeof PASSED | string): Promise<void> {
  const { status, body } = await site.send(sent);
  if (outcome === PASSED) expect({ status, error: body["error"] }).toEqual({ status: 200, error: undefined });
  else {
    const error = { code: -32020, message: `Header mismatch: ${outcome}` };
    expect({ status, body }).toEqual({ status: 400, body: { jsonrpc: "2.0", id: 7, error } });
  }
}

describe("MCP-Protocol-Version", () => {
  const NAMED = 'params._meta["io.modelcontextprotocol/protocolVersion"]';
  const meta = (version: unknown) => ({ ...META, "io.modelcontextprotocol/protocolVersion": version }) as never;

  test("is required for every stateless request [HDR-01]", async () => {
    await expectAnswer(
      modern("tools/list", {}, { "MCP-Protocol-Version": undefined }),
      `MCP-Protocol-Version is missing, but ${NAMED} is "2026-07-28"; both must be equal`,
    );
  });

  test.each([
    ["2025-11-25", "2026-07-28"],
    ["2026-07-28", "v999.0.0"],
    ["v999.0.0", "2026-07-28"],
    ["v998.0.0", "v999.0.0"],
    ["2026-07-28", "2025-11-25"],
    ["", "2026-07-28"],
  ])("%j is rejected if the body has %j [HDR-02]", async (header, body) => {
    await expectAnswer(
      modern("tools/list", {}, { "MCP-Protocol-Version": header }, meta(body)),
      `MCP-Protocol-Version is "${header}", but ${NAMED} is "${body}"; both must be equal`,
    );
  });

  test("is not required by servers without stateless revisions [HDR-15]", async () => {
    const old = await openSite(createServer({ ...options, protocol: { revisions: ["2025-11-25"] } }));
    const { status, body } = await old.send(modern("tools/list", {}, { "MCP-Protocol-Version": undefined }));
    await old.close();
    expect([status, body["error"]]).toMatchObject([400, { code: -32022, data: { supported: ["2025-11-25"] } }]);
  });
});

describe("Mcp-Method", () => {
  test.each([
    ["is needed", undefined, "Mcp-Method is missing, but"],
    ["must be the method", "tools/call", 'Mcp-Method is "tools/call", but'],
    ["has its case", "Tools/List", 'Mcp-Method is "Tools/List", but'],
    ["is never decoded", "=?base64?dG9vbHMvbGlzdA==?=", 'Mcp-Method is "=?base64?dG9vbHMvbGlzdA==?=", but'],
  ])("%s [HDR-03]", async (_fact, header, said) => {
    await expectAnswer(
      modern("tools/list", {}, { "Mcp-Method": header }),
      `${said} method is "tools/list"; both must be equal`,
    );
  });

  test.each([["server/discover"], ["tools/list"], ["prompts/list"]])(
    "is sufficient for %s [HDR-03 HDR-04]",
    async (method) => {
      await expectAnswer(modern(method, {}), PASSED);
      await expectAnswer(modern(method, {}, { "Mcp-Name": "whatever" }), PASSED);
    },
  );

  test("with characters that headers do not allow is rejected even if it matches [HDR-12]", async () => {
    await expectAnswer(modern("grüße", {}), "Mcp-Method has characters that are not allowed in a header");
  });
});

describe("Mcp-Name", () => {
  const GREETINGS = "=?base64?bm90ZTovLy9ncsO8w59l?=";

  test.each([
    ["tools/call", { name: "echo" }, "echo"],
    ["tools/call", { name: "echo" }, "=?base64?ZWNobw==?="],
    ["tools/call", { name: "naïve" }, "=?base64?bmHDr3Zl?="],
    ["prompts/get", { name: "greet" }, "greet"],
    ["resources/read", { uri: "note:///grüße" }, GREETINGS],
  ])("for %s with %j may be %s [HDR-04 HDR-05]", async (method, params, name) => {
    await expectAnswer(modern(method, params, { "Mcp-Name": name }), PASSED);
  });

  test.each([
    ["tools/call", { name: "echo" }, undefined, 'Mcp-Name is missing, but params.name is "echo"'],
    ["tools/call", { name: "echo" }, "Echo", 'Mcp-Name is "Echo", but params.name is "echo"'],
    ["tools/call", { name: "naïve" }, "=?base64?bWlycm9yZWQ=?=", 'Mcp-Name is "mirrored", but params.name is "naïve"'],
    ["prompts/get", { name: "greet" }, "echo", 'Mcp-Name is "echo", but params.name is "greet"'],
    ["resources/read", { uri: "note:///a" }, "note:///b", 'Mcp-Name is "note:///b", but params.uri is "note:///a"'],
    ["tools/call", {}, "echo", 'Mcp-Name is "echo", but the body has no params.name'],
    ["tools/call", { name: 5 }, "6", 'Mcp-Name is "6", but params.name is 5'],
  ])("for %s with %j cannot be %s [HDR-04 HST-10]", async (method, params, name, said) => {
    await expectAnswer(modern(method, params, { "Mcp-Name": name }), `${said}; both must be equal`);
  });

  test("is not required if the body has no name; the params are invalid then [HDR-14]", async () => {
    const { status, body } = await site.send(modern("tools/call", {}));
    expect([status, body["error"]]).toMatchObject([200, { code: -32602 }]);
  });

  test("that is very long is truncated in the message [HDR-04]", async () => {
    await expectAnswer(
      call("a".repeat(5000), {}, { "Mcp-Name": "echo" }),
      `Mcp-Name is "echo", but params.name is "${"a".repeat(199)}…; both must be equal`,
    );
  });
});

describe("an encoded header", () => {
  test.each([
    ["Hello", "=?base64?SGVsbG8=?="],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["", "=?base64??="],
    ["\uFEFFmark", "=?base64?77u/bWFyaw==?="],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["SGVsbG8=?=", "SGVsbG8=?="],
    ["=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="],
    ["=?base64?=", "=?base64?="],
    ["two words\tand a tab", "two words\tand a tab"],
  ])("for %j is %s [HDR-05]", async (value, header) => {
    await expectAnswer(withArguments({ region: value }, { "Mcp-Param-Region": header }), PASSED);
  });

  test.each([
    ["no padding", "=?base64?SGVsbG8?="],
    ["other characters", "=?base64?SGVs!!!bG8=?="],
    ["the alphabet of URLs", "=?base64?_-8=?="],
    ["bits left over", "=?base64?SGVsbG9=?="],
    ["no UTF-8", "=?base64?/w==?="],
    ["blanks", "=?base64?SGVs bG8=?="],
  ])("with %s is rejected [HDR-05]", async (_fault, header) => {
    const said = `is "${header}", which is not base64 of UTF-8 text`;
    await expectAnswer(withArguments({ region: "Hello" }, { "Mcp-Param-Region": header }), `Mcp-Param-Region ${said}`);
    await expectAnswer(call("Hello", {}, { "Mcp-Name": header }), `Mcp-Name ${said}`);
  });

  test("for another value is rejected with its decoded value [HDR-05]", async () => {
    await expectAnswer(
      withArguments({ region: "eu" }, { "Mcp-Param-Region": "=?base64?dXM=?=" }),
      'Mcp-Param-Region is "us", but params.arguments.region is "eu"; both must be equal',
    );
  });
});

describe("the name of a header", () => {
  test("is case-insensitive, and whitespace around its value is ignored [HDR-06]", async () => {
    const { body } = withArguments({ region: "eu" }, {});
    const headers = {
      "mcp-PROTOCOL-version": "  2026-07-28 ",
      "MCP-METHOD": "\ttools/call  ",
      "mcp-name": " mirrored\t",
      "MCP-pARAM-rEGION": "   eu ",
    };
    await expectAnswer({ headers, body }, PASSED);
  });
});

describe("Mcp-Param-*", () => {
  test.each([
    ["a string", { region: "eu" }, { "Mcp-Param-Region": "eu" }],
    ["an integer", { level: 42 }, { "Mcp-Param-Level": "42" }],
    ["an integer, spelled otherwise", { level: 42 }, { "Mcp-Param-Level": "42.0" }],
    ["a negative integer", { level: -7 }, { "Mcp-Param-Level": "-7" }],
    ["the largest integer", { level: 9007199254740991 }, { "Mcp-Param-Level": "9007199254740991" }],
    ["true", { dry: true }, { "Mcp-Param-Dry-Run": "true" }],
    ["false", { dry: false }, { "Mcp-Param-Dry-Run": "false" }],
    ["a nested string", { place: { deep: { id: "x" } } }, { "Mcp-Param-Deep": "x" }],
    ["nothing, for nothing", {}, {}],
    ["nothing, if a parent of the argument is missing", { place: { deep: {} } }, {}],
    ["an argument without x-mcp-header", { free: "a" }, { "Mcp-Param-Free": "b" }],
  ])("repeats %s [HDR-08 HDR-09 HDR-10 HDR-11 HDR-12]", async (_fact, given, headers) => {
    await expectAnswer(withArguments(given, headers), PASSED);
  });

  test.each([
    [{ region: "eu" }, {}, 'Mcp-Param-Region is missing, but params.arguments.region is "eu"'],
    [{ region: "eu" }, { "Mcp-Param-Region": "EU" }, 'Mcp-Param-Region is "EU", but params.arguments.region is "eu"'],
    [{ region: "" }, {}, 'Mcp-Param-Region is missing, but params.arguments.region is ""'],
    [{}, { "Mcp-Param-Region": "eu" }, 'Mcp-Param-Region is "eu", but the body has no params.arguments.region'],
    [
      { region: null },
      { "Mcp-Param-Region": "null" },
      'Mcp-Param-Region is "null", but params.arguments.region is null',
    ],
    [{ level: 42 }, { "Mcp-Param-Level": "43" }, 'Mcp-Param-Level is "43", but params.arguments.level is 42'],
    [{ level: 42 }, { "Mcp-Param-Level": "0x2A" }, 'Mcp-Param-Level is "0x2A", but params.arguments.level is 42'],
    [{ level: 0 }, { "Mcp-Param-Level": "" }, 'Mcp-Param-Level is "", but params.arguments.level is 0'],
    [{ level: 0 }, {}, "Mcp-Param-Level is missing, but params.arguments.level is 0"],
    [{ level: "42" }, { "Mcp-Param-Level": "42.0" }, 'Mcp-Param-Level is "42.0", but params.arguments.level is "42"'],
    [{ dry: true }, { "Mcp-Param-Dry-Run": "True" }, 'Mcp-Param-Dry-Run is "True", but params.arguments.dry is true'],
    [{ dry: false }, {}, "Mcp-Param-Dry-Run is missing, but params.arguments.dry is false"],
    [
      { region: ["eu"] },
      { "Mcp-Param-Region": "eu" },
      'Mcp-Param-Region is "eu", but params.arguments.region is ["eu"]',
    ],
    [
      { place: { deep: { id: "x" } } },
      { "Mcp-Param-Deep": "y" },
      'Mcp-Param-Deep is "y", but params.arguments.place.deep.id is "x"',
    ],
    [{}, { "Mcp-Param-Ctor": "x" }, 'Mcp-Param-Ctor is "x", but the body has no params.arguments.constructor'],
  ])("of %j cannot be %j [HDR-09 HDR-10 HDR-11]", async (given, headers, said) => {
    await expectAnswer(withArguments(given, headers), `${said}; both must be equal`);
  });

  test("is not required for null in the body [HDR-10]", async () => {
    const { status, body } = await site.send(withArguments({ region: null }, {}));
    expect([status, body["result"]]).toMatchObject([200, { isError: true }]);
  });

  test("cannot mirror an integer that is not exact [HDR-08]", async () => {
    await expectAnswer(
      withArguments({ level: 9007199254740992 }, { "Mcp-Param-Level": "9007199254740992" }),
      "params.arguments.level is 9007199254740992, an integer too large for Mcp-Param-Level",
    );
  });

  test("with characters that headers do not allow is rejected even if it matches [HDR-12]", async () => {
    const said = "Mcp-Param-Region has characters that are not allowed in a header: send the value as =?base64?…?=";
    await expectAnswer(withArguments({ region: "grüße" }, { "Mcp-Param-Region": "grüße" }), said);
    await expectAnswer(
      call("naïve"),
      "Mcp-Name has characters that are not allowed in a header: send the value as =?base64?…?=",
    );
  });

  test("of another tool is ignored [HDR-12]", async () => {
    await expectAnswer(call("echo", { region: "eu" }, { "Mcp-Param-Region": "us", "Mcp-Param-X": "é" }), PASSED);
  });

  test("is validated if a tool is called by an alias [HDR-09]", async () => {
    await expectAnswer(
      call("naïve", { region: "eu" }, { "Mcp-Name": "=?base64?bmHDr3Zl?=" }),
      'Mcp-Param-Region is missing, but params.arguments.region is "eu"; both must be equal',
    );
  });
});

test("the arguments of a direct tool method are mirrored like those of tools/call [HDR-09]", async () => {
  const direct = await openSite(createServer({ ...options, compat: { directToolMethods: true } }));
  const { status, body } = await direct.send(modern("mirrored", { region: "eu" }, { "Mcp-Param-Region": "us" }));
  const passed = await direct.send(modern("mirrored", { region: "eu" }, { "Mcp-Param-Region": "eu" }));
  const unnamed = await direct.send(modern("mirrored", { region: "eu" }, { "Mcp-Method": "tools/call" }));
  await direct.close();
  const message = 'Header mismatch: Mcp-Param-Region is "us", but params.region is "eu"; both must be equal';
  expect([status, body["error"]]).toEqual([400, { code: -32020, message }]);
  expect([passed.status, passed.body["result"]]).toMatchObject([200, { isError: false }]);
  expect([unnamed.status, unnamed.body["error"]]).toMatchObject([400, { code: -32020 }]);
});

test("mirrored arguments are never corrected, so that headers cannot be bypassed", async () => {
  const params = { name: "mirrored", arguments: { Region: "eu" } };
  const { status, body } = await site.send(modern("tools/call", params, { "Mcp-Name": "mirrored" }));
  expect([status, body["result"]]).toMatchObject([200, { isError: true }]);
});

describe("Mcp-Name of a task", () => {
  const methods = ["tasks/get", "tasks/update", "tasks/cancel"];
  const extension = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const meta = { ...META, "io.modelcontextprotocol/clientCapabilities": extension };
  const about = (method: string, headers: Headers): Sent =>
    modern(method, { taskId: "t-1", inputResponses: {} }, headers, meta);

  test.each(methods)("is its id, for %s [TSX-15]", async (method) => {
    const taskSite = await openSite(createServer({ ...options, tasks: true }));
    const same = await taskSite.send(about(method, { "Mcp-Name": "t-1" }));
    const other = await taskSite.send(about(method, { "Mcp-Name": "t-2" }));
    const none = await taskSite.send(about(method, {}));
    await taskSite.close();
    expect([same.status, same.body["error"]]).toMatchObject([200, { code: -32602 }]);
    const message = 'Mcp-Name is "t-2", but params.taskId is "t-1"; both must be equal';
    expect([other.status, other.body["error"]]).toEqual([
      400,
      { code: -32020, message: `Header mismatch: ${message}` },
    ]);
    expect([none.status, none.body["error"]]).toMatchObject([400, { code: -32020 }]);
  });

  test.each(methods)("is not required by a server without tasks, which has no %s [TSX-15]", async (method) => {
    const { status, body } = await site.send(about(method, {}));
    expect([status, body["error"]]).toMatchObject([404, { code: -32601 }]);
  });
});

describe("of several errors the first is reported:", () => {
  const version = (named: string) => ({ ...META, "io.modelcontextprotocol/protocolVersion": named });
  const wrong = { "MCP-Protocol-Version": "v1", "Mcp-Method": "ping" };

  test.each<[string, Sent, number, number]>([
    ["no JSON", { headers: wrong, body: "{" }, 400, -32700],
    ["no message", { headers: wrong, body: { id: 7, method: "tools/list" } }, 400, -32600],
    ["no _meta", modern("nothing", {}, { "Mcp-Method": "ping" }, null), 400, -32602],
    ["no version", modern("nothing", {}, wrong, { "io.modelcontextprotocol/clientCapabilities": {} }), 400, -32602],
    ["no capabilities", modern("nothing", {}, wrong, { "io.modelcontextprotocol/protocolVersion": "v2" }), 400, -32602],
    [
      "no capabilities, the versions agree",
      modern("nothing", {}, { "MCP-Protocol-Version": "v2" }, { "io.modelcontextprotocol/protocolVersion": "v2" }),
      400,
      -32602,
    ],
    ["the versions differ", modern("nothing", {}, { "Mcp-Method": "ping" }, version("v2")), 400, -32020],
    ["the version is not served", modern("nothing", {}, { ...wrong }, version("v1")), 400, -32022],
    ["another header differs", modern("nothing", {}, { "Mcp-Method": "ping" }), 400, -32020],
    ["an unknown method", modern("nothing", { name: 5 }), 404, -32601],
    ["wrong params", modern("tools/call", { name: "nothing" }, { "Mcp-Name": "nothing" }), 200, -32602],
  ])("%s [HDR-14]", async (_fault, sent, status, code) => {
    const answer = await site.send(sent);
    expect([answer.status, answer.body["error"]]).toMatchObject([status, { code }]);
  });
});
