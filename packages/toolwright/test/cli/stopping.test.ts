import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../../../tests/support/program.js";
import { Child } from "../../../engine/test/stdio/child.js";
import { callTool, echoed, started } from "./listening.js";

const folder = mkdtempSync(path.join(tmpdir(), "toolwright-"));
const program = path.join(folder, "slow.mjs");
beforeAll(async () => {
  await buildProgram(new URL("./slow-program.ts", import.meta.url), program);
  // The files of the dashboard lie beside a bundled program.
  cpSync(fileURLToPath(new URL("../../dist/dashboard/", import.meta.url)), path.join(folder, "dashboard"), {
    recursive: true,
  });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function start(env: NodeJS.ProcessEnv = {}): Promise<{ child: Child; url: string }> {
  const child = new Child(process.execPath, [program, "--http", "0"], env);
  const { http = "" } = await started(child);
  return { child, url: http };
}

/** Calls the tool that waits, and resolves when it runs. */
async function startWaiting(child: Child, url: string): Promise<{ answer: Promise<Response> }> {
  const answer = callTool(url, "wait");
  answer.catch(() => undefined);
  await child.until(() => child.stderr.includes("waiting\n"), "a running tool");
  return { answer };
}

/** Resolves when nobody new is let in. */
async function untilClosing(url: string): Promise<void> {
  for (;;) {
    const health = await fetch(new URL("/health", url)).catch(() => undefined);
    if (health?.status !== 200) return;
    await health.arrayBuffer();
  }
}

describe("a server that is stopped", () => {
  test("lets calls finish, then closes its packs and ends", async () => {
    const { child, url } = await start();
    const { answer } = await startWaiting(child, url);
    child.process.kill("SIGTERM");
    await untilClosing(url);
    expect(child.stderr).not.toContain("closed\n");
    child.write("go on\n");
    expect(await echoed(await answer)).toBe("done");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).toMatch(/waiting\n\[NOTICE\] stopping: active requests have 30 s to finish\nclosed\n$/);
  });

  test("ends even if a pack does not close", async () => {
    const { child } = await start({ STUCK: "yes" });
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).toContain("closed\n");
  });

  test.each(["SIGTERM", "SIGINT"] as const)("for the second time, by %s, ends at once", async (signal) => {
    const { child, url } = await start();
    const { answer } = await startWaiting(child, url);
    child.process.kill("SIGTERM");
    await untilClosing(url);
    child.process.kill(signal);
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).not.toContain("closed\n");
    await expect(answer).rejects.toThrow();
  });
});

test("errors that a tool leaves behind are logged and end nothing", async () => {
  const { child, url } = await start();
  expect(await echoed(await callTool(url, "leave"))).toBe("left");
  await child.until(
    () => /left in a timer[\s\S]*left in a promise|left in a promise[\s\S]*left in a timer/.test(child.stderr),
    "both",
  );
  expect(child.stderr).toContain("[ERROR] uncaught error in a tool or background task");
  expect((await fetch(new URL("/alive", url))).status).toBe(200);
});
