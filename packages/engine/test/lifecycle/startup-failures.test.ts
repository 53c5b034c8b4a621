import { type AddressInfo, createServer } from "node:net";

import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { initialize } from "../stdio/child.js";
import { ENGINE, FIRST_MESSAGES, serverText, startProgram } from "./program.js";

interface Failure {
  readonly what: string;
  /** The text of `server.mjs`. */
  readonly text: string;
  readonly message: string | RegExp;
  readonly code?: number;
  /** A part of the output on stderr. */
  readonly logged: string | RegExp;
  /** What differs in another runtime. */
  readonly bun?: Partial<Pick<Failure, "message" | "logged">>;
  readonly deno?: Failure["bun"];
}

/** The failure as the runtime under test reports it. */
function here(failure: Failure): Failure {
  const runtime = path.basename(process.execPath);
  return { ...failure, ...(runtime === "bun" || runtime === "deno" ? failure[runtime] : {}) };
}

const FAILURES: readonly Failure[] = [
  {
    what: "a module that is not installed",
    text: 'import "not-installed-here";',
    message: /not-installed-here.*server\.mjs.* Install it in the server's folder with npm install/,
    logged: /Cannot find package 'not-installed-here' imported from \/.*\n\s+at /,
    bun: { logged: /Cannot find package 'not-installed-here' (?:imported )?from '?\// },
    deno: { logged: /Import "not-installed-here" not a dependency\n/ },
  },
  {
    what: "a file that is not there",
    text: 'import "./tools.mjs";',
    message: /tools\.mjs.*server\.mjs.* build the server first\.$/,
    logged: /Cannot find module '\/.*tools\.mjs'/,
    bun: { logged: /Cannot find module '\.\/tools\.mjs' (?:imported )?from '?\// },
    deno: { logged: /Module not found "file:\/.*tools\.mjs"/ },
  },
  {
    what: "a name that a module does not give",
    text: `import { serveTelepathy } from ${JSON.stringify(ENGINE)};`,
    message: /'index\.js' does not provide an export named 'serveTelepathy'/,
    logged: "SyntaxError: ",
    bun: {
      message: "Export named 'serveTelepathy' not found in module 'index.js'.",
      logged: /Export named 'serveTelepathy' not found in module '\/.*index\.js'/,
    },
  },
  {
    what: "wrong syntax",
    text: "const fine = 1;\nconst wrong = ;\n",
    message: "Unexpected token ';'",
    logged: "SyntaxError: Unexpected token ';'",
    bun: { message: "Unexpected ;", logged: "Unexpected ;" },
    deno: { message: /Expression expected/, logged: "SyntaxError: Expression expected" },
  },
  {
    what: "an error of the author",
    text: 'throw new Error("API_TOKEN is missing: set it in the configuration of the client");',
    message: "API_TOKEN is missing: set it in the configuration of the client",
    logged: /Error: API_TOKEN is missing.*\n\s+at /,
    bun: { logged: /error: API_TOKEN is missing.*\n\s+at /i },
    deno: { logged: /Error: API_TOKEN is missing[^]*\n\s+at / },
  },
  {
    what: "a missing variable that is printed before an exit",
    text: 'console.error("Missing %s", "API_TOKEN"); process.exit(2);',
    message: "Missing API_TOKEN",
    code: 2,
    logged: "Missing API_TOKEN\n",
  },
  {
    what: "an exit without a word",
    text: "process.exit(3);",
    message: "the program exited with code 3 without an error message; check its output on stderr.",
    code: 3,
    logged: "",
  },
  {
    what: "a rejection that nobody waits for",
    text: 'void Promise.reject(new Error("the database is not there")); await new Promise((resolve) => setTimeout(resolve, 60_000));',
    message: "the database is not there",
    logged: "Error: the database is not there",
  },
  {
    what: "an await that never ends",
    text: "await new Promise(() => {});",
    message: "the program ended without serving, or awaits a promise that never settles.",
    code: 13,
    logged: "",
  },
  {
    what: "wrong options",
    text: serverText("", "compat: { lifecycle: 7 }"),
    message: "Cannot create the server: compat.lifecycle must be one of tolerant, strict, strict-ping, off, not 7",
    logged: "TypeError: Cannot create the server",
  },
  {
    what: "a pack that cannot be opened",
    text: serverText(
      "",
      'packs: [pack({ name: "store", settings: { type: "object", properties: { file: { type: "string" } }, required: ["file"] }, open: () => ({ tools: [] }) })()]',
    ),
    message: 'Cannot open pack "store": settings.file: required, but missing (string)',
    logged: 'Cannot open pack "store"',
  },
];

/** Guards stdin and stdout before the modules of the server are loaded. */
const main = `import { serveStdio } from ${JSON.stringify(ENGINE)};\nawait serveStdio(() => import("./server.mjs").then(({ server }) => server));`;

describe("serveStdio(load)", () => {
  describe.each(FIRST_MESSAGES)("tells a client of %s why the server cannot start:", (_revision, first) => {
    test.each(FAILURES.map(here))("$what", async ({ text, message, code = 1, logged }) => {
      const child = startProgram({ "main.mjs": main, "server.mjs": text });
      child.send(first);
      // Otherwise it waits for more.
      child.process.stdin.end();
      expect(await child.ended).toEqual({ code, signal: null });
      const expected =
        typeof message === "string" ? `The server cannot start: ${message}` : expect.stringMatching(message);
      expect(child.lines.map((line) => JSON.parse(line))).toEqual([
        { jsonrpc: "2.0", id: "first", error: { code: -32603, message: expected } },
      ]);
      expect(child.stderr).toMatch(logged);
    });
  });

  test("reports a port that is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const listen = `import { createServer } from "node:net";\ncreateServer().listen(${port}, "127.0.0.1");\nawait new Promise(() => {});`;
    const child = startProgram({ "main.mjs": main, "server.mjs": listen });
    child.send(initialize(1));
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.messages.map(({ error }) => error)).toEqual([
      {
        code: -32603,
        message: `The server cannot start: listen EADDRINUSE: address already in use 127.0.0.1:${port}. Stop the program that uses the port, or choose another one.`,
      },
    ]);
  });

  test("responds to every pending request, and to one that comes after the failure", async () => {
    const failing = 'process.stderr.write("about to fail\\n"); throw new Error("no luck");';
    const child = startProgram({ "main.mjs": main, "server.mjs": failing });
    await child.until(() => child.stderr.includes("about to fail\n"), "its failure");
    child.send({ jsonrpc: "2.0", method: "notifications/initialized" }, initialize(1), {
      jsonrpc: "2.0",
      id: "b",
      method: "ping",
    });
    await child.answer("b");
    child.send(initialize(3));
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.messages.map(({ id, error }) => [id, (error as Error).message])).toEqual([
      [1, "The server cannot start: no luck"],
      ["b", "The server cannot start: no luck"],
      [3, "The server cannot start: no luck"],
    ]);
  });

  test("writes only messages to stdout while the server is loaded, and then serves", async () => {
    const server = `console.log("loading");\n${serverText("")}process.stdout.write("loaded");\n`;
    const child = startProgram({ "main.mjs": main, "server.mjs": server });
    child.send(initialize(1), { jsonrpc: "2.0", id: 2, method: "ping" });
    await child.answer(2);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.messages.map(({ id, error }) => [id, error])).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
    expect(child.stderr).toBe("[STDOUT] loading\n[STDOUT] loaded\n");
  });
});

