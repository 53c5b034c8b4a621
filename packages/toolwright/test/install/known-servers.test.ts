import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../src/clients/client-list.js";
import { findServers } from "../../src/clients/configured-servers.js";
import type { ClientEnvironment } from "../../src/clients/environment.js";
import { fixture, Home } from "./home.js";

const at = (home: Home, env: NodeJS.ProcessEnv = {}): ClientEnvironment => ({
  home: home.path,
  folder: home.project,
  platform: "linux",
  env,
});

/** The files of each client, as a client on some platform would look for them. */
function filesOn(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}): Readonly<Record<string, readonly string[]>> {
  const windows = platform === "win32";
  const home = windows ? "C:\\Users\\ada" : "/home/ada";
  const surroundings = { home, folder: windows ? "D:\\app" : "/app", platform, env };
  return Object.fromEntries(
    CLIENTS.map(({ id, configLocations }) => [id, [...new Set(configLocations(surroundings).map(({ file }) => file))]]),
  );
}

describe("the servers that clients know", () => {
  test("are read from the files of every client, for the user and for the folder", async () => {
    const home = new Home({
      ".cursor/mcp.json": fixture("cursor.before"),
      ".codex/config.toml": fixture("codex.before"),
      ".config/goose/config.yaml": fixture("goose.before"),
      ".config/zed/settings.json": fixture("zed.before"),
      "app/opencode.json": fixture("opencode.before"),
      "app/.mcp.json": '{"mcpServers": {"here": {"command": "${TOOL:-tool}", "args": ["${HOST}", "${UNKNOWN}"]}}}',
    });
    home.write(
      ".claude.json",
      JSON.stringify({
        projects: { [home.project]: { mcpServers: { mine: { type: "sse", url: "http://x/events" } } } },
      }),
    );
    const { servers, faults } = await findServers(at(home, { HOST: "db" }));
    expect(faults).toEqual([]);
    expect(servers.map(({ client, name, scope, target }) => [client, name, scope, target])).toEqual([
      ["claude-code", "here", "project", { command: "tool", args: ["db", "${UNKNOWN}"] }],
      ["claude-code", "mine", "project", { url: "http://x/events", transport: "sse" }],
      ["codex", "inline", "user", { command: "uvx", args: ["inline"], env: { KEY: "not-for-your-eyes" } }],
      [
        "codex",
        "with.dot",
        "user",
        {
          command: "npx",
          args: ["-y", "some-server"],
          env: { TOKEN: "[mcp_servers.toolwright]\nnot-for-your-eyes" },
        },
      ],
      [
        "opencode",
        "context7",
        "project",
        {
          url: "https://mcp.context7.com/mcp",
          transport: "http",
          headers: { CONTEXT7_API_KEY: "not-for-your-eyes" },
        },
      ],
      ["opencode", "servers", "project", { command: "bun", args: ["x", "servers"] }],
      ["goose", "tracker", "user", { command: "uvx", args: ["tracker"], env: { TRACKER_TOKEN: "not-for-your-eyes" } }],
      ["cursor", "linear", "user", { url: "https://mcp.linear.app/sse", transport: "sse" }],
      [
        "cursor",
        "github",
        "user",
        {
          command: "docker",
          args: ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"],
          env: { GITHUB_PERSONAL_ACCESS_TOKEN: "not-for-your-eyes" },
        },
      ],
      [
        "zed",
        "postgres",
        "user",
        { command: "node", args: ["pg.js"], env: { DATABASE_URL: "postgres://ada:not-for-your-eyes@db/x" } },
      ],
    ]);
  });

  test("a token of Codex comes from the variable that is named", async () => {
    const home = new Home({
      ".codex/config.toml": '[mcp_servers.a]\nurl = "https://a.example/mcp"\nbearer_token_env_var = "A_TOKEN"\n',
    });
    const { servers } = await findServers(at(home, { A_TOKEN: "t" }));
    expect(servers[0]?.target).toEqual({
      url: "https://a.example/mcp",
      transport: "http",
      headers: { Authorization: "Bearer t" },
    });
  });

  test("a file that cannot be read is a fault, and the others are read all the same", async () => {
    const home = new Home({
      ".cursor/mcp.json": '{"mcpServers": ',
      ".codex/config.toml": "[",
      ".gemini/settings.json": "[1]",
      ".codeium/windsurf/mcp_config.json":
        '{"mcpServers": {"a": 1, "b": {"serverUrl": "http://b/mcp"}, "__proto__": {}}}',
      ".config/zed/settings.json/folder": "",
    });
    const { servers, faults } = await findServers(at(home));
    expect(servers.map(({ name }) => name)).toEqual(["b"]);
    expect(faults.map(({ file }) => file)).toEqual(
      [".codex/config.toml", ".cursor/mcp.json", ".config/zed/settings.json"].map((file) => home.at(file)),
    );
    expect(faults[1]?.reason).toBe("line 1, column 16: expected a value");
  });
});

