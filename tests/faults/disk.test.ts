import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Child, call, initialize, type Message, textOf } from "../stdio/child.js";
import { inOrder, until } from "./faulty.js";

const watched = fileURLToPath(new URL("./servers/watched.mjs", import.meta.url));

/** A folder for the time of a test. */
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "toolwright-disk-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Starts a server that keeps records; its files may have so many blocks of the shell's `ulimit`. */
function start(env: NodeJS.ProcessEnv, blocks: number | "unlimited" = "unlimited"): Child {
  // Node does not mind the signal for a file that is too large; others would die of it.
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

/** The lines of a file that are whole. */
const wholeLines = (file: string): string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);

const times = (text: string, part: string): number => text.split(part).length - 1;

describe("without room for a recording, the server", () => {
  const LOST = "messages cannot be recorded in";

  test.skipIf(!existsSync("/dev/full"))("serves on, says so once, and ends in order: the disk is full", async () => {
    const child = start(recording({ file: "/dev/full" }));
    expect(await echo(child, 1, 20)).toEqual(numbers(1, 20));
    await child.until(() => child.stderr.includes("ENOSPC"), "the reason in its log");
    expect(await leave(child)).toEqual(inOrder);
    expect(times(child.stderr, LOST)).toBe(1);
  });

  test("serves on, and records again as soon as there is some; every line is whole", async () => {
    const file = path.join(folder(), "r.jsonl");
    const child = start(recording({ file }), 8);
    expect(await echo(child, 1, 30)).toEqual(numbers(1, 30));
    await child.until(() => child.stderr.includes("EFBIG: file too large"), "the reason in its log");
    for (let id = 31; !child.stderr.includes("messages are recorded again"); id += 1) {
      truncateSync(file);
      expect(await echo(child, id, id)).toEqual([String(id)]);
    }
    expect(await leave(child)).toEqual(inOrder);
    // The room may be used up once more: each time is told once, and so is its end.
    const told = child.stderr.match(/messages (?:cannot be recorded|are recorded again)/g) ?? [];
    expect(told.slice(0, 2)).toEqual(["messages cannot be recorded", "messages are recorded again"]);
    expect(told.filter((words, at) => words === told[at - 1])).toEqual([]);
    expect(child.stderr).toMatch(/messages are recorded again in \S+\/r\.jsonl; \d+ are missing\n/);
    const lines = wholeLines(file).filter((line) => line !== "");
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ session: 1 });
  });
});

describe("without room for the audit log, the server", () => {
  const LOST = "the audit log cannot be written; lines are lost until it can";

  test("serves on, says so once, and tells of what is missing when there is room again", async () => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(auditing({ file }), 8);
    expect(await echo(child, 1, 40)).toEqual(numbers(1, 40));
    // As Node says it, or Deno.
    const reason = /EFBIG: file too large|File too large \(os error \d+\)/;
    await child.until(() => reason.test(child.stderr), "the reason in its log");
    for (let id = 41; !child.stderr.includes("the audit log is written again"); id += 1) {
      truncateSync(file);
      expect(await echo(child, id, id)).toEqual([String(id)]);
    }
    expect(await leave(child)).toEqual(inOrder);
    const told = child.stderr.match(/the audit log (?:cannot be written|is written again)/g) ?? [];
    expect(told.slice(0, 2)).toEqual(["the audit log cannot be written", "the audit log is written again"]);
    expect(told.filter((words, at) => words === told[at - 1])).toEqual([]);
    const lines = wholeLines(file).filter((line) => line !== "");
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ event: expect.stringMatching(/^(?:lost|end)$/) as string });
  });

  test("makes no call that is not on record, where it is told so, and makes them again when there is room", async () => {
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
          text: "The call was not made: this server records each call, and its record cannot be written at the moment. Try again later.",
        },
      ],
      isError: true,
      structuredContent: { code: "AUDIT_UNAVAILABLE", retryable: true },
    });
    expect(child.stderr).not.toContain(`echo call-${String(refused["id"])}\n`);
    truncateSync(file);
    child.send(call("again", "echo", { text: "again" }));
    expect(textOf(await child.answer("again"))).toBe("again");
    expect(await leave(child)).toEqual(inOrder);
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

describe("a place that cannot be written to", () => {
  const ways: [string, (options: Message) => NodeJS.ProcessEnv, string][] = [
    ["the audit log", auditing, "Cannot open the audit log a.jsonl: "],
    ["a recording", recording, "Cannot record to a.jsonl: "],
  ];

  test.each(ways)(
    "for %s is told to the client and in the log, and the process ends with code 1",
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

  // Where nobody makes files, not even whoever may do all else.
  test.skipIf(!existsSync("/sys/kernel"))("is also a folder that may only be read", async () => {
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
  ])("that is %s under the server is there again with the next call", async (_how, take) => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(env({ file }));
    await echo(child, 1, 3);
    await until(() => readFileSync(file, "utf8").includes("3"));
    take(file);
    child.send(call("after", "echo", { text: "after" }));
    expect(textOf(await child.answer("after"))).toBe("after");
    expect(await leave(child)).toEqual(inOrder);
    expect(existsSync(file) && readFileSync(file, "utf8").includes(trace)).toBe(true);
  });

  test("whose folder is removed costs no call, also when the file is full", async () => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(env({ file, maxBytes: 4000 }));
    await echo(child, 1, 3);
    gone(file);
    expect(await echo(child, 4, 40)).toEqual(numbers(4, 40));
    expect(await leave(child)).toEqual(inOrder);
    expect(child.stderr).toContain("ENOENT");
  });

  test("that is full is rotated, and no line is torn", async () => {
    const file = path.join(folder(), "a.jsonl");
    const child = start(env({ file, maxBytes: 4000, keep: 3 }));
    expect(await echo(child, 1, 60)).toEqual(numbers(1, 60));
    expect(await leave(child)).toEqual(inOrder);
    for (const name of [file, `${file}.1`, `${file}.2`])
      for (const line of wholeLines(name)) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(child.stderr).not.toContain("[ERROR]");
  });
});
