import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer, type LogEntry, type ServerOptions, tool } from "@toolwright/engine";
import { dumpRecording, recordTo, serializeRecording } from "@toolwright/engine/observability";
import { connectTestClient, expectReplayMatches } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const KEY = "correct-horse-battery-staple";

const login = tool({
  name: "login",
  description: "Logs in.",
  input: z.object({ user: z.string(), password: z.string() }),
  run: ({ user, password }) => `${user} is in with ${password.length} letters and ${KEY}`,
});
const repeat = tool({
  name: "repeat",
  description: "Gives much back.",
  input: z.object({ times: z.number() }),
  run: ({ times }) => "x".repeat(times),
});

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "toolwright-recording-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function create(options: Partial<ServerOptions> = {}) {
  const logged: LogEntry[] = [];
  const server = createServer({
    name: "recorded",
    version: "1.2.3",
    tools: [login, repeat],
    redact: { values: [KEY] },
    log: (entry) => logged.push(entry),
    ...options,
  });
  return { server, logged };
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Decodes every requestState. */
const readStates = (text: string) =>
  [...text.matchAll(/"requestState":"([^"]*)"/g)].map(([, state = ""]) => Buffer.from(state, "base64url").toString());

describe("the last messages", () => {
  test("are a recording without secrets", async () => {
    const { server } = create();
    const client = await connectTestClient(server, { revision: "2025-11-25" });
    await client.callTool("login", { user: "ada", password: "hunter22" });
    client.sendText("no json, but token=abcdefgh12345678");
    const text = serializeRecording(server);
    const [header, ...frames] = linesOf(text);
    expect(header).toEqual({
      toolwright: "recording",
      version: 1,
      server: { name: "recorded", version: "1.2.3" },
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      redacted: "[redacted]",
    });
    expect(frames.map(({ session, from }) => [session, from])).toEqual([
      [1, "client"],
      [1, "server"],
      [1, "client"],
      [1, "client"],
      [1, "server"],
      [1, "client"],
      [1, "server"],
    ]);
    expect(frames[3]?.["message"]).toEqual({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "login", arguments: { user: "ada", password: "[redacted]" } },
    });
    expect(frames[4]?.["message"]).toMatchObject({ id: 2, result: { content: [{ type: "text" }], isError: false } });
    expect(frames[5]).toEqual({
      at: expect.any(Number) as number,
      session: 1,
      from: "client",
      text: "no json, but token=[redacted]",
    });
    expect(text).not.toContain("hunter22");
    expect(text).not.toContain(KEY);
    expect(text).not.toContain("abcdefgh12345678");
  });

  test("contain no responses of the requestState", async () => {
    const ask = tool({
      name: "ask",
      description: "Asks for two things.",
      async run(_input, call) {
        await call.elicit("first", "Which animal?", z.object({ animal: z.string() }));
        await call.elicit("second", "And now?", z.object({ more: z.string() }));
        return "Thanks.";
      },
    });
    const { server } = create({ tools: [ask], redact: { names: ["animal"] } });
    const client = await connectTestClient(server, {
      responses: { first: { animal: "hunter22" }, second: { more: "x" } },
    });
    await client.callTool("ask");
    const texts = linesOf(serializeRecording(server)).map((line) => JSON.stringify(line));
    const states = client.conversation.map(({ message }) => JSON.stringify(message)).join("\n");
    expect(readStates(states).join("\n")).toContain("hunter22");
    expect(readStates(texts.join("\n")).join("\n")).not.toContain("hunter22");
    expect(texts.join("\n")).not.toContain("hunter22");
    await expectReplayMatches(create({ tools: [ask] }).server, serializeRecording(server), { ignore: ["**"] });
  });

  test("truncate a long message, and never inside a secret", async () => {
    const { server } = create({ recorder: { characters: 32_000 } });
    const client = await connectTestClient(server);
    await client.callTool("repeat", { times: 3000 });
    client.sendText(`{"padding":"${"-".repeat(1000)}${KEY}${"-".repeat(2000)}"}`);
    const text = serializeRecording(server);
    const cut = linesOf(text).filter((line) => line["cut"] !== undefined);
    expect(cut.map((line) => line["from"])).toEqual(["server", "client", "server"].slice(0, cut.length));
    expect(cut[0]?.["head"]).toMatch(
      /^\{"jsonrpc":"2\.0","id":1,"result":\{"resultType":"complete","content":\[\{"type":"text","text":"x+$/,
    );
    expect(cut[1]).toMatchObject({ cut: 3042 });
    expect(text).not.toContain(KEY.slice(0, 8));
  });

  test("are empty with recorder: false", () => {
    const { server } = create({ recorder: false });
    expect(linesOf(serializeRecording(server))).toHaveLength(1);
  });

  test("are written synchronously, with mode 600, into a folder that is created", () => {
    const { server, logged } = create();
    const file = path.join(folder(), "deep", "last.jsonl");
    expect(dumpRecording(server, file)).toBe(true);
    expect(linesOf(readFileSync(file, "utf8"))).toMatchObject([{ toolwright: "recording" }]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(logged).toEqual([]);
  });

  test("cause only a log message if they cannot be written", () => {
    const { server, logged } = create();
    const file = path.join(folder(), "taken");
    writeFileSync(file, "");
    expect(dumpRecording(server, path.join(file, "last.jsonl"))).toBe(false);
    expect(logged.map(({ level, message }) => [level, message])).toEqual([
      ["error", `the last messages could not be written to ${path.join(file, "last.jsonl")}`],
    ]);
  });
});

describe("a recording on disk", () => {
  test("has every later message, complete and without secrets, until the server is closed", async () => {
    const { server } = create({ recorder: { frames: 1, characters: 160 } });
    const client = await connectTestClient(server);
    await client.callTool("repeat", { times: 1 });
    const { file } = await recordTo(server, { file: path.join(folder(), "all-%p.jsonl") });
    expect(path.basename(file)).toBe(`all-${process.pid}.jsonl`);
    await client.callTool("login", { user: "ada", password: "hunter22" });
    await client.callTool("repeat", { times: 5000 });
    await server.close();
    const text = readFileSync(file, "utf8");
    const [header, ...frames] = linesOf(text) as [
      Record<string, unknown>,
      ...{ message: { id: number }; from: string }[],
    ];
    expect(header).toMatchObject({
      toolwright: "recording",
      version: 1,
      server: { name: "recorded", version: "1.2.3" },
    });
    expect(frames.map(({ from, message }) => [from, message.id])).toEqual([
      ["client", 2],
      ["server", 2],
      ["client", 3],
      ["server", 3],
    ]);
    expect(text).toContain("x".repeat(5000));
    expect(text).not.toContain("hunter22");
    expect(text).not.toContain(KEY);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("is appended to an existing file, even after an incomplete line", async () => {
    const file = path.join(folder(), "r.jsonl");
    writeFileSync(file, '{"toolwright":"recording","version":1}\n{"at":1,"sess');
    const { server } = create();
    await recordTo(server, { file });
    const client = await connectTestClient(server);
    await client.callTool("repeat", { times: 1 });
    await server.close();
    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines[1]).toBe('{"at":1,"sess');
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({ toolwright: "recording", server: { name: "recorded" } });
    expect(JSON.parse(lines[4] ?? "")).toMatchObject({ from: "server", message: { id: 1 } });
  });

  test.skipIf(process.platform === "win32")("through a symbolic link is one recording", async () => {
    const [file, link] = [path.join(folder(), "r.jsonl"), path.join(folder(), "link")];
    writeFileSync(file, "");
    symlinkSync(file, link);
    const { server } = create();
    await recordTo(server, { file: link });
    const client = await connectTestClient(server);
    for (let at = 0; at < 3; at += 1) {
      await client.callTool("repeat", { times: 1 });
      await expect.poll(() => linesOf(readFileSync(file, "utf8")).at(-1)).toMatchObject({ from: "server" });
    }
    await server.close();
    expect(linesOf(readFileSync(file, "utf8")).filter((line) => "toolwright" in line)).toHaveLength(1);
  });

  test("is rotated when it is full, and the oldest file is deleted", async () => {
    const file = path.join(folder(), "r.jsonl");
    const { server } = create();
    await recordTo(server, { file, maxBytes: 3000, keep: 2 });
    const client = await connectTestClient(server);
    for (let at = 0; at < 12; at += 1) {
      await client.callTool("repeat", { times: 300 });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await server.close();
    expect(existsSync(`${file}.1`)).toBe(true);
    expect(existsSync(`${file}.2`)).toBe(false);
    for (const name of [file, `${file}.1`]) {
      const text = readFileSync(name, "utf8");
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3000);
      expect(linesOf(text)[0]).toMatchObject({ toolwright: "recording", server: { name: "recorded" } });
    }
    const last = linesOf(readFileSync(file, "utf8")).at(-1);
    expect(last).toMatchObject({ from: "server", message: { id: 12 } });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("truncates a message that is a quarter of a file", async () => {
    const file = path.join(folder(), "r.jsonl");
    const { server } = create();
    await recordTo(server, { file, maxBytes: 8000 });
    const client = await connectTestClient(server);
    await client.callTool("repeat", { times: 2500 });
    await server.close();
    expect(linesOf(readFileSync(file, "utf8")).at(-1)).toMatchObject({
      from: "server",
      cut: expect.any(Number) as number,
    });
  });

  test.runIf(existsSync("/dev/full"))("on a full disk causes one log message, and no failed call", async () => {
    const { server, logged } = create();
    await recordTo(server, { file: "/dev/full" });
    const client = await connectTestClient(server);
    for (let at = 0; at < 3; at += 1) {
      expect((await client.callTool("repeat", { times: 2 }))["content"]).toEqual([{ type: "text", text: "xx" }]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await server.close();
    expect(logged.map(({ level, message }) => [level, message])).toEqual([
      ["error", "messages cannot be recorded in /dev/full; recording resumes when the file can be written"],
    ]);
  });

  test("continues when there is room again, and logs how many messages are missing", async () => {
    const file = path.join(folder(), "r.jsonl");
    const { server, logged } = create();
    const recording = await recordTo(server, { file, maxBytes: 1500, keep: 2 });
    const client = await connectTestClient(server);
    // Where the full file should go, something stands in the way.
    mkdirSync(path.join(`${file}.1`, "in-the-way"), { recursive: true });
    const logs = async (count: number) => {
      while (logged.length < count) {
        await client.callTool("repeat", { times: 300 });
        // A slow disk has time to keep up: each few messages are a file of their own.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await logs(1);
    rmSync(`${file}.1`, { recursive: true });
    await logs(2);
    await recording.close();
    expect(logged.map(({ level, message }) => [level, message])).toEqual([
      ["error", `messages cannot be recorded in ${file}; recording resumes when the file can be written`],
      ["notice", expect.stringMatching(/^messages are recorded again in .*r\.jsonl; \d+ are missing$/)],
    ]);
    expect(linesOf(readFileSync(file, "utf8")).at(-1)).toMatchObject({ from: "server" });
  });

  test.each([
    [{ file: "" }, "Cannot record: file must be a path"],
    [{ file: "x", keep: 0 }, "Cannot record: keep must be a positive whole number"],
    [{ file: "x", maxByte: 1 }, "Cannot record: unknown option maxByte; did you mean maxBytes?"],
  ])("is rejected with %o", async (options, message) => {
    await expect(recordTo(create().server, options)).rejects.toThrow(new TypeError(message));
  });

  test("is rejected with recorder: false, and if the file cannot be created", async () => {
    await expect(recordTo(create({ recorder: false }).server, { file: "x" })).rejects.toThrow(
      new TypeError("Cannot record: the server was created with recorder: false"),
    );
    const file = path.join(folder(), "no", "such", "folder.jsonl");
    await expect(recordTo(create().server, { file })).rejects.toThrow(`Cannot record to ${file}: ENOENT`);
  });
});
