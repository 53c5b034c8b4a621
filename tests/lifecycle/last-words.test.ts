import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { initialize } from "../stdio/child.js";
import { BOOT, ENGINE, FIRST_MESSAGES, serverText, startProgram } from "./program.js";

interface Failure {
  readonly what: string;
  /** The text of `server.mjs`. */
  readonly text: string;
  readonly words: string;
  readonly code?: number;
  /** Something that stderr says. */
  readonly logged: string | RegExp;
  /** What another runtime has its own words for. */
  readonly bun?: Partial<Pick<Failure, "words" | "logged">>;
  readonly deno?: Failure["bun"];
}

/** The failure in the words of the runtime that servers run on. */
function here(failure: Failure): Failure {
  const runtime = path.basename(process.execPath);
  return { ...failure, ...(runtime === "bun" || runtime === "deno" ? failure[runtime] : {}) };
}

const FAILURES: readonly Failure[] = [
  {
    what: "a module that is not installed",
    text: 'import "not-installed-here";',
    words:
      'The module "not-installed-here", which server.mjs needs, is not installed. Install it where the server is: npm install not-installed-here',
    logged: /Cannot find package 'not-installed-here' imported from \/.*\n\s+at /,
    bun: { logged: /Cannot find package 'not-installed-here' (?:imported )?from '?\// },
    deno: { logged: /Import "not-installed-here" not a dependency\n/ },
  },
  {
    what: "a file that is not there",
    text: 'import "./tools.mjs";',
    words: "The file tools.mjs, which server.mjs needs, is not there. Check its name, or build the server first.",
    logged: /Cannot find module '\/.*tools\.mjs'/,
    bun: { logged: /Cannot find module '\.\/tools\.mjs' (?:imported )?from '?\// },
    deno: { logged: /Module not found "file:\/.*tools\.mjs"/ },
  },
  {
    what: "a name that a module does not give",
    text: `import { serveTelepathy } from ${JSON.stringify(ENGINE)};`,
    words: "server.mjs, line 1: The requested module 'index.js' does not provide an export named 'serveTelepathy'",
    logged: "SyntaxError: ",
    bun: {
      words: "Export named 'serveTelepathy' not found in module 'index.js'.",
      logged: /Export named 'serveTelepathy' not found in module '\/.*index\.js'/,
    },
  },
  {
    what: "wrong syntax",
    text: "const fine = 1;\nconst wrong = ;\n",
    words: "server.mjs, line 2: Unexpected token ';'",
    logged: "SyntaxError: Unexpected token ';'",
    bun: { words: "server.mjs, line 2: Unexpected ;", logged: "Unexpected ;" },
    deno: { words: "server.mjs, line 2: Expression expected", logged: "SyntaxError: Expression expected" },
  },
  {
    what: "an error of the author",
    text: 'throw new Error("API_TOKEN is missing: set it in the configuration of the client");',
    words: "API_TOKEN is missing: set it in the configuration of the client",
    logged: /Error: API_TOKEN is missing.*\n\s+at /,
    bun: { logged: /error: API_TOKEN is missing.*\n\s+at /i },
    deno: { logged: /Error: API_TOKEN is missing[^]*\n\s+at / },
  },
  {
    what: "a missing variable that is printed before an exit",
    text: 'console.error("Missing %s", "API_TOKEN"); process.exit(2);',
    words: "Missing API_TOKEN",
    code: 2,
    logged: "Missing API_TOKEN\n",
  },
  {
    what: "an exit without a word",
    text: "process.exit(3);",
    words: "it ended itself with exit code 3 and gave no reason; what it wrote to stderr may say more.",
    code: 3,
    logged: "",
  },
  {
    what: "a rejection that nobody waits for",
    text: 'void Promise.reject(new Error("the database is not there")); await new Promise((resolve) => setTimeout(resolve, 60_000));',
    words: "the database is not there",
    logged: "Error: the database is not there",
  },
  {
    what: "an await that never ends",
    text: "await new Promise(() => {});",
    words: "its program came to an end and serves nothing, or waits for something that never comes.",
    code: 13,
    logged: "",
  },
  {
    what: "wrong options",
    text: serverText("", "lifecycle: 7"),
    words: "Cannot create the server: lifecycle must be one of tolerant, strict, off, not 7",
    logged: "TypeError: Cannot create the server",
  },
  {
    what: "a pack that cannot be opened",
    text: serverText(
      "",
      'packs: [pack({ name: "store", settings: { type: "object", properties: { file: { type: "string" } }, required: ["file"] }, open: () => ({ tools: [] }) })()]',
    ),
    words: 'Cannot open pack "store": settings.file: required, but missing (string)',
    logged: 'Cannot open pack "store"',
  },
];

/** The two ways to own the wire before the author's modules are loaded. */
const WAYS = [
  [
    "serveStdio(load)",
    [],
    `import { serveStdio } from ${JSON.stringify(ENGINE)};\nawait serveStdio(() => import("./server.mjs").then(({ server }) => server));`,
  ],
  [
    "node --import @toolwright/engine/boot",
    ["--import", BOOT],
    `import { serveStdio } from ${JSON.stringify(ENGINE)};\nimport * as loaded from "./server.mjs";\nawait serveStdio(loaded.server);`,
  ],
] as const;

describe.each(WAYS)("%s", (_way, flags, main) => {
  describe.each(FIRST_MESSAGES)("tells a client of %s in words why the server cannot start:", (_revision, first) => {
    test.each(FAILURES.map(here))("$what", async ({ text, words, code = 1, logged }) => {
      const child = startProgram({ "main.mjs": main, "server.mjs": text }, flags);
      child.send(first);
      // Otherwise it waits for more.
      child.process.stdin.end();
      expect(await child.ended).toEqual({ code, signal: null });
      expect(child.lines.map((line) => JSON.parse(line))).toEqual([
        { jsonrpc: "2.0", id: "first", error: { code: -32603, message: `The server cannot start: ${words}` } },
      ]);
      expect(child.stderr).toMatch(logged);
    });
  });

  test("says that a port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const listen = `import { createServer } from "node:net";\ncreateServer().listen(${port}, "127.0.0.1");\nawait new Promise(() => {});`;
    const child = startProgram({ "main.mjs": main, "server.mjs": listen }, flags);
    child.send(initialize(1));
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.messages.map(({ error }) => error)).toEqual([
      {
        code: -32603,
        message: `The server cannot start: Port ${port} is taken by another program. Stop that program, or choose another port.`,
      },
    ]);
  });

  test("answers every request that waits, and one that comes when it has failed already", async () => {
    const failing = 'process.stderr.write("about to fail\\n"); throw new Error("no luck");';
    const child = startProgram({ "main.mjs": main, "server.mjs": failing }, flags);
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

  test("keeps stdout clean while the server is loaded, and then serves", async () => {
    const server = `console.log("loading");\n${serverText("")}process.stdout.write("loaded");\n`;
    const child = startProgram({ "main.mjs": main, "server.mjs": server }, flags);
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

test("a client that is gone is not waited for", async () => {
  const child = startProgram({ "main.mjs": 'throw new Error("no luck");' }, ["--import", BOOT]);
  child.process.stdin.end();
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.lines).toEqual([]);
});

test("what is loaded and no server is refused", async () => {
  const main = `import { serveStdio } from ${JSON.stringify(ENGINE)};\nawait serveStdio(() => import("node:path"));`;
  const child = startProgram({ "main.mjs": main });
  child.send(initialize(1));
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.messages.map(({ error }) => (error as Error).message)).toEqual([
    "The server cannot start: Cannot serve: what was loaded is no server; give what createServer gives",
  ]);
});

test("a pack that ends the process while it opens is answered for", async () => {
  const options = 'packs: [pack({ name: "rash", open: () => process.exit(4) })()]';
  const child = startProgram({ "main.mjs": `${serverText("", options)}await serveStdio(server);` });
  child.send(initialize(1));
  expect(await child.ended).toEqual({ code: 4, signal: null });
  expect(child.messages.map(({ error }) => (error as Error).message)).toEqual([
    "The server cannot start: it exited with code 4",
  ]);
});
