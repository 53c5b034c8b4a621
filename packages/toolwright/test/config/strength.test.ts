import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Child, ping } from "../../../engine/test/stdio/child.js";
import { BASICS_ONLY, main } from "../cli/listening.js";
import { Configured } from "./configured.js";

interface Shown {
  readonly file: string | null;
  readonly settings: Readonly<
    Record<string, { readonly value: unknown; readonly source: string; readonly at?: string }>
  >;
}

function show(configured: Configured, words = "", env: NodeJS.ProcessEnv = {}): Shown {
  const { stdout, stderr } = configured.run(`config show --json${words}`, env);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Shown;
}

test("the file is stronger than what holds by default, the environment than the file, and flags than both", () => {
  const configured = new Configured({ limits: { pageSize: 2, callsQueued: 2, drainMs: 2 } });
  const env = { TOOLWRIGHT_LIMITS_CALLS_QUEUED: "3", TOOLWRIGHT_LIMITS_DRAIN_MS: "3" };
  const { file, settings } = show(configured, " --set limits.drainMs=4", env);
  expect(file).toBe(configured.file);
  expect(settings["limits.batchMessages"]).toEqual({ value: 100, source: "default" });
  expect(settings["limits.pageSize"]).toEqual({ value: 2, source: "file", at: "toolwright.config.json:1" });
  expect(settings["limits.callsQueued"]).toEqual({
    value: 3,
    source: "environment",
    at: "TOOLWRIGHT_LIMITS_CALLS_QUEUED",
  });
  expect(settings["limits.drainMs"]).toEqual({ value: 4, source: "flag", at: "--set limits.drainMs" });
});

test("a flag turns off what the file turns on", () => {
  const configured = new Configured({ http: { listen: 8080, allowedHosts: ["a.example", "b.example"] } });
  const { settings } = show(configured, " --set http.listen=false --set stdio=true --set http.allowedHosts=");
  expect(settings["http.listen"]?.value).toBe(false);
  expect(settings["http.allowedHosts"]?.value).toEqual([]);
});

test("the file is the one in the current folder, of TOOLWRIGHT_CONFIG, of --config, or none", () => {
  const configured = new Configured({ stdio: true }, "toolwright.config.jsonc");
  const [other, third] = ["other.json", "third.json"].map((name) => path.join(configured.folder, name));
  for (const file of [other, third]) writeFileSync(file ?? "", "{}");
  expect(show(configured).file).toBe(configured.file);
  expect(show(configured, "", { TOOLWRIGHT_CONFIG: "other.json" }).file).toBe(other);
  expect(show(configured, " --config third.json", { TOOLWRIGHT_CONFIG: "other.json" }).file).toBe(third);
  expect(show(configured, " --no-config").file).toBeNull();
});

test("paths in a file are relative to it, others to the current folder", () => {
  const elsewhere = new Configured({
    state: "kept",
    auth: { apiKeyFile: "keys.txt" },
    files: { roots: ["here", "/there"] },
    packs: { todo: { database: "inner/tasks.db" } },
  });
  const configured = new Configured();
  const { settings } = show(configured, ` --config ${elsewhere.file} --socket mcp.sock`);
  expect(settings["state"]?.value).toBe(path.join(elsewhere.folder, "kept"));
  expect(settings["auth.apiKeyFile"]?.value).toBe(path.join(elsewhere.folder, "keys.txt"));
  expect(settings["files.roots"]?.value).toEqual([path.join(elsewhere.folder, "here"), path.resolve("/there")]);
  expect(settings["packs.todo"]?.value).toEqual({ database: path.join(elsewhere.folder, "inner", "tasks.db") });
  expect(settings["socket"]?.value).toBe("mcp.sock");
});

test("what the file says is what is served", async () => {
  const configured = new Configured({ http: { listen: "127.0.0.1:0", path: "/tools" }, packs: { basics: false } });
  const child = configured.serve("", BASICS_ONLY);
  await child.until(() => child.stderr.includes("speaks"), "its block");
  expect(child.stderr).toMatch(/^ {2}http {4}http:\/\/127\.0\.0\.1:\d+\/tools$/m);
  expect(child.stderr).toContain("  packs   none (1 tool)\n");
  expect(child.stderr).toContain(`  config  ${configured.file}\n`);
});

test("limits of the file bound calls", async () => {
  const child = new Configured({ limits: { messageBytes: 200 } }).serve();
  child.send({ jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: { filler: "x".repeat(300) } } });
  await child.until(() => child.lines.length > 0, "an answer");
  expect(JSON.parse(child.lines[0] ?? "")).toMatchObject({ error: { data: { limit: "messageBytes" } } });
});

test("a server that is started in a folder which is gone serves as it does by default", async () => {
  const { folder } = new Configured({}, "other.json");
  const gone = path.join(folder, "gone");
  const script = `mkdir '${gone}' && cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${main}' serve`;
  for (const words of ["", " --state /nowhere"]) {
    const child = new Child("sh", ["-c", script + words]);
    child.send(ping(1));
    expect(await child.answer(1)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  }
});
