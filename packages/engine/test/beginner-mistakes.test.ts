import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { hashApiKey, serveHttp } from "../src/http.js";
import { createLogger, createServer, type LogEntry, pack, resource, serveStdio, tool } from "../src/index.js";
import { audit, metricsText, recordTo, telemetry } from "../src/observability.js";
import { suspiciousValue, toToolResult } from "../src/server/features/tool-result.js";
import { connectTestClient } from "../src/testing.js";
import { serveStreams } from "../src/transport.js";
import { Child } from "./stdio/child.js";

const echo = tool({ name: "echo", description: "Echoes.", run: () => "x" });
const server = { name: "s", version: "1.0.0" };

/** The error that a function throws. */
function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

const withInput = (input: unknown) => () =>
  createServer({
    ...server,
    tools: [tool({ name: "echo", description: "Echoes.", input: input as never, run: () => "x" })],
  });

const oldZodSchema = { _def: {}, safeParse: () => undefined };

test.each([
  [
    "a duplicate tool",
    () => createServer({ ...server, tools: [echo, echo] }),
    'Cannot register tool "echo": the name "echo" is already taken',
  ],
  [
    "a missing description",
    () => tool({ name: "echo", run: () => "x" } as never),
    'Cannot define tool "echo": description is missing',
  ],
  [
    "an unknown option",
    () => createServer({ ...server, tool: [] } as never),
    "Cannot create the server: unknown option tool; did you mean tools?",
  ],
  [
    "a schema with a wrong type",
    withInput({ type: "objct" }),
    'Cannot register tool "echo": cannot read the input schema: type must be the name of a JSON type',
  ],
  [
    "a schema of zod 3.23",
    withInput(oldZodSchema),
    'Cannot register tool "echo": the input schema needs zod 4.2 or newer, found ',
  ],
  [
    "a schema of zod 3.25",
    withInput({ "~standard": { version: 1, vendor: "zod", validate: (value: unknown) => ({ value }) } }),
    'Cannot register tool "echo": the input schema needs zod 4.2 or newer, found ',
  ],
  [
    "a misspelled annotation",
    () => tool({ ...echo, annotations: { readonlyHint: true } } as never),
    'Cannot define tool "echo": unknown option annotations.readonlyHint; did you mean annotations.readOnlyHint?',
  ],
  [
    "the name of an option in another engine",
    () => tool({ name: "echo", description: "Echoes.", handler: () => "x" } as never),
    'Cannot define tool "echo": unknown option handler; did you mean run?',
  ],
  [
    "a tool that is undefined",
    () => createServer({ ...server, tools: [undefined as never] }),
    "Cannot define a tool: expected what tool({ … }) returns, got undefined",
  ],
  [
    "a tool that is named first",
    () => (tool as (...args: unknown[]) => unknown)("echo", { description: "Echoes." }),
    "Cannot define a tool: expected what tool({ … }) returns, got string",
  ],
  [
    "a resource that is undefined",
    () => createServer({ ...server, resources: [undefined as never] }),
    "Cannot define a resource: expected what resource({ … }) returns, got undefined",
  ],
  [
    "a resource without options",
    () => resource(null as never),
    "Cannot define a resource: expected what resource({ … }) returns, got null",
  ],
  [
    "a prompt that is undefined",
    () => createServer({ ...server, prompts: [undefined as never] }),
    "Cannot define a prompt: expected what prompt({ … }) returns, got undefined",
  ],
  [
    "a pack without options",
    () => pack(undefined as never),
    "Cannot define a pack: expected what pack({ … }) returns, got undefined",
  ],
  [
    "a resource without a URI",
    () => createServer({ ...server, resources: [{ name: "r" } as never] }),
    "Cannot define a resource: uri is missing",
  ],
  [
    "middleware that is not in a list",
    () => createServer({ ...server, middleware: (() => undefined) as never }),
    "Cannot create the server: middleware must be an array",
  ],
  [
    "an unknown option of the audit log",
    () => audit({ file: "x", maxByte: 1 } as never),
    "Cannot open the audit log: unknown option maxByte; did you mean maxBytes?",
  ],
  [
    "an unknown option of telemetry",
    () => telemetry({ recordContents: true } as never),
    "Cannot open telemetry: unknown option recordContents; did you mean recordContent?",
  ],
  [
    "metrics of what is no server",
    () => metricsText({ ...server } as never),
    "Cannot write metrics: the first argument is not a server; pass what createServer returns",
  ],
  [
    "streams of what is no server",
    () => serveStreams({ ...server } as never, {} as never),
    "Cannot serve over streams: the first argument is not a server; pass what createServer returns",
  ],
  [
    "an unknown option of the log",
    () => createLogger({ levl: "info" } as never),
    "Cannot create the log: unknown option levl; did you mean level?",
  ],
  ["a short API key", () => hashApiKey("secret"), "Cannot hash the API key: it has fewer than 20 characters"],
  [
    "a tool that is added to a server that is not dynamic",
    () => createServer({ ...server, tools: [] }).addTool(echo),
    'Cannot add "echo" to the tools: create the server with dynamic: true',
  ],
  [
    "a raw zod shape",
    withInput({ a: z.string() }),
    'Cannot register tool "echo": the input schema is a plain object of schemas; wrap it: z.object({ … })',
  ],
  ["z.date()", withInput(z.object({ at: z.date() })), "Date cannot be represented in JSON Schema"],
])("%s is reported in the file of the author", (_mistake, run, message) => {
  const error = thrownBy(run);
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toContain(message);
  expect(error.stack?.split("\n").find((line) => line.startsWith("    at "))).toContain("beginner-mistakes.test.ts");
  expect(error.cause).toBeUndefined();
});

