import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { callEcho, started, stop } from "../cli/listening.js";
import { Configured } from "./configured.js";

test("log, metrics, audit and recording are as the file has them, and show no secret", async () => {
  const key = "a-key-of-twenty-and-more";
  const configured = new Configured({
    http: { listen: 0 },
    auth: { apiKey: key },
    log: { level: "info", format: "json" },
    metrics: true,
    audit: { file: "audit.log" },
    record: { file: "recording.jsonl" },
    redact: { names: ["text"], values: ["hunter2"] },
  });
  const child = configured.serve();
  const { http = "", metrics = "" } = await started(child);
  const authorization = `Bearer ${key}`;
  expect((await callEcho(http, "the word hunter2", { authorization })).status).toBe(200);
  const counted = await (await fetch(metrics, { headers: { authorization } })).text();
  expect(counted).toContain('mcp_server_calls_total{kind="tool",name="echo",ending="ok"} 1\n');
  expect(await stop(child)).toEqual({ code: 0, signal: null });

  const logged = child.stderr.split("\n").find((line) => line.startsWith("{"));
  expect(JSON.parse(logged ?? "")).toMatchObject({ level: "info", tool: "echo" });
  const read = (name: string) => readFileSync(path.join(configured.folder, name), "utf8");
  expect(JSON.parse(read("audit.log").split("\n")[0] ?? "")).toMatchObject({ tool: "echo", outcome: "ok" });
  const recording = read("recording.jsonl");
  expect(recording).toContain('"method":"tools/call"');
  for (const text of [child.stderr, read("audit.log"), recording]) {
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain(key);
  }
});

test("calls over the rate of the file are refused", async () => {
  const rate = { burst: 1, perSecond: 0.001, over: "reject" };
  const child = new Configured({ http: { listen: 0 }, rate }).serve();
  const { http = "" } = await started(child);
  const isRefused = async () =>
    ((await (await callEcho(http, "x")).json()) as { result: { isError: boolean } }).result.isError;
  expect([await isRefused(), await isRefused()]).toEqual([false, true]);
});