test("a file that only its client cannot read is a fault, and its servers are known all the same", async () => {
  const text = '{"mcpServers": {"a": {"command": "x"},}}';
  const home = new Home({
    ".claude.json": text,
    ".gemini/settings.json": `// mine\n${text}`,
    ".cursor/mcp.json": text,
  });
  const { servers, faults } = await findServers(at(home));
  expect(servers.map(({ client }) => client)).toEqual(["claude-code", "gemini", "cursor"]);
  expect(faults).toEqual([
    { file: home.at(".claude.json"), reason: "line 1, column 38: this client does not support trailing commas" },
    {
      file: home.at(".gemini/settings.json"),
      reason: "line 2, column 38: this client does not support trailing commas",
    },
  ]);
});

describe("where clients keep their files", () => {
  test("on macOS", () => {
    expect(filesOn("darwin")).toMatchObject({
      "claude-code": ["/home/ada/.claude.json", "/app/.mcp.json"],
      "claude-desktop": ["/home/ada/Library/Application Support/Claude/claude_desktop_config.json"],
      goose: ["/home/ada/.config/goose/config.yaml"],
      zed: ["/home/ada/.config/zed/settings.json", "/app/.zed/settings.json"],
    });
    expect(filesOn("darwin")["vscode"]?.[0]).toBe("/home/ada/Library/Application Support/Code/User/mcp.json");
  });

  test("on Windows", () => {
    const files = filesOn("win32", { APPDATA: "E:\\Roaming" });
    expect(files).toMatchObject({
      codex: ["C:\\Users\\ada\\.codex\\config.toml", "D:\\app\\.codex\\config.toml"],
      goose: ["E:\\Roaming\\Block\\goose\\config\\config.yaml"],
      cursor: ["C:\\Users\\ada\\.cursor\\mcp.json", "D:\\app\\.cursor\\mcp.json"],
      zed: ["E:\\Roaming\\Zed\\settings.json", "D:\\app\\.zed\\settings.json"],
    });
    expect(files["claude-desktop"]?.[0]).toBe("E:\\Roaming\\Claude\\claude_desktop_config.json");
  });

  test("where variables say so, if they name a whole path", () => {
    const files = filesOn("linux", {
      XDG_CONFIG_HOME: "/xdg",
      CODEX_HOME: "/codex",
      CLAUDE_CONFIG_DIR: "/claude",
      GEMINI_CLI_HOME: "/gemini",
      CLINE_DIR: "/cline",
      GOOSE_PATH_ROOT: "relative",
    });
    expect(files).toMatchObject({
      "claude-code": ["/claude/.claude.json", "/app/.mcp.json"],
      codex: ["/codex/config.toml", "/app/.codex/config.toml"],
      gemini: ["/gemini/.gemini/settings.json", "/app/.gemini/settings.json"],
      goose: ["/xdg/goose/config.yaml"],
    });
    expect(files["cline"]?.[0]).toBe("/cline/data/settings/cline_mcp_settings.json");
    expect(files["opencode"]?.[0]).toBe("/xdg/opencode/opencode.json");
  });
});
