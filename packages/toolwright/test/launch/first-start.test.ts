import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Child, call, initialize } from "../../../engine/test/stdio/child.js";
import { CodeCache } from "../../src/launch/code-cache.js";
import { main } from "../cli/listening.js";

function freshHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), "home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  return home;
}

test.skipIf(process.platform === "win32")("the first start in a fresh home writes nothing to stderr", async () => {
  const home = freshHome();
  const work = path.join(home, "work");
  mkdirSync(work);
  const script = `cd '${work}' && exec '${process.execPath}' '${main}' serve --no-config`;
  const env = { HOME: home, XDG_STATE_HOME: "", XDG_CACHE_HOME: "", NODE_DISABLE_COMPILE_CACHE: undefined };
  const child = new Child("sh", ["-c", script], env);
  child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
  // One call for each pack, all within the first second, so that every script file is compiled before any is cached.
  child.send(
    call(1, "fs_find", { pattern: "*.txt" }),
    call(2, "create_task", { description: "Write the notes" }),
    call(3, "kb_hybrid_search", { query: "notes" }),
    call(4, "tmkb_query", { context: "a job queue" }),
    call(5, "list_templates", {}),
    call(6, "analyze_complexity", { project_path: "." }),
  );
  for (const id of [0, 1, 2, 3, 4, 5, 6]) await child.answer(id);
  child.process.stdin.end();
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.stderr).toBe("");
  expect(readdirSync(path.join(home, ".cache", "toolwright", "code")).length).toBeGreaterThan(1);
});

test("however many files are compiled, there is one listener for the end of the process", () => {
  const before = process.listenerCount("exit");
  vi.stubEnv("XDG_CACHE_HOME", freshHome());
  const cache = new CodeCache();
  vi.unstubAllEnvs();
  for (let at = 0; at < 20; at += 1) cache.compile(`/nowhere/file-${at}.js`, `//${at}\n(${at})`);
  expect(process.listenerCount("exit") - before).toBeLessThanOrEqual(1);
});

test("two copies of one build keep their own compiled code, so that stack traces show the path that runs", () => {
  const home = freshHome();
  vi.stubEnv("XDG_CACHE_HOME", home);
  vi.useFakeTimers();
  const source = '//same-build\n(function whereAmI() { return new Error("here").stack; })';
  const stackIn = (filename: string): string => {
    const stack = (new CodeCache().compile(filename, source).runInThisContext() as () => string)();
    vi.advanceTimersByTime(1000);
    return stack;
  };
  const stacks = [stackIn("/copy-a/first.js"), stackIn("/copy-b/first.js")];
  vi.useRealTimers();
  vi.unstubAllEnvs();
  expect(stacks[0]).toContain("/copy-a/first.js:2");
  expect(stacks[1]).toContain("/copy-b/first.js:2");
  expect(readdirSync(path.join(home, "toolwright", "code"))).toHaveLength(2);
});
