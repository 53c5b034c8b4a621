import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { createServer, type LogEntry, type ResultsOptions, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { cutOf, giving, handleFrom, manyLines, read, textOf } from "./server.js";

/** A server whose tool gives so many bytes of a letter. */
function letters(results: ResultsOptions, entries: LogEntry[] = []) {
  const schema = { type: "object", properties: { letter: { type: "string" }, bytes: { type: "integer" } } } as const;
  return createServer({
    name: "test",
    version: "1.0.0",
    log: (entry) => void entries.push(entry),
    results: { budgetBytes: 100, ...results },
    tools: [
      tool({
        name: "repeat",
        description: "Repeats.",
        input: schema,
        run: ({ letter = "x", bytes = 1000 }) => letter.repeat(bytes),
      }),
    ],
  });
}

type Client = Awaited<ReturnType<typeof connect>>;

async function repeat(client: Client, letter: string, bytes = 1000): Promise<string> {
  return cutOf(await client.callTool("repeat", { letter, bytes })).handle ?? "none";
}

const firstOf = async (client: Client, handle: string): Promise<string> => {
  const answer = await read(client, handle, { from_byte: 0, bytes: 1 });
  return answer.startsWith("There is no result") ? "gone" : (answer.split("\n")[1] ?? "");
};

everyRevision("a result is found by the principal that got it and by nobody else", async (open) => {
  const server = giving({ it: manyLines(500) });
  const alice = await open(server, { principal: "alice" });
  const bob = await open(server, { principal: "bob" });
  const nobody = await open(server);
  const handle = await handleFrom(alice, "it");
  expect(await read(alice, handle, { from_line: 500 })).toContain("500: line 500");
  const unknown = `result://${"0".repeat(32)}`;
  const words = (await read(bob, unknown)).replace(unknown, handle);
  expect(await read(bob, handle)).toBe(words);
  expect(await read(nobody, handle)).toBe(words);
  await expect(bob.request("resources/read", { uri: handle })).rejects.toThrow(`Resource not found: ${handle}`);
});

describe("after its time", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("a result has gone, however much it was read", async () => {
    const client = await connect(letters({ ttlMs: 10_000 }));
    const handle = await repeat(client, "a");
    vi.advanceTimersByTime(9999);
    expect(await firstOf(client, handle)).toBe("a");
    vi.advanceTimersByTime(1);
    expect(await firstOf(client, handle)).toBe("gone");
  });

  test("a result expires when its words say so", async () => {
    vi.setSystemTime("2030-01-01T00:00:00Z");
    const client = await connect(giving({ it: manyLines(500) }));
    expect(cutOf(await client.callTool("it")).expiresAt).toBe("2030-01-01T00:30:00.000Z");
  });

  test("its room is free again", async () => {
    const client = await connect(letters({ ttlMs: 10_000, memoryBytes: 2000 }));
    const first = await repeat(client, "a");
    vi.advanceTimersByTime(6000);
    const second = await repeat(client, "b");
    vi.advanceTimersByTime(6000);
    const third = await repeat(client, "c");
    expect(await Promise.all([first, second, third].map((handle) => firstOf(client, handle)))).toEqual([
      "gone",
      "b",
      "c",
    ]);
  });

  test("its file is removed", async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "results-test-"));
    const server = letters({ ttlMs: 10_000, memoryBytes: 500, directory });
    const client = await connect(server);
    await repeat(client, "a");
    const [folder = ""] = await readdir(directory);
    expect(await readdir(path.join(directory, folder))).toHaveLength(1);
    vi.advanceTimersByTime(10_001);
    await vi.waitFor(async () => expect(await readdir(path.join(directory, folder))).toEqual([]));
    await server.close();
    await rm(directory, { recursive: true });
  });
});

describe("memory", () => {
  test("holds so much; what was used least recently makes room", async () => {
    const client = await connect(letters({ memoryBytes: 3000 }));
    const [a, b, c] = [await repeat(client, "a"), await repeat(client, "b"), await repeat(client, "c")];
    expect(await firstOf(client, a)).toBe("a");
    const d = await repeat(client, "d");
    expect(await Promise.all([a, b, c, d].map((handle) => firstOf(client, handle)))).toEqual(["a", "gone", "c", "d"]);
  });

  test("holds so many", async () => {
    const client = await connect(letters({ most: 2 }));
    const handles = [await repeat(client, "a"), await repeat(client, "b"), await repeat(client, "c")];
    expect(await Promise.all(handles.map((handle) => firstOf(client, handle)))).toEqual(["gone", "b", "c"]);
  });

  test("too small for a result means that only its head is there, and the caller is told", async () => {
    const client = await connect(letters({ memoryBytes: 500 }));
    const result = await client.callTool("repeat", { letter: "a", bytes: 1000 });
    expect(cutOf(result)).toEqual({ bytes: 1000, lines: 1 });
    expect(result["content"]).toHaveLength(1);
    expect(textOf(result)).toBe(
      `${"a".repeat(100)}\n\nThe result is too large to show whole: it has 1000 bytes. Shown are its first 100 bytes.\n` +
        "The rest is not kept, for want of room. Ask for less at once.",
    );
  });

  test("is kept within its bounds when many come at once", async () => {
    const client = await connect(letters({ memoryBytes: 5000 }));
    const handles = await Promise.all("abcdefghijklmnopqrst".split("").map((letter) => repeat(client, letter)));
    const letter = await Promise.all(handles.map((handle) => firstOf(client, handle)));
    expect(letter.filter((one) => one !== "gone")).toEqual(["p", "q", "r", "s", "t"]);
  });
});

