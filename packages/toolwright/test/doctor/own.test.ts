import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { main, serve, urlOf } from "../cli/listening.js";
import { examined, fileOf, nodeServer, seen } from "./examined.js";

const TIMEOUT = 200_000;

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "toolwright-doctor-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Runs `toolwright doctor` with a home of its own. */
function doctor(
  home: string,
  ...words: string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: path.join(home, ".config"), NO_COLOR: "1" };
  return spawnSync(process.execPath, [main, "doctor", ...words], {
    cwd: home,
    encoding: "utf8",
    env,
    timeout: TIMEOUT,
  });
}

describe("our own server", () => {
  test("has no fault and no warning over stdio", { timeout: TIMEOUT }, async () => {
    const state = folder();
    const examination = await examined(nodeServer("packages/toolwright/dist/main.js", "serve", "--state", state));
    expect(seen(examination, "fault", "warning")).toEqual([]);
    expect(examination.checks.filter(({ verdict }) => verdict.startsWith("not")).map(({ id }) => id)).toEqual([
      "limits.cancel",
    ]);
    expect(examination.score).toEqual({ points: 100, letter: "A" });
  });

  test("has no fault and no warning over HTTP", { timeout: TIMEOUT }, async () => {
    const child = serve(`--http 127.0.0.1:0 --state ${folder()}`);
    const url = await urlOf("http", child);
    const examination = await examined({ name: "own", url });
    expect(seen(examination, "fault", "warning")).toEqual([]);
    expect(examination.checks.flatMap(({ id, reason }) => (reason === undefined ? [] : [`${id}: ${reason}`]))).toEqual(
      [],
    );
  });
});

describe("toolwright doctor", () => {
  test("ends with 3 and the server's own words when it does not start", { timeout: TIMEOUT }, () => {
    const home = folder();
    const { status, stdout } = doctor(
      home,
      "--",
      process.execPath,
      fileOf("packages/toolwright/test/doctor/servers/broken.mjs"),
      "does-not-start",
    );
    expect(status).toBe(3);
    expect(stdout).toContain("EXAMPLE_KEY is not set");
  });

  test("ends with 1, and writes JSON and a page, for a server with a fault", { timeout: TIMEOUT }, () => {
    const home = folder();
    const page = path.join(home, "report.html");
    const words = ["--only", "start", "--json", "--html", page, "--", process.execPath];
    const { status, stdout } = doctor(
      home,
      ...words,
      fileOf("packages/toolwright/test/doctor/servers/broken.mjs"),
      "prints",
    );
    expect(status).toBe(1);
    const report = JSON.parse(stdout) as { format: number; faults: number; servers: { groups: { id: string }[] }[] };
    expect(report).toMatchObject({ format: 1, faults: 1, servers: [{ transport: "stdio", unreached: null }] });
    expect(report.servers[0]?.groups.map(({ id }) => id)).toEqual(["start"]);
    const html = readFileSync(page, "utf8");
    expect(html).toContain("It writes 1 line to stdout that are not messages.");
    expect(html).not.toContain("<script");
  });

  test("examines a server by its name, and shows no secret that its client keeps for it", { timeout: TIMEOUT }, () => {
    const home = folder();
    const args = [fileOf("packages/toolwright/test/doctor/servers/broken.mjs"), "does-not-start"];
    const entry = { command: process.execPath, args, env: { EXAMPLE: "is not set" } };
    writeFileSync(path.join(home, ".claude.json"), JSON.stringify({ mcpServers: { example: entry } }));
    const { status, stdout } = doctor(home, "example");
    expect(status).toBe(3);
    expect(stdout).toContain("EXAMPLE_KEY [redacted]");
  });

  test("says which parts there are when one is misspelled", () => {
    const { status, stderr } = doctor(folder(), "--only", "handshakes", "--", "x");
    expect(status).toBe(2);
    expect(stderr).toContain('not "handshakes"; did you mean handshake?');
  });
});
