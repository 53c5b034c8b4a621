import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createLogger, createServer, type LogEntry, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { type AuditOptions, audit } from "@toolwright/engine/observability";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { until } from "../http/serve.js";
import { beginTask, Job, taskServer, untilStatus } from "../tasks/task-server.js";
import { createFolder, readLines } from "./audit-file.js";

const place = { type: "object", properties: { place: { type: "string" }, token: { type: "string" } } } as const;
const weather = tool({ name: "weather", description: "Tells the weather.", input: place, run: () => "blue" });
const fails = tool({
  name: "fails",
  description: "Fails.",
  input: { type: "object", properties: {} },
  output: { type: "object", properties: {} },
  run: () => {
    throw new ToolError("No.", { code: "NO_WEATHER" });
  },
});
const hold = tool({
  name: "hold",
  description: "Goes on.",
  input: { type: "object", properties: {} },
  run: () => new Promise<string>(() => undefined),
});

const nothing = () => undefined;

function open(options: AuditOptions, more: Partial<ServerOptions> = {}) {
  const entries: LogEntry[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    tools: [weather, fails, hold],
    middleware: [audit(options)],
    log: (entry) => void entries.push(entry),
    ...more,
  });
  return { server, entries };
}

const EMPTY = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

describe("the audit log", () => {
  test("has a line for each tool call, without its arguments", async () => {
    const file = path.join(createFolder(), "audit.jsonl");
    const { server } = open({ file });
    const client = await connectTestClient(server, { revision: "2025-11-25", principal: "ada" });
    await client.listTools();
    await client.callTool("weather", { token: "hunter2-hunter2", place: "Ulm" });
    await client.callTool("fails", {});
    await client.request("tools/call", { name: "made-up" }).catch(nothing);
    client.close();
    await server.close();
    const common = {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      event: "end",
      call: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      principal: "ada",
      client: { name: "toolwright-test", version: "1.0.0" },
      transport: "memory",
      durationMs: expect.any(Number) as number,
    };
    const digest = "sha256:cb78d700693256cda3b8eb1e29041e4bab5a05a5ded2831b64b6e9b4515e6535";
    expect(readLines(file)).toEqual([
      { ...common, requestId: 3, tool: "weather", arguments: digest, outcome: "ok" },
      { ...common, requestId: 4, tool: "fails", arguments: EMPTY, outcome: "failed", code: "NO_WEATHER" },
      { ...common, requestId: 5, tool: "made-up", arguments: EMPTY, outcome: "refused", code: "-32602" },
    ]);
    expect(readFileSync(file, "utf8")).not.toMatch(/Ulm|hunter2/);
  });

  test("names a tool as the log does, whatever alias or listed name a client calls it by", async () => {
    const file = path.join(createFolder(), "audit.jsonl");
    const names: unknown[] = [];
    const { server } = open(
      { file },
      {
        tools: [{ ...weather, aliases: ["tell_weather"] }],
        toolOptions: { overrides: { weather: { name: "sky/weather" } } },
        log: createLogger({ level: "info", write: (line) => void names.push(/\[tool=(.+?)\]/.exec(line)?.[1]) }),
      },
    );
    const client = await connectTestClient(server, { revision: "2025-11-25" });
    for (const name of ["weather", "tell_weather", "sky/weather"]) await client.callTool(name, {});
    client.close();
    await server.close();
    expect(readLines(file).map(({ tool: name }) => name)).toEqual(["sky/weather", "sky/weather", "sky/weather"]);
    expect(names).toEqual(["sky/weather", "sky/weather", "sky/weather"]);
  });

  test("records a cancelled call", async () => {
    const file = path.join(createFolder(), "audit.jsonl");
    const { server } = open({ file });
    const client = await connectTestClient(server);
    client.startRequest("tools/call", { name: "hold", arguments: {} });
    await until(() => server.metrics.running === 1, "the call");
    client.close();
    await until(() => server.metrics.running === 0, "its end");
    await server.close();
    expect(readLines(file).map(({ tool: name, outcome }) => [name, outcome])).toEqual([["hold", "cancelled"]]);
  });

  test("records a task when it has finished", async () => {
    const file = path.join(createFolder(), "audit.jsonl");
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool], {}, { middleware: [audit({ file })] });
    const client = await connectTestClient(server, { revision: "2025-11-25" });
    const task = await beginTask(client, "dig");
    job.fail(new ToolError("Rock.", { code: "ROCK" }));
    await untilStatus(client, task, "failed");
    client.close();
    await server.close();
    expect(readLines(file).map(({ tool: name, outcome, code }) => [name, outcome, code])).toEqual([
      ["dig", "failed", "ROCK"],
    ]);
  });

  test("redacts and truncates texts from clients", async () => {
    const file = path.join(createFolder(), "audit.jsonl");
    const { server } = open({ file }, { redact: { values: ["opensesame"] } });
    const client = await connectTestClient(server, { principal: "ada opensesame" });
    const xs = "x".repeat(197);
    for (const name of [`opensesame ${xs}`, `${xs}opensesame`])
      await client.request("tools/call", { name }).catch(nothing);
    await server.close();
    expect(readLines(file).map(({ principal, tool: name }) => [principal, name])).toEqual([
      ["ada [redacted]", `[redacted] ${"x".repeat(189)}`],
      ["ada [redacted]", `${xs}[re`],
    ]);
  });

  test("redacts credentials in request ids, and keeps all digits of large ids", async () => {
    const file = path.join(createFolder(), "audit.jsonl");
    const { server } = open({ file }, { redact: { values: ["4711"] } });
    const client = await connectTestClient(server, { revision: "2025-11-25" });
    for (const id of ['"Bearer abc12345"', '"a-1"', "4711", "9007199254740993"])
      client.sendText(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"weather","arguments":{}}}`);
    await until(() => readFileSync(file, "utf8").split("\n").length === 5, "the lines");
    await server.close();
    const ids = readFileSync(file, "utf8").matchAll(/"requestId":(.+?),"call"/g);
    expect(Array.from(ids, ([, id]) => id)).toEqual([
      '"Bearer [redacted]"',
      '"a-1"',
      '"[redacted]"',
      "9007199254740993",
    ]);
  });

  test("is readable by its owner only, is appended to, and terminates an incomplete line", async () => {
    const file = path.join(createFolder(), "audit.jsonl");
    for (const round of [1, 2]) {
      const { server } = open({ file });
      await (await connectTestClient(server)).callTool("weather", {});
      await server.close();
      expect(readLines(file)).toHaveLength(round);
    }
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, '{"torn":', { flag: "a" });
    const read = () => readFileSync(file, "utf8").split("\n");
    const { server } = open({ file });
    const client = await connectTestClient(server);
    await client.callTool("weather", {});
    await until(() => read().length === 5, "the line of the first call");
    await client.callTool("weather", {});
    await server.close();
    const [whole, torn] = ['{"time":', '{"torn":'];
    expect(read().map((line) => line.slice(0, 8))).toEqual([whole, whole, torn, whole, whole, ""]);
  });

  test("is rotated when it is full", async () => {
    const folder = createFolder();
    const file = path.join(folder, "audit.jsonl");
    const { server } = open({ file, maxBytes: 1000, keep: 2 });
    const client = await connectTestClient(server);
    for (let at = 0; at < 20; at += 1) await client.callTool("weather", { place: String(at) });
    await Promise.all(Array.from({ length: 20 }, () => client.callTool("weather", {})));
    await server.close();
    expect(readdirSync(folder).sort()).toEqual(["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]);
    const files = [`${file}.2`, `${file}.1`, file];
    for (const one of files) expect(statSync(one).size, one).toBeLessThanOrEqual(1000);
    expect(statSync(`${file}.1`).size).toBeGreaterThan(600);
    const ids = files.flatMap(readLines).map(({ requestId }) => requestId as number);
    const last = ids.at(-1) as number;
    expect(ids).toEqual(ids.map((_id, at) => last - ids.length + 1 + at));
  });

  test("records many concurrent calls in order", async () => {
    const file = path.join(createFolder(), "audit.jsonl");
    const { server } = open({ file });
    const client = await connectTestClient(server);
    await Promise.all(Array.from({ length: 500 }, () => client.callTool("weather", {})));
    await server.close();
    const ids = readLines(file).map(({ requestId }) => requestId as number);
    expect(ids).toEqual(Array.from({ length: 500 }, (_none, at) => (ids[0] as number) + at));
  });
});

describe("a server does not start", () => {
  test.each([
    ["a directory", (file: string) => mkdirSync(file), "it is a directory; specify a file in it"],
    [
      "a symbolic link",
      (file: string) => symlinkSync("elsewhere", file),
      "it is a symbolic link; specify the file itself",
    ],
  ])("if the audit log is %s", async (_what, make, reason) => {
    const file = path.join(createFolder(), "audit.jsonl");
    make(file);
    const { server } = open({ file });
    await expect(server.start()).rejects.toThrow(`Cannot open the audit log ${file}: ${reason}`);
  });

  test("if the directory of the audit log is missing", async () => {
    const file = path.join(createFolder(), "missing", "audit.jsonl");
    await expect(open({ file }).server.start()).rejects.toThrow(`Cannot open the audit log ${file}: ENOENT`);
  });

  test.each([
    [{ file: "" }, "file must be a path"],
    [{ file: "x", maxBytes: 0 }, "maxBytes must be a positive whole number"],
    [{ file: "x", keep: 1.5 }, "keep must be a positive whole number"],
    [{ file: "x", onFailure: "stop" }, "onFailure must be continue or refuse"],
    [{ file: "x", maxbytes: 5 }, "unknown option maxbytes; did you mean maxBytes?"],
  ])("with the options %j", (options, reason) => {
    expect(() => audit(options as AuditOptions)).toThrow(new TypeError(`Cannot open the audit log: ${reason}`));
  });

  test("with one audit log for two servers", async () => {
    const middleware = [audit({ file: path.join(createFolder(), "audit.jsonl") })];
    const first = open({ file: "unused" }, { middleware }).server;
    await first.start();
    await expect(open({ file: "unused" }, { middleware }).server.start()).rejects.toThrow(
      "Cannot open the audit log twice: create one for each server",
    );
    await first.close();
  });
});

describe("if lines cannot be written", () => {
  /** With so small a file each line needs a new one, which the folder has to be there for. */
  const setUp = (onFailure: "continue" | "refuse") => {
    const folder = path.join(createFolder(), "logs");
    const file = path.join(folder, "audit.jsonl");
    mkdirSync(folder);
    return { folder, file, ...open({ file, maxBytes: 1, keep: 9, onFailure }) };
  };
  const textOf = (result: object) => (result as { content: readonly { text: string }[] }).content[0]?.text;
  const messagesOf = (entries: readonly LogEntry[]) => entries.map(({ level, message }) => [level, message]);

  test("calls continue, it is logged once, and lost lines are counted", async () => {
    const { folder, file, server, entries } = setUp("continue");
    const client = await connectTestClient(server);
    await client.callTool("weather", {});
    await until(() => statSync(file).size > 0, "the first line");
    rmSync(folder, { recursive: true });
    for (let at = 0; at < 3; at += 1) {
      expect(textOf(await client.callTool("weather", {}))).toBe("blue");
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => entries.length === 1, "a line in the log");
    mkdirSync(folder);
    await client.callTool("weather", {});
    await server.close();
    const written = readdirSync(folder).flatMap((name) => readLines(path.join(folder, name)));
    const lost = written.flatMap(({ lines }) => (lines as number | undefined) ?? []);
    expect(lost).toHaveLength(1);
    expect(lost[0]).toBeGreaterThan(0);
    expect(written.filter(({ event }) => event === "end")).toHaveLength(4 - (lost[0] as number));
    expect(messagesOf(entries)).toEqual([
      ["error", "the audit log cannot be written; lines are lost until it can be"],
      ["warning", `the audit log is written again; lines lost: ${lost[0]}`],
    ]);
  });

  test("onFailure: refuse runs no call that is not recorded", async () => {
    let runs = 0;
    const count = tool({
      name: "count",
      description: "Counts.",
      input: { type: "object", properties: {} },
      run: () => {
        runs += 1;
        return String(runs);
      },
    });
    const folder = path.join(createFolder(), "logs");
    const file = path.join(folder, "audit.jsonl");
    mkdirSync(folder);
    const { server } = open({ file, maxBytes: 1, keep: 9, onFailure: "refuse" }, { tools: [count] });
    const client = await connectTestClient(server);
    expect(textOf(await client.callTool("count", {}))).toBe("1");
    // The end of the call was on record before its answer left.
    const lines = [...readLines(`${file}.1`), ...readLines(file)];
    expect(lines.map(({ event, tool: name, outcome }) => [event, name, outcome])).toEqual([
      ["begin", "count", undefined],
      ["end", "count", "ok"],
    ]);
    expect(lines[0]?.["call"]).toBe(lines[1]?.["call"]);
    rmSync(folder, { recursive: true });
    expect(await client.callTool("count", {})).toMatchObject({
      isError: true,
      content: [
        {
          type: "text",
          text: "The call was not made: this server records each call, and its audit log cannot be written at the moment. Try again later.",
        },
      ],
      structuredContent: { code: "AUDIT_UNAVAILABLE", retryable: true },
    });
    expect(runs).toBe(1);
    expect(await client.listTools()).toHaveLength(1);
    mkdirSync(folder);
    expect(textOf(await client.callTool("count", {}))).toBe("2");
    await server.close();
  });

  test("lines lost at the end are reported when it closes", async () => {
    const { folder, file, server, entries } = setUp("continue");
    const client = await connectTestClient(server);
    await client.callTool("weather", {});
    await until(() => statSync(file).size > 0, "the first line");
    rmSync(folder, { recursive: true });
    await client.callTool("weather", {});
    await server.close();
    expect(messagesOf(entries).at(-1)).toEqual(["error", "the audit log was closed; lines lost: 1"]);
  });

  test("a full file that cannot be renamed keeps growing", async () => {
    const folder = createFolder();
    const file = path.join(folder, "audit.jsonl");
    mkdirSync(path.join(`${file}.1`, "in the way"), { recursive: true });
    const { server, entries } = open({ file, maxBytes: 300, keep: 1 });
    const client = await connectTestClient(server);
    for (let at = 0; at < 5; at += 1) await client.callTool("weather", {});
    await server.close();
    expect(readLines(file)).toHaveLength(5);
    expect(messagesOf(entries)).toEqual([["error", "the audit log is full and cannot be renamed"]]);
  });
});