test.each([
  ["3.23.8", "3.23.8"],
  ["3.25.0", "3.25.0"],
  ["4.1.13", "4.1.13"],
  // Not the copy of zod that made the schema.
  ["4.2.0", 'an older copy or "zod/v3"'],
])("a schema of an old zod is reported with the installed version %s", (version, found) => {
  const folder = mkdtempSync(join(tmpdir(), "old-zod-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "node_modules", "zod"), { recursive: true });
  writeFileSync(join(folder, "node_modules", "zod", "package.json"), JSON.stringify({ name: "zod", version }));
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
  onTestFinished(() => cwd.mockRestore());
  expect(thrownBy(withInput(oldZodSchema)).message).toBe(
    `Cannot register tool "echo": the input schema needs zod 4.2 or newer, found ${found}`,
  );
});

describe("a program that creates a server", () => {
  const stderrOf = async (code: string, exitCode = 0) => {
    const program = `import { createServer, serveStdio } from "@toolwright/engine";
      const server = createServer({ name: "s", version: "1.0.0", tools: [] });
      ${code}`;
    const child = new Child(process.execPath, ["--input-type=module", "-e", program]);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: exitCode, signal: null });
    return child.stderr;
  };

  test("and never serves it is told so", async () => {
    expect(await stderrOf("")).toBe(
      'The server "s" was created and never served: call serveStdio(server), or serveHttp(server) from "@toolwright/engine/http"\n',
    );
  });

  test("and awaits what never settles is told so", async () => {
    const reason = "the program awaits a promise at its top level that never settles";
    // Newer versions of Node warn, too.
    expect(await stderrOf("await new Promise(() => {});", 13)).toContain(
      `The server "s" was created and never served: ${reason}\n`,
    );
  });

  test("and serves it twice over stdio ends with the mistake", async () => {
    const message = "[CRITICAL] TypeError: Cannot serve over stdio: it already serves a client; call serveStdio once\n";
    const stderr = await stderrOf("serveStdio(server); serveStdio(server); setInterval(() => {}, 1000);", 1);
    expect(stderr).toContain(message);
    expect(stderr.indexOf(message)).toBe(0);
  });

  test("and prints to stdout before it serves over stdio is warned", async () => {
    expect(await stderrOf('console.log("starting"); await serveStdio(server);')).toBe(
      "[WARNING] the program printed to stdout before serveStdio; use console.error: some clients close the connection\n",
    );
  });

  test("and serves two servers on one port ends with the mistake", async () => {
    const stderr = await stderrOf(
      `const { serveHttp } = await import("@toolwright/engine/http");
       const { url } = await serveHttp(server, { port: 0 });
       await serveHttp(server, { port: Number(new URL(url).port) });`,
      1,
    );
    expect(stderr).toMatch(/^\[CRITICAL\] Error: Cannot listen at 127\.0\.0\.1:\d+: the port is in use/);
  });

  test.each([
    ["serves it", "await serveStdio(server);"],
    [
      "connects a test client",
      'const { connectTestClient } = await import("@toolwright/engine/testing"); (await connectTestClient(server)).close();',
    ],
    [
      "creates a fetch handler",
      'const { createFetchHandler } = await import("@toolwright/engine/http"); createFetchHandler(server);',
    ],
  ])("and %s is told nothing", async (_name, code) => {
    expect(await stderrOf(code)).toBe("");
  });
});

test.each([
  ["serveStdio", "serve over stdio", (value: never) => serveStdio(value)],
  ["serveHttp", "serve over HTTP", (value: never) => serveHttp(value)],
  ["recordTo", "record", (value: never) => recordTo(value, { file: "x" })],
  ["connectTestClient", "connect", (value: never) => connectTestClient(value)],
])("%s reports what is no server in the file of the author", async (_name, action, serve) => {
  const error = await serve({ name: "s", tools: [] } as never).catch((thrown: unknown) => thrown as Error);
  expect((error as Error).message).toBe(
    `Cannot ${action}: the first argument is not a server; pass what createServer returns`,
  );
  expect((error as Error).stack?.split("\n")[1]).toContain("beginner-mistakes.test.ts");
});

test("a result that JSON cannot represent is reported", () => {
  expect(() => toToolResult({ a: 1n })).toThrow(
    "The tool returned a value that JSON cannot represent: Do not know how",
  );
});

