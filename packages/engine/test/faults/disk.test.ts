import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Child, call, initialize, type Message, textOf } from "../stdio/child.js";
import { cleanExit, until } from "./fault-server.js";

const watched = fileURLToPath(new URL("./servers/watched.mjs", import.meta.url));

/** A folder that is removed after the test. */
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "toolwright-disk-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Starts a server that writes records; `blocks` limits the file size with `ulimit -f`. */
function start(env: NodeJS.ProcessEnv, blocks: number | "unlimited" = "unlimited"): Child {
  // Node ignores the signal for a file that is too large; it would kill other runtimes.
  const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$1"`;
  const child = new Child("sh", ["-c", limited, process.execPath, watched], env);
  child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
  return child;
}

const auditing = (options: Message): NodeJS.ProcessEnv => ({ AUDIT: JSON.stringify(options) });
const recording = (options: Message): NodeJS.ProcessEnv => ({ RECORD: JSON.stringify(options) });

async function echo(child: Child, from: number, to: number): Promise<string[]> {
  const texts: string[] = [];
  for (let id = from; id <= to; id += 1) {
    child.send(call(id, "echo", { text: `${id} ${"x".repeat(500)}` }));
    texts.push(textOf(await child.answer(id)).split(" ")[0] ?? "");
  }
  return texts;
}

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`);

function leave(child: Child): Child["ended"] {
  child.process.stdin.end();
  return child.ended;
}

/** The complete lines of a file. */
const wholeLines = (file: string): string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);

const times = (text: string, part: string): number => text.split(part).length - 1;

describe("without disk space for a recording, the server", () => {
  const LOST = "messages cannot be recorded in";

  test.skipIf(!existsSync("/dev/full"))("continues, logs it once, and exits normally: the disk is full", async () => {
    const child = start(recording({ file: "/dev/full" }));
    expect(await echo(child, 1, 20)).toEqual(numbers(1, 20));
    await child.until(() => child.stderr.includes("ENOSPC"), "the reason in its log");
    expect(await leave(child)).toEqual(cleanExit);
    expect(times(child.stderr, LOST)).toBe(1);
  });

  test("continues, and records again when there is space; every line is complete", async () => {
    const file = path.join(folder(), "r.jsonl");
    const child = start(recording({ file }), 8);
    expect(await echo(child, 1, 30)).toEqual(numbers(1, 30));
    await child.until(() => child.stderr.includes("EFBIG: file too large"), "the reason in its log");
    // The limit is per file, so a new file has space. Truncating the old one could cut a line that is being written.
    for (let id = 31; !child.stderr.includes("messages are recorded again"); id += 1) {
      rmSync(file, { force: true });
      expect(await echo(child, id, id)).toEqual([String(id)]);
    }
    expect(await leave(child)).toEqual(cleanExit);
    // The space may run out again: each time is logged once, and so is its end.
    const transitions = child.stderr.match(/messages (?:cannot be recorded|are recorded again)/g) ?? [];
    expect(transitions.slice(0, 2)).toEqual(["messages cannot be recorded", "messages are recorded again"]);
    expect(transitions.filter((words, at) => words === transitions[at - 1])).toEqual([]);
    expect(child.stderr).toMatch(/messages are recorded again in \S+\/r\.jsonl; \d+ are missing\n/);
    const lines = wholeLines(file).filter((line) => line !== "");
    expect(lines.length).toBeGreaterThan(0);
    // A new file starts with the header again.
    for (const line of lines) expect(line).toMatch(/^\{"(?:toolwright":"recording"|at":[\d.]+,"session":1),.*\}$/);
  });
});

describe("without room for the audit log, the server", () => {
  const LOST = "the audit log cannot be written; lines are lost until it can be";

  test("continues, logs it once, and records the gap when there is space again", async () => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(auditing({ file }), 8);
    expect(await echo(child, 1, 40)).toEqual(numbers(1, 40));
    // The messages of Node and Deno.
    const reason = /EFBIG: file too large|File too large \(os error \d+\)/;
    await child.until(() => reason.test(child.stderr), "the reason in its log");
    for (let id = 41; !child.stderr.includes("the audit log is written again"); id += 1) {
      rmSync(file, { force: true });
      expect(await echo(child, id, id)).toEqual([String(id)]);
    }
    expect(await leave(child)).toEqual(cleanExit);
    const transitions = child.stderr.match(/the audit log (?:cannot be written|is written again)/g) ?? [];
    expect(transitions.slice(0, 2)).toEqual(["the audit log cannot be written", "the audit log is written again"]);
    expect(transitions.filter((words, at) => words === transitions[at - 1])).toEqual([]);
    const lines = wholeLines(file).filter((line) => line !== "");
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ event: expect.stringMatching(/^(?:lost|end)$/) as string });
  });

  test("rejects calls that cannot be recorded if configured so, and accepts them again when there is space", async () => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(auditing({ file, onFailure: "refuse" }), 8);
    let refused: Message | undefined;
    for (let id = 1; refused === undefined; id += 1) {
      child.send(call(id, "echo", { text: `call-${id}` }));
      const answer = await child.answer(id);
      if ((answer["result"] as { isError: boolean }).isError) refused = answer;
    }
    expect(refused["result"]).toEqual({
      content: [
        {
          type: "text",
          text: "The call was not made: this server records each call, and its audit log cannot be written at the moment. Try again later.",
        },
      ],
      isError: true,
      structuredContent: { code: "AUDIT_UNAVAILABLE", retryable: true },
    });
    expect(child.stderr).not.toContain(`echo call-${String(refused["id"])}\n`);
    truncateSync(file);
    child.send(call("again", "echo", { text: "again" }));
    expect(textOf(await child.answer("again"))).toBe("again");
    expect(await leave(child)).toEqual(cleanExit);
    expect(times(child.stderr, LOST)).toBe(1);
    const events = wholeLines(file)
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Message);
    expect(events.map(({ event, requestId }) => [event, requestId])).toEqual([
      ["lost", undefined],
      ["begin", "again"],
      ["end", "again"],
    ]);
  });
});

describe("a path that cannot be written to", () => {
  const ways: [string, (options: Message) => NodeJS.ProcessEnv, string][] = [
    ["the audit log", auditing, "Cannot open the audit log a.jsonl: "],
    ["a recording", recording, "Cannot record to a.jsonl: "],
  ];

  test.each(ways)(
    "for %s is reported to the client and in the log, and the process exits with code 1",
    async (_what, env, words) => {
      const missing = path.join(folder(), "missing", "a.jsonl");
      const child = start(env({ file: missing }));
      expect(await child.ended).toEqual({ code: 1, signal: null });
      expect(child.messages).toEqual([
        {
          jsonrpc: "2.0",
          id: 0,
          error: {
            code: -32603,
            message: `The server cannot start: ${words}ENOENT: no such file or directory, open 'a.jsonl'`,
          },
        },
      ]);
      expect(child.stderr).toContain(missing);
    },
  );

  // Even root cannot create files there.
  test.skipIf(!existsSync("/sys/kernel"))("is also a read-only folder", async () => {
    const child = start(auditing({ file: "/sys/kernel/a.jsonl" }));
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.stderr).toMatch(
      /EACCES: permission denied|EROFS: read-only file system|EPERM: operation not permitted/,
    );
  });
});

describe.each([
  ["the audit log", auditing, '"requestId":"after"'],
  ["a recording", recording, '"id":"after"'],
] as const)("the file of %s", (_what, env, trace) => {
  const moved = (file: string) => renameSync(file, `${file}.old`);
  const removed = (file: string) => rmSync(file);
  const gone = (file: string) => rmSync(path.dirname(file), { recursive: true });

  test.each([
    ["renamed", moved],
    ["removed", removed],
  ])("that is %s while in use is created again with the next call", async (_how, take) => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(env({ file }));
    await echo(child, 1, 3);
    await until(() => readFileSync(file, "utf8").includes("3"));
    take(file);
    child.send(call("after", "echo", { text: "after" }));
    expect(textOf(await child.answer("after"))).toBe("after");
    expect(await leave(child)).toEqual(cleanExit);
    expect(existsSync(file) && readFileSync(file, "utf8").includes(trace)).toBe(true);
  });

  test("whose folder is removed fails no call, also when the file is full", async () => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(env({ file, maxBytes: 4000 }));
    await echo(child, 1, 3);
    gone(file);
    expect(await echo(child, 4, 40)).toEqual(numbers(4, 40));
    expect(await leave(child)).toEqual(cleanExit);
    expect(child.stderr).toContain("ENOENT");
  });

  test("that is full is rotated, and no line is split", async () => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(env({ file, maxBytes: 4000, keep: 3 }));
    expect(await echo(child, 1, 60)).toEqual(numbers(1, 60));
    expect(await leave(child)).toEqual(cleanExit);
    for (const name of [file, `${file}.1`, `${file}.2`])
      for (const line of wholeLines(name)) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(child.stderr).not.toContain("[ERROR]");
  });
});
