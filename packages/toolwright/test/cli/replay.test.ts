import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@toolwright/engine/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startListening } from "../../../../tests/support/start-listening.js";
import { Child, initialize } from "../../../engine/test/stdio/child.js";
import { BASICS_ONLY } from "./listening.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const main = `${root}packages/toolwright/dist/main.js`;
const everything = `${root}examples/everything/main.mjs`;
const program = fileURLToPath(new URL("../../../engine/test/replay/program.mjs", import.meta.url));
const serveRecording = fileURLToPath(new URL("../../../engine/test/replay/recordings/serve.jsonl", import.meta.url));
const everythingRecording = fileURLToPath(
  new URL("../../../engine/test/replay/recordings/everything-2025-11-25.jsonl", import.meta.url),
);
const times = ["--ignore", "**.utc", "--ignore", "**.local"];

const folder = mkdtempSync(path.join(tmpdir(), "toolwright-replay-test-"));
const recording = path.join(folder, "notes.jsonl");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function filesIn(state: string): string[] {
  const recordings = path.join(folder, state, "recordings");
  return readdirSync(recordings)
    .sort()
    .map((name) => path.join(recordings, name));
}

async function replay(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = new Child(process.execPath, [main, "replay", ...args], env);
  child.process.stdin.end();
  const { code } = await child.ended;
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr };
}

beforeAll(async () => {
  const client = await connect(
    { command: process.execPath, args: [program], env: { ...process.env, RECORD: recording } },
    { revision: "2025-11-25" },
  );
  await client.callTool("greet", { name: "Ada" });
  const kept = await client.callTool("keep", { text: "milk", password: "hunter22" });
  const { id } = kept.structuredContent as { id: string };
  await client.callTool("find", { id });
  await client.close();
});

describe("toolwright replay", () => {
  test("replays a recording over stdio against the same program, and replaces its ids", async () => {
    expect(readFileSync(recording, "utf8")).not.toContain("hunter22");
    expect(await replay([recording, "--ignore", "**.id", "--", process.execPath, program])).toEqual({
      code: 0,
      stdout: "4 requests: 4 the same",
      stderr: "",
    });
  });

  test("shows the lines that differ", async () => {
    const words = [recording, "--ignore", "**.id", "--", process.execPath, program];
    expect(await replay(words, { GREETING: "Hi" })).toEqual({
      code: 1,
      stdout: [
        "- recorded",
        "+ now",
        "",
        "tools/call greet",
        "  content.0.text",
        "    - Hello Ada,",
        "    + Hi Ada,",
        "      how are you?",
        "      Bye",
        "",
        "4 requests: 3 the same, 1 differs",
      ].join("\n"),
      stderr: "",
    });
  });

  test("marks requests with redacted secrets, and skips them with --skip-redacted", async () => {
    const words = [recording, "--", process.execPath, program];
    expect((await replay(words)).stdout).toContain(
      "tools/call keep\n  The recorded request has no secrets; the difference may only be due to that.\n",
    );
    expect((await replay([recording, "--skip-redacted", "--", process.execPath, program])).stdout).toContain(
      "tools/call keep: skipped: secrets in the request were redacted\n",
    );
  });

  test("prints the report as JSON with --json", async () => {
    const { code, stdout } = await replay([recording, "--json", "--", process.execPath, program], { WITHOUT: "greet" });
    const { count, requests, server } = JSON.parse(stdout) as Record<string, unknown>;
    expect(code).toBe(1);
    expect(server).toEqual({ name: "notes", version: "1.0.0" });
    expect(count).toEqual({ requests: 4, same: 2, differ: 2, notCompared: 0, skipped: 0 });
    expect((requests as { name: string; differences: { path: string }[] }[])[1]).toMatchObject({
      name: "greet",
      verdict: "differs",
      differences: [{ path: "result" }, { path: "error", actual: { code: -32602 } }],
    });
  });

  test.each(["stdio", "http", "ws", "socket", "memory"])("replays against this build over %s", async (transport) => {
    const words = [serveRecording, ...times, "--transport", transport, "--revision", "2026-07-28"];
    expect(await replay(words, BASICS_ONLY)).toEqual({
      code: 0,
      stdout: "ping: skipped: 2026-07-28 has no ping\n\n7 requests: 6 the same, 1 skipped",
      stderr: "",
    });
  });

  test.each(["stdio", "http", "memory"])(
    "gives calls over %s an empty folder, and deletes it afterwards",
    async (transport) => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "debug_get_server_info" } };
      const asked = { at: 3, session: 1, from: "client", message };
      const result = { content: [], structuredContent: {}, isError: false };
      const said = { at: 4, session: 1, from: "server", message: { jsonrpc: "2.0", id: 1, result } };
      const opening = readFileSync(serveRecording, "utf8").split("\n").slice(0, 4);
      const file = path.join(folder, "server-info.jsonl");
      writeFileSync(file, [...opening, JSON.stringify(asked), JSON.stringify(said), ""].join("\n"));
      const { stdout } = await replay([file, "--json", "--transport", transport], {
        // The default list does not have this tool.
        TOOLWRIGHT_TOOLS_TOOLSETS: "debug",
      });
      const [, used = ""] = /"(\S+toolwright-replay-\w+[\\/]+files)"/.exec(stdout) ?? [];
      expect(used).toMatch(/toolwright-replay-\w+[\\/]files$/);
      expect(existsSync(used)).toBe(false);
    },
  );

  test("replays against a running server", async () => {
    const server = await startListening(everything);
    onTestFinished(() => void server.close());
    const words = [everythingRecording, server.url, "--revision", "2026-07-28", "--ignore", "tools.failing_job"];
    expect(await replay(words)).toEqual({
      code: 0,
      stdout: "tools/call slow_compute: skipped: the recording has no response\n\n38 requests: 37 the same, 1 skipped",
      stderr: "",
    });
  });

  test("replays an incomplete recording with a note", async () => {
    const half = path.join(folder, "half.jsonl");
    writeFileSync(half, readFileSync(serveRecording, "utf8").split("\n").slice(0, 10).join("\n").slice(0, -5));
    const { code, stdout } = await replay([half], BASICS_ONLY);
    expect(code).toBe(0);
    expect(stdout).toContain("Note: Line 10 is not a complete message and was skipped\n");
  });

  test.each([
    [[], "Missing argument FILE"],
    [["a", "b"], '"b" is not a URL of a server'],
    [["a", "http://x/", "c"], 'Unexpected argument "c"'],
    [["a", "--transport", "fax"], '--transport must be stdio, http, ws, socket or memory, not "fax"'],
    [["a", "http://x/", "--transport", "http"], "--transport is for this build; the command line names another server"],
    [["a", "--session", "0"], '--session must be a whole number, at least 1, not "0"'],
    [
      ["a", "--revision", "1999-01-01"],
      '--revision must be 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, not "1999-01-01"',
    ],
    [["a", "http://x/", "--", "y"], "The command line names two servers; name one"],
  ])("rejects the arguments %j", async (words, fault) => {
    expect(await replay(words)).toEqual({
      code: 2,
      stdout: "",
      stderr: `toolwright: ${fault}. Run "toolwright replay --help" for usage.\n`,
    });
  });

  test("rejects a file that is not a recording, and one without requests", async () => {
    const missing = path.join(folder, "missing");
    expect(await replay([missing])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^toolwright: Cannot read .*missing: ENOENT/) as string,
    });
    expect(await replay([`${root}README.md`])).toEqual({
      code: 2,
      stdout: "",
      stderr: `toolwright: Cannot replay ${root}README.md: Not a recording: the first line is not a recording header\n`,
    });
    const empty = path.join(folder, "empty.jsonl");
    writeFileSync(empty, '{"toolwright":"recording","version":1}\n');
    expect(await replay([empty, "--transport", "memory"])).toMatchObject({
      code: 2,
      stderr: `toolwright: ${empty} has no request that can be replayed and compared\n`,
    });
  });

  test("reports a server that exits", async () => {
    const { code, stderr } = await replay([serveRecording, "--", process.execPath, "-e", "process.exit(7)"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("exited with code 7")]);
  });

  test("prints its help", async () => {
    expect((await replay(["--help"])).stdout).toMatch(/^Replay a recording and show what differs/);
  });
});

