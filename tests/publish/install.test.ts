import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packAll, run } from "./pack.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

let packed: Awaited<ReturnType<typeof packAll>>;
let home: string;
/** Why nothing could be installed: without a registry there are no dependencies to be had. */
let reason: string | undefined;

beforeAll(async () => {
  packed = await packAll();
  home = path.join(packed.folder, "project");
  await mkdir(home);
  await writeFile(path.join(home, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const args = [
    "install",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--prefer-offline",
    // They are for what few use, and nothing here may need them.
    "--omit=optional",
    "@types/node@20.19.0",
    packed.engine.file,
    packed.toolwright.file,
  ];
  try {
    await run("npm", args, home);
  } catch (error) {
    if (!/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|E40[134]/.test(String(error))) throw error;
    reason = String(error);
  }
}, 300_000);
afterAll(() => packed.remove());

const bin = (name: string) => path.join(home, "node_modules/.bin", name);
const surroundings = () => ({ XDG_STATE_HOME: path.join(home, "state"), XDG_CACHE_HOME: path.join(home, "cache") });

describe("installed in an empty folder", () => {
  test("the command says its version", async ({ skip }) => {
    skip(reason !== undefined, reason);
    expect(await run(bin("toolwright"), ["--version"], home, surroundings())).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("the server answers initialize and a call, and so it does from compiled code", async ({ skip }) => {
    skip(reason !== undefined, reason);
    for (const _start of ["first", "second"]) {
      const answers = await converse([
        { id: 1, method: "initialize", params: HELLO },
        { id: 2, method: "tools/call", params: { name: "echo", arguments: { text: "hi" } } },
      ]);
      expect(answers).toMatchObject([
        { id: 1, result: { serverInfo: { name: "toolwright" } } },
        { id: 2, result: { isError: false } },
      ]);
    }
  });

  test.for(["nodenext", "bundler"])(
    "an author's file is checked with moduleResolution %s, and runs",
    { timeout: 60_000 },
    async (way, { skip }) => {
      skip(reason !== undefined, reason);
      await writeFile(path.join(home, "server.ts"), AUTHOR);
      const module = way === "bundler" ? "esnext" : "nodenext";
      const options = ["--strict", "--target", "es2023", "--lib", "es2023", "--types", "node", "--module", module];
      const tsc = path.join(root, "node_modules/typescript/bin/tsc");
      await run(process.execPath, [tsc, ...options, "--moduleResolution", way, "server.ts"], home);
      expect(await run(process.execPath, ["server.js"], home)).toBe('["greet"]\n');
    },
  );

  test("the engine speaks WebSocket with itself, in messages of any size", async ({ skip }) => {
    skip(reason !== undefined, reason);
    await writeFile(path.join(home, "sockets.js"), SOCKETS);
    expect(await run(process.execPath, ["sockets.js"], home)).toBe("1 300 70000 900000\n");
  });

  test("the stack trace of a mistake is short and begins in the file of the author", async ({ skip }) => {
    skip(reason !== undefined, reason);
    await writeFile(path.join(home, "mistake.js"), MISTAKE);
    const stack = await run(process.execPath, ["mistake.js"], home);
    expect(stack).toMatch(/^TypeError: .*unknown option tols; did you mean tools\?\n/);
    expect(stack.split("\n")[1]).toMatch(/^ +at startMine \(.*mistake\.js:4:\d+\)$/);
    expect(stack.length).toBeLessThan(2500);
  });

  test("with source maps, stack traces show the sources of the engine, at start and in what is loaded later", async ({
    skip,
  }) => {
    skip(reason !== undefined, reason);
    await writeFile(path.join(home, "traces.js"), TRACES);
    const said = await run(process.execPath, ["--enable-source-maps", "traces.js"], home);
    const [early, late] = said.split("\n---\n") as [string, string];
    expect(await tracedLine(early)).toEqual([
      "server/features/tools.ts",
      expect.stringContaining("this.#entry.tool.run("),
    ]);
    expect(await tracedLine(late)).toEqual([
      "transports/http/options.ts",
      expect.stringContaining("const optionError ="),
    ]);
  });
});

const HELLO = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };

const AUTHOR = `import { createServer, tool } from "@toolwright/engine";

const greet = tool({
  name: "greet",
  description: "Greets somebody.",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  run: ({ name }) => \`Hello, \${name satisfies string}\`,
});
const server = createServer({ name: "greeter", version: "1.0.0", tools: [greet] });
console.log(JSON.stringify(server.tools.map(({ name }) => name)));
`;

const SOCKETS = `import { createServer, tool } from "@toolwright/engine";
import { serveWebSocket } from "@toolwright/engine/sockets";
import { connect } from "@toolwright/engine/client";

const count = tool({
  name: "count",
  description: "Counts.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});
const serving = await serveWebSocket(createServer({ name: "counter", version: "1.0.0", tools: [count] }), { port: 0 });
const client = await connect({ url: String(serving.url) });
const lengths = [];
for (const length of [1, 300, 70_000, 900_000]) {
  const { content } = await client.callTool("count", { text: "x".repeat(length) });
  lengths.push(content[0].text.length);
}
await client.close();
await serving.close();
console.log(lengths.join(" "));
`;

const MISTAKE = `import { createServer } from "@toolwright/engine";

function startMine() {
  return createServer({ name: "greeter", version: "1.0.0", tols: [] });
}
try {
  startMine();
} catch (error) {
  console.log(error.stack);
}
`;

const TRACES = `import { createServer, tool } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { connectTestClient } from "@toolwright/engine/testing";

const trace = tool({ name: "trace", description: "Returns where it is called.", run: () => new Error("here").stack });
const server = createServer({ name: "tracer", version: "1.0.0", tools: [trace] });
const client = await connectTestClient(server);
console.log((await client.callTool("trace")).content[0].text);
client.close();
console.log("---");
const running = await serveHttp(server, { port: 0 });
try {
  running.rotateCredentials({ tls: { cert: "x" } });
} catch (error) {
  console.log(error.stack);
}
await running.close();
`;

/** The first place in the engine's sources that a trace names: the file, and what stands there in the repository. */
async function tracedLine(trace: string): Promise<readonly [string, string | undefined]> {
  const [, file = "", line = ""] = /@toolwright\/engine\/src\/(.+?):(\d+):/.exec(trace.replaceAll("\\", "/")) ?? [];
  const source = await readFile(path.join(root, "packages/engine/src", file), "utf8");
  return [file, source.split("\n")[Number(line) - 1]];
}

/** What the server answers to messages, each sent when the one before has its answer. */
async function converse(messages: readonly object[]): Promise<readonly unknown[]> {
  const env = { ...process.env, ...surroundings() };
  const child = spawn(bin("toolwright"), ["serve"], {
    cwd: home,
    env,
    stdio: ["pipe", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  const gone = new Promise((resolve) => child.once("close", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answers: unknown[] = [];
  for (const message of messages) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    answers.push(JSON.parse((await lines.next()).value as string));
  }
  child.stdin.end();
  await gone;
  return answers;
}
