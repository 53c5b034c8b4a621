import { execFileSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeFolder, openBench } from "../kit.js";
import { addHistory, makeHistory, stopClock } from "./make-history.js";

beforeEach(stopClock);

/** Puts a program in the place of git that does something else when it is asked for the log. */
async function standIn(operation: string): Promise<void> {
  const folder = await makeFolder();
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const lines = ["#!/bin/sh", `case " $* " in *" log "*) ${operation};; esac`, `exec ${real} "$@"`, ""];
  await writeFile(path.join(folder, "git"), lines.join("\n"));
  await chmod(path.join(folder, "git"), 0o755);
  vi.stubEnv("PATH", `${folder}${path.delimiter}${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("analyze_code_churn", () => {
  test("reports how many commits it has read", async () => {
    const root = await makeHistory(
      Array.from({ length: 1001 }, (_, at) => ({
        on: new Date(Date.parse("2031-05-01T00:00:00Z") + at * 1000).toISOString(),
        put: { "a.ts": `${at}\n` },
      })),
    );
    const { client } = await openBench({ root });
    await client.callTool("analyze_code_churn", {}, { _meta: { progressToken: "t" } });
    // Reports that follow each other too quickly are skipped.
    expect(client.received("notifications/progress").slice(0, 1)).toMatchObject([
      { params: { progressToken: "t", progress: 500, message: "Reading history: 500 commits" } },
    ]);
  });

  test("ends git at once when it is cancelled", async () => {
    const root = await makeHistory([{ on: "2031-05-01", put: { "a.ts": 1 } }]);
    const noted = path.join(await makeFolder(), "pid");
    await standIn(`echo $$ > ${noted}.part; mv ${noted}.part ${noted}; exec sleep 300`);
    const { client } = await openBench({ root });
    const { id } = client.startRequest("tools/call", { name: "analyze_code_churn", arguments: {} });
    const pid = await vi.waitFor(async () => Number(await readFile(noted, "utf8")), 20_000);
    expect(isRunning(pid)).toBe(true);
    client.notify("notifications/cancelled", { requestId: id });
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000);
  });

  test("says so where something else has ended git", async () => {
    const root = await makeHistory([{ on: "2031-05-01", put: { "a.ts": 1 } }]);
    await standIn("kill -9 $$");
    const { fail } = await openBench({ root });
    expect(await fail("analyze_code_churn")).toMatchObject({
      code: "GIT_FAILED",
      text: "Cannot read the history: git was killed by another program after 0 commits. Try again, with a shorter period if memory is short.",
    });
  });

  test("asks a git that knows no filter for what its older word gives", async () => {
    const root = await makeHistory([
      { on: "2031-01-01", put: { "a.ts": 1 } },
      { on: "2031-05-01", put: { "a.ts": 2 } },
    ]);
    await standIn(
      "case \"$*\" in *--since-as-filter*) echo 'fatal: unrecognized argument: --since-as-filter=x' >&2; exit 128;; esac",
    );
    const { call } = await openBench({ root });
    expect(await call("analyze_code_churn")).toMatchObject({ summary: { total_commits: 1 } });
  });

  test("reads the history once for all pages, and anew once there is a commit", async () => {
    const root = await makeHistory([{ on: "2031-05-01", put: { "a.ts": 3, "b.ts": 2, "c.ts": 1 } }]);
    const noted = path.join(await makeFolder(), "asked");
    await standIn(`echo asked >> ${noted}`);
    const asked = async () => (await readFile(noted, "utf8")).split("\n").length - 1;
    const { call } = await openBench({ root });
    for (const offset of [0, 1, 2])
      expect(await call("analyze_code_churn", { limit: 1, offset })).toMatchObject({
        files: [{ path: ["a.ts", "b.ts", "c.ts"][offset] }],
      });
    expect(await asked()).toBe(1);
    expect(await call("analyze_code_churn", { limit: 1, offset: 2, period_days: 2 })).toMatchObject({ files: [] });
    addHistory(root, [{ on: "2031-05-05", put: { "d.ts": 9 } }]);
    expect(await call("analyze_code_churn", { limit: 1, offset: 3 })).toMatchObject({ files: [{ path: "c.ts" }] });
    expect(await asked()).toBe(3);
  });

  test("repeats what git complains about", async () => {
    const root = await makeHistory([{ on: "2031-05-01", put: { "a.ts": 1 } }]);
    await standIn("echo 'fatal: bad object 1234' >&2; exit 128");
    const { fail } = await openBench({ root });
    expect(await fail("analyze_code_churn")).toMatchObject({
      code: "GIT_FAILED",
      text: "Cannot read the history: bad object 1234.",
    });
  });
});
