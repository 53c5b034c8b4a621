import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../../../tests/support/program.js";
import { Child } from "../../../engine/test/stdio/child.js";
import { folder, main, serve, started } from "./listening.js";

const place = mkdtempSync(path.join(tmpdir(), "toolwright-"));
const workbench = path.join(place, "workbench.mjs");
beforeAll(() => buildProgram(new URL("./workbench-program.ts", import.meta.url), workbench));
afterAll(() => rmSync(place, { recursive: true }));

const toolwright = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Child =>
  new Child(process.execPath, [main, ...args], env);

interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, with nothing or a text on stdin. */
async function outputOf(args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}): Promise<Output> {
  const child = toolwright(args, env);
  child.process.stdin.end(input);
  const { code } = await child.ended;
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr };
}

/** Calls a tool of the workbench, which is started for it. */
const call = (words: readonly string[], input?: string): Promise<Output> =>
  outputOf(["call", ...words, "--", process.execPath, workbench], input);

/** Starts a workbench that listens, and gives the words that lead to it. */
async function listening(way: "http" | "socket"): Promise<{ server: Child; target: string[] }> {
  const socket = path.join(folder(), "s");
  const server = new Child(process.execPath, [workbench, way, socket]);
  await server.until(() => server.lines.length > 0, "its address");
  return { server, target: way === "http" ? [server.lines[0] ?? ""] : ["--socket", socket] };
}

describe("toolwright tools", () => {
  test("lists tools with the first line of their descriptions and their arguments", async () => {
    const { code, stdout, stderr } = await outputOf(["tools", "--", process.execPath, workbench]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").slice(0, 10)).toEqual([
      "types: Shows what it was given.",
      "  text*  string",
      "  count  integer    How many.",
      "  ratio  number",
      "  on     boolean",
      "  tags   string[]",
      "  place  object",
      "  mode   fast|slow",
      "",
      "bag: Gives a bit of everything.",
    ]);
  });

  test("with --json prints what the server gave", async () => {
    const { stdout } = await outputOf(["tools", "--json", "--", process.execPath, workbench]);
    expect(JSON.parse(stdout)).toContainEqual({
      name: "fail",
      description: "Fails.",
      inputSchema: expect.objectContaining({ type: "object" }) as object,
    });
  });
});

