import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, initialize, textOf } from "../stdio/child.js";
import { ENGINE, endWithTest, folderWith, opened, programOf, serverText, startProgram, untilGone } from "./program.js";

const cleanExit = { code: 0, signal: null };

describe("a client that disconnects", () => {
  test("while the server is being loaded makes the process exit", async () => {
    const main = `import { serveStdio } from ${JSON.stringify(ENGINE)};\nawait serveStdio(() => new Promise(() => setInterval(() => {}, 1000)));`;
    const child = startProgram({ "main.mjs": main });
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
  });

  test("while a pack opens makes the process exit, and open packs are closed", async () => {
    const packs = `packs: [
      pack({ name: "first", open: () => ({ tools: [], close: () => process.stderr.write("first closed\\n") }) })(),
      pack({ name: "second", open: () => new Promise(() => { setInterval(() => {}, 1000); process.stderr.write("opening\\n"); }) })(),
    ]`;
    const child = startProgram({ "main.mjs": `${serverText("", packs)}await serveStdio(server);` });
    await child.until(() => child.stderr.includes("opening\n"), "its second pack");
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.stderr).toBe("opening\nfirst closed\n");
  });

  test("before a slow start is complete still gets its response", async () => {
    const packs =
      'packs: [pack({ name: "slow", open: () => new Promise((resolve) => setTimeout(resolve, 200, { tools: [] })) })()]';
    const child = startProgram({ "main.mjs": `${serverText("", packs)}await serveStdio(server);` });
    child.send(initialize(1));
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id, error }) => [id, error])).toEqual([[1, undefined]]);
  });

  test("makes the process exit although a tool left timers, sockets and workers", async () => {
    const tools = `tool({ name: "leave", description: "Leaves much behind.", async run() {
      setInterval(() => {}, 1000);
      (await import("node:net")).createServer().listen(0, "127.0.0.1");
      const { Worker } = await import("node:worker_threads");
      const worker = new Worker("setInterval(() => {}, 1000)", { eval: true });
      await new Promise((resolve) => worker.once("online", resolve));
      return "left";
    } })`;
    const child = await opened(startProgram(programOf(tools)));
    child.send(call(1, "leave"));
    expect(textOf(await child.answer(1))).toBe("left");
    child.process.stdin.end();
    expect(await child.ended).toEqual(cleanExit);
  });
});

/** A server that a shell has started. The test holds its stdin open, even if the shell exits. */
interface Held {
  readonly shell: ChildProcess;
  readonly pid: number;
  readonly write: (...messages: readonly object[]) => void;
  /** Closes the input. */
  readonly close: () => void;
  /** Resolves when the server has printed this text. */
  readonly printed: (expected: string) => Promise<void>;
}

async function startHeld(script: string): Promise<Held> {
  const pause =
    'tool({ name: "pause", description: "Waits.", run: () => new Promise((resolve) => setTimeout(resolve, 1500, "waited")) })';
  const folder = folderWith(programOf(pause, "", 'process.stderr.write(process.pid + "\\n");'));
  const pipe = path.join(folder, "in");
  execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
  const input = openSync(pipe, "r+");
  const env = { ...process.env, NODE: process.execPath };
  const shell = spawn("sh", ["-c", script], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void shell.kill("SIGKILL"));
  let text = "";
  shell.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  const pid = await new Promise<number>((resolve) => {
    shell.stderr.setEncoding("utf8").once("data", (number: string) => resolve(Number.parseInt(number, 10)));
  });
  return {
    shell,
    pid: endWithTest(pid),
    write: (...messages) => void writeSync(input, messages.map((message) => `${JSON.stringify(message)}\n`).join("")),
    close: () => closeSync(input),
    printed: async (expected) => {
      while (!text.includes(expected)) await once(shell.stdout, "data");
    },
  };
}

const OPENING = [initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" }] as const;

describe("a parent that exits while another process holds the pipe open", () => {
  test("makes the process exit", async () => {
    const { shell, pid, write, close, printed } = await startHeld('"$NODE" main.mjs < in; true');
    write(...OPENING, call(1, "pause"));
    // Only a parent that is alive at the first poll counts.
    await printed("waited");
    shell.kill("SIGKILL");
    await untilGone(pid);
    close();
  });

  test("is ignored if it exits at once, because it only started the server for another process", async () => {
    const { pid, write, close, printed } = await startHeld('("$NODE" main.mjs < in &)');
    write(...OPENING, call(1, "pause"));
    await printed("waited");
    write(call(2, "pause"));
    await printed('"id":2');
    close();
    await untilGone(pid);
  });
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s stops a server that is still being loaded", async (signal) => {
  const main = `import { serveStdio } from ${JSON.stringify(ENGINE)};\nawait serveStdio(() => new Promise(() => { setInterval(() => {}, 1000); process.stderr.write("loading\\n"); }));`;
  const child = startProgram({ "main.mjs": main });
  await child.until(() => child.stderr.includes("loading\n"), "its load");
  child.process.kill(signal);
  const { code, signal: by } = await child.ended;
  expect(code ?? by).toEqual(signal === "SIGHUP" ? "SIGHUP" : 0);
});

test("SIGHUP stops the server, unless the author listens to it", async () => {
  const tools =
    'tool({ name: "pause", description: "Waits.", run: () => new Promise((resolve) => setTimeout(resolve, 200, "waited")) })';
  const child = await opened(startProgram(programOf(tools)));
  child.send(call(1, "pause"), { jsonrpc: "2.0", id: 2, method: "ping" });
  await child.answer(2);
  child.process.kill("SIGHUP");
  expect(await child.ended).toEqual(cleanExit);
  expect(textOf(await child.answer(1))).toBe("waited");

  const other = await opened(
    startProgram(
      programOf(tools, "", 'setImmediate(() => process.on("SIGHUP", () => process.stderr.write("reading again\\n")));'),
    ),
  );
  other.process.kill("SIGHUP");
  await other.until(() => other.stderr.includes("reading again\n"), "its word");
  other.send({ jsonrpc: "2.0", id: 3, method: "ping" });
  expect(await other.answer(3)).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
});
