import { describe, expect, test } from "vitest";
import { type Child, call, ping, textOf } from "../stdio/child.js";
import { endWithTest, isThere, opened, programOf, startProgram, untilGone } from "./program.js";

/** A program that starts a child, prints both process ids, and waits. */
const FAMILY = "sleep 1000 & echo $$ $!; wait";
/** The same, but both ignore SIGTERM. */
const STUBBORN = "trap '' TERM; sleep 1000 & echo $$ $!; wait; wait";
/** Exits at once, and leaves its child running. */
const LEAVING = "sleep 1000 & echo $$ $!";

const TOOLS = `
  tool({ name: "run", description: "Runs a program for as long as the call lasts.", timeoutMs: Number(process.env.TIMEOUT ?? 60_000), run: (_input, call) => {
    const child = spawnChild(call, "sh", ["-c", process.env.SCRIPT], { graceMs: 100 });
    child.stdout.on("data", (text) => process.stderr.write("family " + text));
    return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
  } }),
  tool({ name: "start", description: "Starts a program that goes on.", run: (_input, call) => {
    const child = spawnChild(call, "sh", ["-c", process.env.SCRIPT], { graceMs: 100 });
    child.stdout.on("data", (text) => process.stderr.write("family " + text));
    return "started";
  } }),
  tool({ name: "plain", description: "Starts a program without a word to anybody.", run: () => {
    const child = exec(process.env.SCRIPT);
    child.stdout.on("data", (text) => process.stderr.write("family " + text));
    return "started";
  } }),
  tool({ name: "plain_and_exit", description: "Starts a program and dies.", run: () => {
    spawn("sleep", ["1000"]);
    process.stderr.write("family " + spawn("sleep", ["1000"]).pid + " 1\\n");
    setTimeout(() => process.exit(5), 100);
    return "soon";
  } }),
  tool({ name: "let_go", description: "Starts a program that is meant to live on.", run: () => {
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    child.unref();
    process.stderr.write("family " + child.pid + " 1\\n");
    return "let go";
  } }),
  tool({ name: "missing", description: "Starts what is not there.", run: (_input, call) => {
    spawn("no-such-program-here").on("error", () => {});
    const child = spawnChild(call, "no-such-program-here");
    return new Promise((resolve) => child.on("error", ({ code }) => resolve(code)));
  } }),
  tool({ name: "read_missing", description: "Reads what is not there.", run: async (_input, call) => {
    const pieces = await spawnChild(call, "no-such-program-here").stdout.toArray().catch(({ code }) => [code]);
    return String(pieces);
  } }),
  tool({ name: "crash", description: "Ends the process.", run: () => process.exit(3) }),
  tool({ name: "shell", description: "Wants a shell.", run: (_input, call) => spawnChild(call, "ls", [], { shell: true }) }),
`;

async function start(script: string, env: NodeJS.ProcessEnv = {}, options = ""): Promise<Child> {
  return opened(startProgram(programOf(TOOLS, options), [], { SCRIPT: script, ...env }));
}

/** The process ids of a child and of its own child, once they run. */
async function familyOf(child: Child): Promise<readonly [number, number]> {
  const find = () => /family (\d+) (\d+)\n/.exec(child.stderr);
  await child.until(() => find() !== null, "its children");
  const [, first, second] = find() ?? [];
  // 1 means that it has no child.
  return [endWithTest(Number(first)), second === "1" ? 1 : endWithTest(Number(second))];
}

const cancel = (requestId: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });

describe.each([
  ["which obey SIGTERM", FAMILY],
  ["which ignore SIGTERM", STUBBORN],
])("spawnChild terminates a child and its children, %s,", (_kind, script) => {
  test("when the call is cancelled, and the server continues", async () => {
    const child = await start(script);
    child.send(call(1, "run"));
    const family = await familyOf(child);
    child.send(cancel(1));
    for (const pid of family) await untilGone(pid);
    child.send(ping(2));
    expect(await child.answer(2)).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  });

  test("when the call times out", async () => {
    const child = await start(script, { TIMEOUT: "300" });
    child.send(call(1, "run"));
    for (const pid of await familyOf(child)) await untilGone(pid);
    expect(textOf(await child.answer(1))).toMatch(/^The tool "run" did not finish/);
  });

  test.each([
    ["when the client disconnects", (child: Child) => void child.process.stdin.end(), 0],
    ["when the process receives SIGTERM", (child: Child) => void child.process.kill("SIGTERM"), 0],
    ["when the process exits", (child: Child) => child.send(call(2, "crash")), 3],
  ])("%s, although the call was answered", async (_when, end, code) => {
    const child = await start(script);
    child.send(call(1, "start"));
    const family = await familyOf(child);
    end(child);
    expect(await child.ended).toEqual({ code, signal: null });
    for (const pid of family) await untilGone(pid);
  });

  test("when the drain limit is reached", async () => {
    const child = await start(script, {}, "limits: { drainMs: 50 }");
    child.send(call(1, "run"));
    const family = await familyOf(child);
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    for (const pid of family) await untilGone(pid);
  });
});

describe("spawnChild", () => {
  test("terminates what a program leaves behind when it exits", async () => {
    const child = await start(LEAVING);
    child.send(call(1, "run"));
    const family = await familyOf(child);
    for (const pid of family) await untilGone(pid);
    expect(JSON.parse(textOf(await child.answer(1)))).toEqual({ code: 0, signal: null });
  });

  test("reports the error of a missing program, and the server continues", async () => {
    const child = await start(FAMILY);
    child.send(call(1, "missing"));
    expect(textOf(await child.answer(1))).toBe("ENOENT");
    child.send(call(2, "read_missing"));
    expect(textOf(await child.answer(2))).toBe("ENOENT");
    expect(child.stderr).not.toContain("uncaught error");
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
  });

  test("has no shell option", async () => {
    const child = await start(FAMILY);
    child.send(call(1, "shell"));
    expect(await child.answer(1)).toMatchObject({ result: { isError: true } });
    expect(child.stderr).toContain("Cannot spawn a child process: unknown option shell");
  });
});

describe("a child that a tool starts with node:child_process", () => {
  test.each([
    ["that obeys SIGTERM", FAMILY],
    ["that ignores SIGTERM", STUBBORN],
  ])("is terminated with the process, and its own child too: one %s", async (_kind, script) => {
    const child = await start(script);
    child.send(call(1, "plain"));
    const family = await familyOf(child);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    for (const pid of family) await untilGone(pid);
  });

  test("is terminated when the process exits early", async () => {
    const child = await start(FAMILY);
    child.send(call(1, "plain_and_exit"));
    const [pid] = await familyOf(child);
    expect(await child.ended).toEqual({ code: 5, signal: null });
    await untilGone(pid);
  });

  test("lives on if it is detached", async () => {
    const child = await start(FAMILY);
    child.send(call(1, "let_go"));
    const [pid] = await familyOf(child);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(isThere(pid)).toBe(true);
  });
});