describe("toolwright serve --record", () => {
  test("writes a recording that can be replayed", async () => {
    const file = path.join(folder, "served.jsonl");
    const client = await connect({
      command: process.execPath,
      args: [main, "serve", "--record", file, "--state", folder],
    });
    await client.callTool("echo", { text: "hello" });
    await client.close();
    expect(await replay([file, "--revision", "2025-03-26", "--transport", "memory"])).toEqual({
      code: 0,
      stdout: "server/discover: skipped: 2025-03-26 has no server/discover\n\n2 requests: 1 the same, 1 skipped",
      stderr: "",
    });
  });
});

describe.skipIf(process.platform === "win32")("toolwright serve", () => {
  test("writes its last messages on SIGUSR2, and logs the path", async () => {
    const child = new Child(process.execPath, [main, "serve", "--state", path.join(folder, "asked")]);
    child.send(initialize(0));
    await child.answer(0);
    child.process.kill("SIGUSR2");
    await child.until(() => child.stderr.includes("\n"), "a line in its log");
    const [file = ""] = filesIn("asked");
    expect(child.stderr).toBe(`[NOTICE] the last messages are in ${file}\n`);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(4);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(filesIn("asked")).toEqual([file]);
  });

  test("writes its last messages when it crashes, and deletes the oldest recordings", async () => {
    const old = Array.from({ length: 25 }, (_, at) => `2020-01-01T00-00-${10 + at}-000Z-1.jsonl`);
    mkdirSync(path.join(folder, "crashed", "recordings"), { recursive: true });
    for (const name of [...old, "mine.jsonl"]) writeFileSync(path.join(folder, "crashed", "recordings", name), "");
    const crash = "data:text/javascript,process.on('SIGWINCH',()=>process.exit(7))";
    const child = new Child(process.execPath, [
      "--import",
      crash,
      main,
      "serve",
      "--state",
      path.join(folder, "crashed"),
    ]);
    child.send(initialize(0));
    await child.answer(0);
    child.process.kill("SIGWINCH");
    expect(await child.ended).toEqual({ code: 7, signal: null });
    const files = filesIn("crashed");
    expect(files).toHaveLength(21);
    expect(child.stderr).toContain(`[NOTICE] the last messages are in ${files.at(-2)}\n`);
    expect(readFileSync(files.at(-2) ?? "", "utf8")).toContain('"method":"initialize"');
    expect(path.basename(files[0] ?? "")).toBe("2020-01-01T00-00-16-000Z-1.jsonl");
  });
});
