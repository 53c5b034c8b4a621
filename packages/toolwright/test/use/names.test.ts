import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { main, serve, started } from "../cli/listening.js";
import { EVERYTHING, type Output, serveEverything, User } from "./shell.js";

const [command = "", ...args] = EVERYTHING;
const everything = { command, args };

const ENGINE = new URL("../../../engine/dist/index.js", import.meta.url).href;

/** A program that gives what is in its environment, as a tool. */
const SHOWING = `import { createServer, serveStdio, tool } from ${JSON.stringify(ENGINE)};
const show = tool({ name: "show", description: "Shows.", run: () => JSON.stringify([process.env.GIVEN, process.cwd(), process.env.FROM_SHELL]) });
await serveStdio(createServer({ name: "showing", version: "1.0.0", tools: [show] }));
`;

const greet = (user: User, words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Output> =>
  user.run(["call", ...words, "greet", "name=Ada"], env);

describe("a server that goes by its name", () => {
  test("is the one in the file of a client, and stderr says which file", async () => {
    const user = new User();
    const file = user.keep("home", ".cursor/mcp.json", { mcpServers: { demo: everything } });
    for (const name of ["demo", "cursor:demo"])
      expect(await greet(user, [name])).toEqual({
        code: 0,
        stdout: "Hello, Ada!\n",
        stderr: `Using "demo" of cursor: ${file}\n`,
      });
    expect(await greet(user, ["demo", "--quiet"])).toMatchObject({ stdout: "Hello, Ada!\n", stderr: "" });
  });

  test("gets its environment, with references filled in, and its folder", async () => {
    const user = new User();
    const program = user.keep("home", "showing.mjs", SHOWING);
    const entry = { command, args: [program], env: { GIVEN: "${env:FROM_SHELL}!" }, cwd: user.home };
    const file = user.keep("home", ".cursor/mcp.json", { mcpServers: { showing: entry } });
    const { stdout } = await user.run(["call", "showing", "show"], { FROM_SHELL: "here" });
    expect(JSON.parse(stdout)).toEqual(["here!", user.home, "here"]);
    expect(await user.run(["call", "showing", "show"], { FROM_SHELL: undefined })).toEqual({
      code: 2,
      stdout: "",
      stderr: `toolwright: "showing" in ${file} needs \${env:FROM_SHELL}: the environment variable is not set\n`,
    });
  });

  test("gets its headers, and none of them is ever shown", async () => {
    const key = spawnSync(process.execPath, [main, "key", "ada"], { encoding: "utf8" });
    const [, token = ""] = /shown only now: (\S+)/.exec(key.stderr) ?? [];
    const user = new User();
    const keys = user.keep("home", "keys", key.stdout);
    const { http = "", sse = "" } = await started(serve(`--http 0 --sse --api-key-file ${keys}`));
    const headers = { Authorization: "Bearer ${env:KEY_OF_ADA}" };
    user.keep("home", ".cursor/mcp.json", {
      mcpServers: { web: { url: http, headers }, older: { url: sse, type: "sse", headers } },
    });
    for (const name of ["web", "older"]) {
      const output = await user.run(["call", name, "echo", "text=hello"], { KEY_OF_ADA: token });
      expect(output).toMatchObject({ code: 0, stdout: "hello\n" });
      const refused = await user.run(["call", name, "echo", "text=hello"], { KEY_OF_ADA: "not-the-right-one" });
      expect(refused).toMatchObject({ code: 3, stdout: "" });
      for (const { stderr } of [output, refused]) expect(stderr).not.toMatch(/not-the-right-one|Bearer \S+/);
    }
  });

  test("is reached at the address that the file has", async () => {
    const { http, sse } = await serveEverything();
    const user = new User();
    user.keep("home", ".codex/config.toml", `[mcp_servers.web]\nurl = "${http}"\n`);
    user.keep("home", ".gemini/settings.json", { mcpServers: { older: { url: sse } } });
    for (const name of ["web", "older"]) expect(await greet(user, [name])).toMatchObject({ stdout: "Hello, Ada!\n" });
  });
});

describe("a name that does not lead to one server", () => {
  test("is refused with all that have it", async () => {
    const user = new User();
    const one = user.keep("home", ".cursor/mcp.json", { mcpServers: { demo: everything } });
    const other = user.keep("home", ".gemini/settings.json", { mcpServers: { demo: { command: "other" } } });
    const { code, stderr } = await greet(user, ["demo"]);
    expect(code).toBe(2);
    expect(stderr.split("\n").toSorted()).toEqual([
      "",
      `  cursor:demo  ${one}`,
      `  gemini:demo  ${other}`,
      'toolwright: Several different servers are named "demo". Add the client:',
    ]);
    expect(await greet(user, ["cursor:demo"])).toMatchObject({ code: 0, stdout: "Hello, Ada!\n" });
  });

  test("is refused with the nearest, where was looked, and what could not be read", async () => {
    const user = new User();
    const one = user.keep("home", ".cursor/mcp.json", { mcpServers: { demo: everything } });
    const bad = user.keep("home", ".gemini/settings.json", "{");
    const { code, stdout, stderr } = await greet(user, ["dmo"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /^toolwright: No client has a server "dmo" in its configuration; did you mean demo\?\nFiles read:\n/,
    );
    expect(stderr).toContain(`\n  ${one}\n`);
    expect(stderr).toContain(`\nFiles that cannot be read:\n  ${bad}: `);
  });
});

describe("a server that only a file of the project names", () => {
  test("is not started unless --project says so", async () => {
    const user = new User();
    const file = user.keep("project", ".mcp.json", { mcpServers: { demo: everything } });
    const { code, stdout, stderr } = await greet(user, ["demo"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      [
        `toolwright: "demo" is in a file of this project: ${file}`,
        `It starts: ${EVERYTHING.join(" ")}`,
        "Add --project if you trust this project",
        "",
      ].join("\n"),
    );
    expect(await greet(user, ["demo", "--project"])).toMatchObject({ code: 0, stdout: "Hello, Ada!\n" });
  });

  test("does not take the place of one of the user", async () => {
    const user = new User();
    user.keep("home", ".cursor/mcp.json", { mcpServers: { demo: everything } });
    user.keep("project", ".cursor/mcp.json", { mcpServers: { demo: { command: "not-a-program" } } });
    expect(await greet(user, ["demo"])).toMatchObject({ code: 0, stdout: "Hello, Ada!\n" });
    expect(await greet(user, ["demo", "--project"])).toMatchObject({ code: 3, stdout: "" });
  });

  test("is sent no secrets of the environment", async () => {
    const user = new User();
    const headers = { "X-Stolen": "${PRIVATE}" };
    user.keep("project", ".mcp.json", { mcpServers: { demo: { type: "http", url: "https://a.example/", headers } } });
    const { code, stderr } = await greet(user, ["demo"], { PRIVATE: "very private" });
    expect(code).toBe(2);
    expect(stderr).toMatch(/\nIt connects to: https:\/\/a\.example\/\n/);
    expect(stderr).not.toContain("very private");
  });
});

describe("toolwright list without a server", () => {
  const mcpServers = {
    demo: { command: "node", args: ["x.mjs", "--token", "t0ken-of-mine"], env: { OWN: "kept-for-it" } },
    web: { url: "https://ada:word@a.example/mcp?key=in-the-query", headers: { "X-Key": "${env:PRIVATE}" } },
    late: { command: "${env:PRIVATE}" },
  };

  test("shows what clients know, without secrets, and what could not be read", async () => {
    const user = new User();
    user.keep("home", ".cursor/mcp.json", { mcpServers });
    user.keep("project", ".vscode/mcp.json", { servers: { build: { command: "make", args: ["mcp"] } } });
    const bad = user.keep("home", ".gemini/settings.json", "{");
    const { code, stdout, stderr } = await user.run(["list"], { PRIVATE: "very-private" });
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "name   client  scope    command or URL",
      "demo   cursor  user     node x.mjs --token [redacted]",
      "web    cursor  user     https://…@a.example/mcp?…",
      "late   cursor  user     '${env:PRIVATE}'",
      "build  vscode  project  make mcp",
      "",
    ]);
    expect(stderr).toMatch(new RegExp(`^Cannot read ${bad}: .+\n$`));
  });

  test("with --json has the files, and of variables and headers the names", async () => {
    const user = new User();
    const file = user.keep("home", ".cursor/mcp.json", { mcpServers });
    const { stdout } = await user.run(["list", "--json"], { PRIVATE: "very-private" });
    const about = { client: "cursor", scope: "user", file };
    expect(JSON.parse(stdout)).toEqual({
      servers: [
        { name: "demo", ...about, starts: "node x.mjs --token [redacted]", env: ["OWN"] },
        { name: "web", ...about, url: "https://…@a.example/mcp?…", transport: "http", headers: ["X-Key"] },
        { name: "late", ...about, starts: "'${env:PRIVATE}'", env: [] },
      ],
      faults: [],
    });
  });

  test("says so where no client is there", async () => {
    const { code, stdout, stderr } = await new User().run(["list"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^No client has a configuration file\. "toolwright install" /);
  });
});