describe("on disk", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "results-test-"));
  });
  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  const filesOf = async (): Promise<string[]> => {
    const names = await readdir(directory, { recursive: true, withFileTypes: true });
    return names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  };

  test("what has no room in memory is read back in every way", async () => {
    const value = { items: Array.from({ length: 2000 }, (_, at) => `é${at}`) };
    const server = giving({ it: value, text: manyLines(300_000) }, { budgetBytes: 100, memoryBytes: 50, directory });
    const client = await connect(server);
    const [json, text] = [await handleFrom(client, "it"), await handleFrom(client, "text")];
    expect(await filesOf()).toHaveLength(2);
    expect(await read(client, json, { pointer: "/items/1999" })).toBe('"/items/1999" is a string:\n"é1999"');
    expect(await read(client, json, { search: "é1234" })).toContain("é1234");
    expect(await read(client, text, { from_line: 300_000 })).toContain("300000: line 300000");
    expect(await read(client, text, { search: "line 299999" })).toContain("299999: line 299999");
    const { contents } = await client.request("resources/read", { uri: json });
    expect(JSON.parse((contents as { text: string }[])[0]?.text ?? "")).toEqual(value);
    await server.close();
    expect(await readdir(directory)).toEqual([]);
  });

  test("the least recently used results go there, in files that nobody else may read", async () => {
    const server = letters({ memoryBytes: 2000, directory });
    const client = await connect(server);
    const handles = [await repeat(client, "a"), await repeat(client, "b"), await repeat(client, "c")];
    const [file = "", ...others] = await filesOf();
    expect(others).toEqual([]);
    expect((await stat(file)).size).toBe(1000);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(file).not.toContain(handles[0]?.slice(9));
    expect(await Promise.all(handles.map((handle) => firstOf(client, handle)))).toEqual(["a", "b", "c"]);
    await server.close();
  });

  test("there is so much room", async () => {
    const server = letters({ memoryBytes: 500, diskBytes: 2500, directory });
    const client = await connect(server);
    const handles = [await repeat(client, "a"), await repeat(client, "b"), await repeat(client, "c")];
    expect(await Promise.all(handles.map((handle) => firstOf(client, handle)))).toEqual(["gone", "b", "c"]);
    expect(await repeat(client, "d", 3000)).toBe("none");
    await server.close();
  });

  test("a file that somebody took away is a result that has gone", async () => {
    const server = letters({ memoryBytes: 500, directory });
    const client = await connect(server);
    const handle = await repeat(client, "a");
    for (const file of await filesOf()) await rm(path.dirname(file), { recursive: true });
    expect(await firstOf(client, handle)).toBe("gone");
    expect(await firstOf(client, await repeat(client, "b"))).toBe("b");
    await server.close();
  });

  test("a folder that cannot be written to costs the rest of a result, not its head", async () => {
    const file = path.join(directory, "file");
    await writeFile(file, "");
    const entries: LogEntry[] = [];
    const server = letters({ memoryBytes: 1500, directory: file }, entries);
    const client = await connect(server);
    const large = await client.callTool("repeat", { letter: "a", bytes: 2000 });
    expect(textOf(large)).toMatch(/^a{100}\n\n.*\nThe rest is not kept, for want of room\. Ask for less at once\.$/);
    const [b, c] = [await repeat(client, "b"), await repeat(client, "c")];
    expect([await firstOf(client, b), await firstOf(client, c)]).toEqual(["gone", "c"]);
    expect(entries.map(({ level, message }) => [level, message.slice(0, 42)])).toEqual([
      ["warning", `leftover results in ${file}`.slice(0, 42)],
      ["warning", `results cannot be kept in ${file}`.slice(0, 42)],
    ]);
    await server.close();
  });

  test("leftovers of processes that are gone are removed, all else is left alone", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    const host = hostname()
      .replaceAll(/[^A-Za-z0-9.]/g, "_")
      .slice(0, 64);
    const name = (machine: string, pid: number | undefined) => `results-${machine}-${pid}-60000-${"0".repeat(16)}`;
    const dead = name(host, child.pid);
    const reused = name(host, process.pid);
    const alive = name(host, process.ppid);
    const elsewhere = name("elsewhere", child.pid);
    const elsewhereOld = name("long.ago", child.pid);
    for (const folder of [dead, reused, alive, elsewhere, elsewhereOld, "results-of-mine"]) {
      await mkdir(path.join(directory, folder));
      await writeFile(path.join(directory, folder, "kept"), "x");
    }
    const longAgo = new Date("2020-01-01T00:00:00Z");
    await utimes(path.join(directory, elsewhereOld), longAgo, longAgo);
    await utimes(path.join(directory, reused), longAgo, longAgo);
    const server = letters({ directory });
    await server.start();
    expect((await readdir(directory)).toSorted()).toEqual([alive, elsewhere, "results-of-mine"].toSorted());
    await server.close();
  });

  test("a second server in the same process keeps what the first one has", async () => {
    const [first, second] = [letters({ memoryBytes: 500, directory }), letters({ memoryBytes: 500, directory })];
    const client = await connect(first);
    const handle = await repeat(client, "a");
    await second.start();
    await second.close();
    expect(await firstOf(client, handle)).toBe("a");
    await first.close();
  });
});

test("a call that ends after the server was closed gives the head alone", async () => {
  let finish: (text: string) => void = () => undefined;
  const text = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const late = tool({ name: "late", description: "Late.", run: () => text });
  const server = createServer({ name: "test", version: "1.0.0", results: { budgetBytes: 100 }, tools: [late] });
  const client = await connect(server);
  const call = client.callTool("late");
  await server.close();
  finish("a".repeat(1000));
  expect(cutOf(await call)).toEqual({ bytes: 1000, lines: 1 });
});