test.each([
  { a: {} },
  [],
  {},
  Object.create(null) as object,
  { text: "{}" },
  { at: new Date(0), none: {} },
  { url: new URL("http://a.example"), none: {} },
])("a tool may return %j without a warning", (value) => {
  expect(suspiciousValue(value)).toBeUndefined();
});

describe("serveHttp", () => {
  test("reports invalid options and a port in use in the file of the author", async () => {
    const running = await serveHttp(createServer({ ...server, tools: [] }), { port: 0 });
    const serve = (options: object | null) =>
      serveHttp(createServer({ ...server, tools: [] }), options as object).catch((error: unknown) => error as Error);
    for (const [options, message] of [
      [null, "Cannot serve over HTTP: the options must be an object"],
      [{ prot: 1 }, "Cannot serve over HTTP: unknown option prot; did you mean port?"],
      [{ port: Number(new URL(running.url).port) }, "the port is in use"],
    ] as const) {
      const error = await serve(options);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toContain(message);
      expect((error as Error).stack?.split("\n")[1]).toContain("beginner-mistakes.test.ts");
    }
    await running.close();
  });
});

test.each([
  ["undefined", () => undefined, 'tool "t" returned nothing; return a string or an object'],
  ["a Map", () => new Map([["a", 1]]), 'tool "t" returned a Map, which is {} in JSON'],
  [
    "a promise in an object",
    () => ({ a: Promise.resolve(1) }),
    'tool "t" returned a Promise in "a", which is {} in JSON; await it',
  ],
  [
    "a promise further down",
    () => ({ a: { b: [Promise.resolve(1)] } }),
    'tool "t" returned a Promise in "a.b.0", which is {} in JSON; await it',
  ],
  ["a Set in a list", () => [new Set([1])], 'tool "t" returned a Set in "0", which is {} in JSON; convert it first'],
  ["a generator", async function* () {}, 'tool "t" returned an AsyncGenerator, which is {} in JSON; convert it first'],
  ["an Error in an object", () => ({ e: new Error("x") }), 'tool "t" returned an Error in "e", which is {} in JSON'],
  [
    "an object with private fields",
    () =>
      new (class Point {
        readonly #x = 1;
        get x() {
          return this.#x;
        }
      })(),
    'tool "t" returned a Point, which is {} in JSON; convert it first',
  ],
  [
    "the result of the official SDK",
    () => ({ content: [{ type: "text", text: "hi" }] }),
    'tool "t" returned { content: [...] }, which is sent as JSON text; return a string',
  ],
  ["a function in an object", () => ({ a: () => 1 }), 'tool "t" returned a function in "a", which JSON leaves out'],
])("a tool that returns %s is warned about once", async (_what, run, message) => {
  const entries: LogEntry[] = [];
  const returning = tool({ name: "t", description: "Returns.", run });
  const client = await connectTestClient(
    createServer({ ...server, tools: [returning], log: (entry) => void entries.push(entry) }),
  );
  await client.callTool("t");
  await client.callTool("t");
  client.close();
  const warnings = entries.filter(({ level }) => level === "warning");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.message).toContain(message);
});

test("a tool with an asynchronous output schema is warned about a lost value", async () => {
  const output = {
    "~standard": {
      version: 1,
      vendor: "x",
      validate: async (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
    },
  };
  const messages: string[] = [];
  const returning = tool({ name: "t", description: "x", output: output as never, run: () => ({ a: new Set([1]) }) });
  const log = ({ message }: LogEntry) => void messages.push(message);
  const client = await connectTestClient(createServer({ ...server, tools: [returning], log }));
  await client.callTool("t");
  client.close();
  expect(messages).toEqual(['tool "t" returned a Set in "a", which is {} in JSON; convert it first']);
});

test("the results of a tool are searched for lost values once", async () => {
  let reads = 0;
  const result = {
    none: {},
    get member() {
      reads += 1;
      return 1;
    },
  };
  const returning = tool({ name: "t", description: "Returns.", run: () => result });
  const client = await connectTestClient(createServer({ ...server, tools: [returning] }));
  for (let call = 0; call < 3; call += 1) await client.callTool("t");
  client.close();
  // JSON.stringify reads the member in each call.
  expect(reads).toBe(3 + 1);
});

test("a value that is nested too deeply for the search is not reported", () => {
  let value: unknown = new Set();
  for (let depth = 0; depth < 20_000; depth += 1) value = [value];
  expect(suspiciousValue(value)).toBeUndefined();
});

test("a sampling request without a name is reported", async () => {
  const entries: LogEntry[] = [];
  const asking = tool({
    name: "t",
    description: "Asks the model.",
    run: (_, call) => call.sample({ prompt: "hi" } as never, undefined as never) as never,
  });
  const client = await connectTestClient(
    createServer({ ...server, tools: [asking], log: (entry) => void entries.push(entry) }),
  );
  await client.callTool("t");
  client.close();
  expect(String(entries[0]?.error)).toContain("the request must be an object");
});
