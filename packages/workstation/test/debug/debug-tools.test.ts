import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createServer, type JsonObject } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { hashApiKey, serveHttp } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createTestPack, makeFolder, openWorkstation } from "../kit.js";

const KEY = "literal-api-key-4711-of-ada-lovelace";
const SECRETS = {
  DEBUG_TEST_TOKEN: "literal-token-0815",
  DEBUG_TEST_CONNECTION_STRING: "Server=db;Password=literal-password-99",
  DEBUG_TEST_DATABASE_URL: "postgres://ada:literal-login-77@db.example/x",
  DEBUG_TEST_INSIDE: "see literal-token-0815 for more",
};
const PATIENCE = { timeout: 20_000, interval: 10 };
const LITERALS = ["literal-token-0815", "literal-password-99", "literal-login-77", KEY];

function setSecrets(): void {
  for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe("debug tools", () => {
  test("show the environment without its secrets", async () => {
    setSecrets();
    vi.stubEnv("DEBUG_TEST_PLAIN", "shown");
    const { call, client } = await openWorkstation();
    const { variables, total, masked } = await call("debug_print_env");
    expect(variables).toMatchObject({
      DEBUG_TEST_PLAIN: "shown",
      DEBUG_TEST_TOKEN: "****",
      DEBUG_TEST_CONNECTION_STRING: "****",
      DEBUG_TEST_DATABASE_URL: "postgres://ada:[redacted]@db.example/x",
    });
    expect(total).toBe(Object.keys(process.env).length);
    expect(masked).toBeGreaterThanOrEqual(4);
    await call("debug_get_all");
    const said = JSON.stringify(client.conversation);
    for (const literal of LITERALS) expect(said).not.toContain(literal);
  });

  test("describe the server", async () => {
    const { call, root, server } = await openWorkstation();
    expect(await call("debug_get_server_info")).toMatchObject({
      name: "bench",
      version: "1.0.0",
      node: process.versions.node,
      pid: process.pid,
      tools: server.tools.filter(({ replacedBy }) => replacedBy === undefined).length,
      calls_running: 1,
      roots: [root],
    });
  });

  test("report that there is no HTTP and no authentication", async () => {
    const { call } = await openWorkstation();
    expect(await call("debug_get_http_headers")).toEqual({
      available: false,
      reason: "This call did not come over HTTP.",
    });
    expect(await call("debug_get_user_claims")).toEqual({
      available: false,
      reason: "This server does not authenticate clients.",
    });
  });

  test.each(["2026-07-28", "2025-11-25"])(
    "over HTTP show headers and who calls, without secrets, in %s",
    async (revision) => {
      const [root, state] = [await makeFolder(), await makeFolder()];
      const server = createServer({
        name: "bench",
        version: "1.0.0",
        packs: [createTestPack({ root, state })],
      });
      const apiKeys = [{ principal: "ada", hash: hashApiKey(KEY), scopes: ["files"] }];
      const serving = await serveHttp(server, { port: 0, auth: { apiKeys, selfCheck: "off" } });
      onTestFinished(() => server.close());
      onTestFinished(() => serving.close());
      const heard: string[] = [];
      const client = await connect(
        { url: serving.url },
        {
          revision,
          token: KEY,
          fetch: async (url, init) => {
            const headers = new Headers(init?.headers);
            headers.set("x-team", "blue");
            headers.set("x-api-key", "literal-token-0815");
            headers.set("cookie", "session=literal-password-99");
            const answer = await fetch(url, { ...init, headers });
            heard.push(await answer.clone().text());
            return answer;
          },
        },
      );
      onTestFinished(() => client.close());
      const { structuredContent: http } = await client.callTool("debug_get_http_headers");
      expect(http).toMatchObject({
        available: true,
        headers: { "x-team": "blue", "x-api-key": "****", authorization: "****", cookie: "****" },
      });
      const { structuredContent: user } = await client.callTool("debug_get_user_claims");
      expect(user).toEqual({ available: true, principal: "ada", scopes: ["files"] });
      const { structuredContent: all } = await client.callTool("debug_get_all");
      expect(all).toMatchObject({ http: { available: true }, user: { principal: "ada" }, server: { roots: [root] } });
      for (const literal of LITERALS) expect(heard.join("\n")).not.toContain(literal);
    },
  );
});

test("no tool changes the settings of the server", async () => {
  const { fail } = await openWorkstation({ files: { "toolwright.config.json": "{}", "other.json": "{}" } });
  const content = '{ "packs": { "workstation": { "builds": true } } }';
  const calls: [name: string, args: JsonObject][] = [
    ["fs_write_file", { path: "toolwright.config.json", content }],
    ["fs_write_file", { path: "toolwright.config.jsonc", content }],
    ["fs_edit_file", { path: "toolwright.config.json", edits: [{ old: "{}", new: content }] }],
    ["fs_move", { from: "other.json", to: "toolwright.config.jsonc" }],
    ["fs_move", { from: "toolwright.config.json", to: "gone.json" }],
    ["fs_delete_file", { path: "toolwright.config.json" }],
  ];
  for (const [name, args] of calls)
    expect([name, (await fail(name, args)).text]).toEqual([
      name,
      expect.stringContaining("it has the settings of this server, which a person changes and no tool"),
    ]);
});

describe("ci_diagnostics", () => {
  test("describes the machine, the programs, the roots and the policy", async () => {
    const { call, root } = await openWorkstation();
    const told = await call("ci_diagnostics");
    expect(told).toMatchObject({
      os: { platform: process.platform },
      arch: process.arch,
      cwd: process.cwd(),
      runtime: { node: process.versions.node },
      roots: [root],
      policy: {
        allowed: ["read and change files"],
        refused: [
          { what: "run builds, tests and linters", setting: "packs.workstation.builds: true" },
          { what: "download packages", setting: "packs.workstation.network: true" },
          { what: "run commands", setting: 'packs.workstation.commands: [["npm", "test"]]' },
          { what: "run git hooks", setting: "packs.workstation.gitHooks: true" },
        ],
      },
    });
    const programs = told["programs"] as Record<string, string | null>;
    expect(Object.keys(programs)).toEqual([
      "git",
      "node",
      "npm",
      "python",
      "cargo",
      "go",
      "java",
      "mvn",
      "gradle",
      "dotnet",
      "make",
      "rg",
    ]);
    expect(programs["git"]).toMatch(/^\d+\.\d+/);
  });

  test("is known by the name of the source documents, and says what the settings allow", async () => {
    const { client } = await openWorkstation({
      settings: { builds: true, commands: [["npm", "test"]] },
    });
    const { structuredContent } = await client.callTool("GetDiagnostics");
    expect(structuredContent).toMatchObject({
      policy: {
        allowed: ["read and change files", "run builds, tests and linters", "run commands: npm test"],
        refused: [{ what: "download packages" }, { what: "run git hooks" }],
      },
    });
  });

  test.skipIf(process.platform === "win32")(
    "gives no secret to the programs that it asks, and runs none of a project",
    async () => {
      setSecrets();
      const { root, call } = await openWorkstation();
      const [programs, seen] = [await makeFolder(), path.join(await makeFolder(), "seen")];
      const script = `#!/bin/sh\n{ env; echo "in $(pwd)"; } > '${seen}'\necho version 47.11\n`;
      await writeFile(path.join(programs, "mvn"), script, { mode: 0o755 });
      await writeFile(path.join(root, "gradle"), script.replace("47.11", "0.0"), { mode: 0o755 });
      vi.stubEnv("PATH", `${programs}${path.delimiter}.${path.delimiter}${process.env["PATH"]}`);
      expect(await call("ci_diagnostics")).toMatchObject({ programs: { mvn: "47.11" } });
      const said = await readFile(seen, "utf8");
      expect(said).toContain("in /\n");
      for (const literal of LITERALS) expect(said).not.toContain(literal);
    },
  );

  test.skipIf(process.platform === "win32")("ends a program that hangs when the call is cancelled", async () => {
    const { client } = await openWorkstation();
    const programs = await makeFolder();
    const started = path.join(programs, "started");
    await writeFile(path.join(programs, "cargo"), `#!/bin/sh\necho $$ > '${started}'\nexec sleep 600\n`, {
      mode: 0o755,
    });
    vi.stubEnv("PATH", `${programs}${path.delimiter}${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const running = client.startRequest("tools/call", { name: "ci_diagnostics", arguments: {} });
    const pid = await vi.waitFor(async () => {
      const told = Number(await readFile(started, "utf8"));
      expect(told).toBeGreaterThan(0);
      return told;
    }, PATIENCE);
    client.notify("notifications/cancelled", { requestId: running.id });
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), PATIENCE);
  });
});