describe("toolwright call", () => {
  test.each([
    ["http", "2026-07-28"],
    ["http", "2025-11-25"],
    ["socket", "2026-07-28"],
    ["socket", "2024-11-05"],
  ] as const)("calls over %s in %s", async (way, revision) => {
    const { target } = await listening(way);
    const output = await outputOf(["call", ...target, "types", "text=hello", "--revision", revision]);
    expect(output).toEqual({ code: 0, stdout: '{"text":"hello"}', stderr: "" });
  });

  test("calls toolwright serve over HTTP+SSE and a WebSocket, with the token of an environment variable", async () => {
    const key = spawnSync(process.execPath, [main, "key", "ada"], { encoding: "utf8" });
    const [, token] = /shown only now: (\S+)/.exec(key.stderr) ?? [];
    const file = path.join(folder(), "keys");
    writeFileSync(file, key.stdout);
    const { sse = "", ws = "", http = "" } = await started(serve(`--http 0 --ws --sse --api-key-file ${file}`));
    for (const target of [["--sse", sse], [ws], [http]]) {
      const words = ["call", ...target, "echo", "text=hello"];
      const output = await outputOf([...words, "--token-env", "TOKEN_HERE"], "", { TOKEN_HERE: token });
      expect(output).toEqual({ code: 0, stdout: "hello", stderr: "" });
      expect(await outputOf(words)).toMatchObject({ code: 3, stdout: "" });
    }
    expect((await outputOf(["call", http, "echo"])).stderr).toMatch(/ 401.*\. Send a token with --token-env NAME\n$/);
  });

  test("reads values by the schema of the tool", async () => {
    const words = ["text=5", "count=3", "ratio=1.5", "on=true", 'tags=["a"]', 'place={"x":1}', "mode=fast"];
    const { stdout } = await call(["types", ...words]);
    expect(JSON.parse(stdout)).toEqual({
      text: "5",
      count: 3,
      ratio: 1.5,
      on: true,
      tags: ["a"],
      place: { x: 1 },
      mode: "fast",
    });
  });

  test("takes arguments in JSON, also from stdin, and single ones beside them", async () => {
    expect(await call(["types", "--input", '{"text":"a","count":1}'])).toMatchObject({
      stdout: '{"text":"a","count":1}',
    });
    const output = await call(["types", "--input", "-", "count=7"], '{"text":"a","count":1}');
    expect(output).toEqual({ code: 0, stdout: '{"text":"a","count":7}', stderr: "" });
  });

  test("prints text as it is and everything else as a note, in a pipe", async () => {
    expect((await call(["bag"])).stdout.split("\n")).toEqual([
      "a text\u{1b}[31m",
      "[image, image/png, 2.0 KiB]",
      "[link to a, file:///a.txt]",
      "inside",
      "[resource, file:///c.bin, 3 bytes]",
    ]);
  });

  test("with --json prints the structured content, or else the blocks", async () => {
    const { stdout } = await outputOf(["call", "current_time", "--json", "--", process.execPath, main, "serve"]);
    expect(JSON.parse(stdout)).toMatchObject({ time_zone: "UTC" });
    expect(JSON.parse((await call(["steps", "--json"])).stdout)).toEqual([{ type: "text", text: "there" }]);
  });

  test.each(["2026-07-28", "2025-11-25"])("writes progress and log lines to stderr in %s", async (revision) => {
    expect(await call(["steps", "--revision", revision])).toEqual({
      code: 0,
      stdout: "there",
      stderr: "50 %  one\n[INFO] half of it\n100 %  two\n",
    });
  });

  test.each(["2026-07-28", "2025-11-25"])("declines questions where stdin is no terminal in %s", async (revision) => {
    const declined = "Declined: nobody can answer, for stdin is no terminal.\n";
    expect(await call(["order", "--revision", revision])).toEqual({
      code: 0,
      stdout: "Nothing then.",
      stderr: `The server asks: What may it be?\n${declined}`,
    });
    expect(await call(["pay", "--revision", revision])).toEqual({
      code: 0,
      stdout: "Not paid.",
      stderr: `The server asks: Please pay. https://pay.example/1\n${declined}`,
    });
  });

  test("shows what the server writes to its stderr during the call", async () => {
    const { code, stdout, stderr } = await call(["fail"]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^The tool failed unexpectedly\. Reference: \w+$/) as string,
    });
    expect(stderr).toMatch(/Error: of our own making\n[\s\S]*\ntoolwright: The tool "fail" failed\n$/);
  });

  test.each([
    ["http", "2026-07-28"],
    ["http", "2025-11-25"],
    ["socket", "2026-07-28"],
    ["socket", "2025-11-25"],
  ] as const)("that gets SIGINT cancels the call over %s in %s", async (way, revision) => {
    const { server, target } = await listening(way);
    const child = toolwright(["call", ...target, "wait", "--revision", revision]);
    await child.until(() => child.stderr.includes("waiting"), "progress");
    child.process.kill("SIGINT");
    expect(await child.ended).toEqual({ code: 130, signal: null });
    expect(child.stderr).toBe("waiting\ntoolwright: Cancelled\n");
    await server.until(() => server.stderr === "the wait is over\n", "the end of the call");
  });

  test("that gets SIGTERM cancels the call of a server that it has started, and waits for its end", async () => {
    const child = toolwright(["call", "wait", "--", process.execPath, workbench]);
    await child.until(() => child.stderr.includes("waiting"), "progress");
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual({ code: 143, signal: null });
    expect(child.stderr).toBe("waiting\nthe wait is over\ntoolwright: Cancelled\n");
  });
});

