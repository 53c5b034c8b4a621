import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { serveHttp } from "../src/http.js";
import { createServer, type LogEntry, tool } from "../src/index.js";
import { connectTestClient } from "../src/testing.js";
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
    'Cannot register tool "echo": the input schema needs zod 3.25 or 4, found ',
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
  // Not the copy of zod that made the schema.
  ["3.25.0", "an older version"],
])("a schema of an old zod is reported with the installed version %s", (version, found) => {
  const folder = mkdtempSync(join(tmpdir(), "old-zod-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "node_modules", "zod"), { recursive: true });
  writeFileSync(join(folder, "node_modules", "zod", "package.json"), JSON.stringify({ name: "zod", version }));
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
  onTestFinished(() => cwd.mockRestore());
  expect(thrownBy(withInput(oldZodSchema)).message).toBe(
    `Cannot register tool "echo": the input schema needs zod 3.25 or 4, found ${found}`,
  );
});

describe("a program that creates a server", () => {
  const stderrOf = async (code: string) => {
    const program = `import { createServer, serveStdio } from "@toolwright/engine";
      const server = createServer({ name: "s", version: "1.0.0", tools: [] });
      ${code}`;
    const child = new Child(process.execPath, ["--input-type=module", "-e", program]);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    return child.stderr;
  };

  test("and never serves it is told so", async () => {
    expect(await stderrOf("")).toBe(
      'The server "s" was created and never served: call serveStdio(server), or serveHttp(server) from "@toolwright/engine/http"\n',
    );
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

describe("serveHttp", () => {
  test("reports an unknown option and a port in use in the file of the author", async () => {
    const running = await serveHttp(createServer({ ...server, tools: [] }), { port: 0 });
    const serve = (options: object) =>
      serveHttp(createServer({ ...server, tools: [] }), options).catch((error: unknown) => error as Error);
    for (const [options, message] of [
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