test("a failed process does not wait for a client that has disconnected", async () => {
  const failing = `import { serveStdio } from ${JSON.stringify(ENGINE)};\nawait serveStdio(() => { throw new Error("no luck"); });`;
  const child = startProgram({ "main.mjs": failing });
  child.process.stdin.end();
  // Whether the failure or the disconnection is noticed first differs.
  expect((await child.ended).signal).toBeNull();
  expect(child.lines).toEqual([]);
});

test("a loader that returns no server is rejected", async () => {
  const program = `import { serveStdio } from ${JSON.stringify(ENGINE)};\nawait serveStdio(() => import("node:path"));`;
  const child = startProgram({ "main.mjs": program });
  child.send(initialize(1));
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.messages.map(({ error }) => (error as Error).message)).toEqual([
    "The server cannot start: Cannot serve: the loader returned no server; return what createServer returns",
  ]);
});

test("a pack that exits the process while it opens is reported to the client", async () => {
  const options = 'packs: [pack({ name: "rash", open: () => process.exit(4) })()]';
  const child = startProgram({ "main.mjs": `${serverText("", options)}await serveStdio(server);` });
  child.send(initialize(1));
  expect(await child.ended).toEqual({ code: 4, signal: null });
  expect(child.messages.map(({ error }) => (error as Error).message)).toEqual([
    "The server cannot start: the program exited with code 4 without an error message; check its output on stderr.",
  ]);
});

test.each(["uncaughtException", "unhandledRejection"])(
  "an %s that ends the process while the server starts is reported to the client, without its secrets",
  async (event) => {
    const raise = `async () => {
      process.on("${event}", () => process.exit(4));
      ${event === "uncaughtException" ? "queueMicrotask(() => { throw error; })" : "Promise.reject(error)"};
      await new Promise((resolve) => setTimeout(resolve, 5000));
    }`;
    const options = `redact: { values: ["sesame"] }, packs: [pack({ name: "rash", open: ${raise} })()]`;
    const program = `const error = new Error("sesame is wrong");\n${serverText("", options)}await serveStdio(server);`;
    const child = startProgram({ "main.mjs": program });
    child.send(initialize(1));
    expect(await child.ended).toEqual({ code: 4, signal: null });
    expect(child.messages.map(({ error }) => (error as Error).message)).toEqual([
      "The server cannot start: [redacted] is wrong",
    ]);
  },
);
