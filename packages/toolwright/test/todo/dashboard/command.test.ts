import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { hashApiKey } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../../../todo/test/kit.js";
import { runTask } from "./run-task.js";

const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));

/** A process that serves pages. */
interface Started {
  readonly url: string;
  readonly stderr: () => string;
  readonly stop: () => Promise<number | null>;
}

async function start(...words: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [main, ...words, "--no-config"], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "close") as Promise<[number | null]>;
  let said = "";
  const stop = async (): Promise<number | null> => {
    child.kill();
    return (await ended)[0];
  };
  onTestFinished(async () => {
    if (child.exitCode === null) await stop();
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [found] = /http:\S+(?=\n)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`It ended before it listened: ${said}`)));
  });
  return { url, stderr: () => said, stop };
}

describe("toolwright dashboard", () => {
  test("prints its URL, shows the tasks of the state folder, and ends on a signal", async () => {
    const state = await makeFolder();
    await runTask(path.join(state, "todo.db"), "add", "paint the fence");
    const { url, stderr, stop } = await start("dashboard", "--port", "0", "--state", state);
    expect(stderr()).toBe(`The dashboard is at ${url}\n`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await (await fetch(url)).text()).toContain("paint the fence");
    expect(await (await fetch(`${url}server`)).text()).toContain("This process serves only the dashboard");
    const lost = await fetch(`${url}nowhere`);
    expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining("Page not found")]);
    const events = await fetch(`${url}events`);
    expect(await stop()).toBe(0);
    await events.text();
  });

  test("takes the next port that is free, and makes a write token once", async () => {
    const state = await makeFolder();
    const first = await start("dashboard", "--state", state);
    const second = await start("dashboard", "--state", state, "--write-token");
    expect(second.url).not.toBe(first.url);
    const [, token = ""] = /\nWrite token: (\S{24})\n/.exec(second.stderr()) ?? [];
    const unlocked = await fetch(`${second.url}unlock`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: new URL(second.url).origin },
      body: new URLSearchParams({ token }),
    });
    expect([token.length, unlocked.status]).toEqual([24, 303]);
  });

  test.each([
    [["--port", "x"], '--port must be a whole number from 0 to 65535, not "x"'],
    [["--prot", "1"], "Unknown option --prot; did you mean --port?"],
  ])("refuses %j", async (words, message) => {
    await expect(start("dashboard", ...words)).rejects.toThrow(message);
  });
});

describe("toolwright serve --http", () => {
  test("has the pages beside MCP, unless they are switched off", async () => {
    const state = await makeFolder();
    const { url, stderr } = await start("serve", "--http", "0", "--state", state);
    expect(stderr()).toMatch(/ {2}http {4}http:\S+\/mcp\n {2}pages {3}http:\S+\/\n/);
    expect((await fetch(new URL("/", url))).status).toBe(200);
    expect(await (await fetch(new URL("/server", url))).text()).toContain("<strong>workstation</strong>");
    const without = await start("serve", "--http", "0", "--state", state, "--set", "http.dashboard=false");
    expect((await fetch(new URL("/", without.url))).status).toBe(404);
  });

  test("asks for the same key as MCP", async () => {
    const state = await makeFolder();
    const key = "k".repeat(32);
    const keys = path.join(state, "keys.txt");
    await writeFile(keys, `ada ${hashApiKey(key)}\n`);
    const { url } = await start("serve", "--http", "0", "--state", state, "--api-key-file", keys);
    const page = new URL("/", url);
    expect((await fetch(page)).status).toBe(401);
    const authorization = `Basic ${Buffer.from(`ada:${key}`).toString("base64")}`;
    expect((await fetch(page, { headers: { authorization } })).status).toBe(200);
  });
});