describe("what goes wrong", () => {
  test.each([
    [["nope"], 'There is no tool "nope"; the server has types, bag, fail, steps, wait, order, pay'],
    [
      ["types", "txt=a"],
      '"types" has no argument "txt"; did you mean text? It has text*, count, ratio, on, tags, place, mode (* = required)',
    ],
    [["stps"], 'There is no tool "stps"; did you mean steps?'],
    [["types", "mode=fst"], 'mode cannot be "fst"; did you mean fast?'],
    [["types", "mode=other"], 'mode cannot be "other"; it can be fast, slow'],
    [["types"], '"types" needs text (string). Add --help after its name to see all its arguments'],
    [["bag", "x=1"], '"bag" has no argument "x"; it has none'],
    [["types", "count=1.5"], 'count must be a whole number, not "1.5"'],
    [["types", "on=1"], 'on must be true or false, not "1"'],
    [["types", "ratio=x"], 'ratio must be a number or null, not "x"'],
    [["types", "tags=a"], 'tags must be an array in JSON, such as ["a","b"], not "a"'],
  ])("%j ends with code 2", async (words, fault) => {
    expect(await call(words)).toEqual({ code: 2, stdout: "", stderr: `toolwright: ${fault}\n` });
  });

  test.each([
    [["call"], /^toolwright: No server is given; give a URL .* "toolwright list" shows\./],
    [["call", "http://a", "echo", "--project"], "--project is only for servers that are given by name"],
    [["call", "http://[/mcp", "echo"], '"http://[/mcp" is not a URL of a server'],
    [["call", "http://a", "echo", "--", "b"], "The command line names two servers; name one"],
    [["call", "echo", "--"], "-- needs a command that starts a server"],
    [["call", "http://a", "echo", "hello"], '"hello" is not an argument: write name=value'],
    [["call", "http://a", "echo", "--token=secret"], "Unknown option --token"],
    [
      ["call", "http://a", "echo", "--token-env", "NOT_THERE"],
      "--token-env: the environment variable NOT_THERE is not set",
    ],
    [["call", "echo", "--token-env", "PATH", "--", "x"], "--token-env needs a URL"],
    [
      ["call", "http://a", "echo", "--timeout", "soon"],
      '--timeout must be a time such as 90s, 15m or 2h, at least 1ms, not "soon"',
    ],
    [["call", "http://a", "echo", "--input", "{"], /^toolwright: --input is not JSON: /],
    [
      ["call", "http://a", "echo", "--input", "[]"],
      '--input must be a JSON object of arguments, such as {"text":"hello"}',
    ],
    [["tools", "http://a", "echo"], 'Unexpected argument "echo"'],
    [["tools", "http://a", "--revision", "2020-01-01"], /^toolwright: --revision must be 2026-07-28, /],
  ])("%j is refused with code 2 and a hint", async (words, fault) => {
    const { code, stdout, stderr } = await outputOf(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const hint = `. Run "toolwright ${words[0]} --help" for usage.\n`;
    if (typeof fault === "string") expect(stderr).toBe(`toolwright: ${fault}${hint}`);
    else expect(stderr).toMatch(fault);
    expect(stderr.endsWith(hint)).toBe(true);
  });

  test("a server that is not there, or dies, ends it with code 3", async () => {
    expect(await outputOf(["tools", "--socket", path.join(place, "nothing")])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^toolwright: Cannot connect to the socket .*\. Is the server running\?\n$/,
      ) as string,
    });
    const dying = ["-e", 'console.error("no way"); process.exit(4)'];
    expect(await outputOf(["call", "x", "--", process.execPath, ...dying])).toEqual({
      code: 3,
      stdout: "",
      stderr: `toolwright: The server "${process.execPath}" exited with code 4. Its stderr ends with:\nno way\n`,
    });
  });

  test("a server that is silent for too long ends it with code 3", async () => {
    const { code, stderr } = await outputOf([
      "tools",
      "--timeout",
      "0.2",
      "--",
      process.execPath,
      "-e",
      "process.stdin.resume()",
    ]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/within 200 ms.*\. Wait longer with --timeout TIME\n$/);
  });
});

describe("the help", () => {
  test.each(["call", "list", "read", "prompt", "tools"])("on %s is printed, and fits a terminal", async (command) => {
    const { code, stdout, stderr } = await outputOf([command, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`\nUsage\n  toolwright ${command}`);
    expect(stdout).toContain("\nExamples\n");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  test("of a program that is started is its own", async () => {
    const { stderr } = await outputOf(["tools", "--", process.execPath, "--help"]);
    expect(stderr).toMatch(/^toolwright: The server /);
  });
});
