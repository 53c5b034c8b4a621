import { chmodSync, lstatSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture, Home, main } from "./home.js";

/** Where each client has its file on Linux. */
const FILES = {
  "claude-code": ".claude.json",
  "claude-desktop": ".config/Claude/claude_desktop_config.json",
  codex: ".codex/config.toml",
  gemini: ".gemini/settings.json",
  cline: ".cline/data/settings/cline_mcp_settings.json",
  opencode: ".config/opencode/opencode.json",
  goose: ".config/goose/config.yaml",
  cursor: ".cursor/mcp.json",
  vscode: ".config/Code/User/mcp.json",
  windsurf: ".codeium/windsurf/mcp_config.json",
  zed: ".config/zed/settings.json",
} as const;

const CURSOR = FILES.cursor;

describe.each(Object.entries(FILES))("%s", (client, file) => {
  test("is configured, configured once, and restored to the last byte", () => {
    const before = `\u{feff}${fixture(`${client}.before`).replaceAll("\n", "\r\n")}`;
    const home = new Home({ [file]: before });
    const first = home.run("install", client, "--yes");
    expect([first.code, first.out + first.err]).toEqual([0, expect.not.stringContaining("not-for-your-eyes")]);
    expect(home.read(file)).toBe(`\u{feff}${fixture(`${client}.after`).replaceAll("\n", "\r\n")}`);
    expect(home.read(`${file}.toolwright-backup`)).toBe(before);

    const again = home.run("install", client);
    expect([again.code, again.out]).toEqual([
      0,
      expect.stringMatching(/^✓ .*: toolwright is there already, nothing to do\n$/),
    ]);

    const gone = home.run("uninstall", client, "--yes");
    expect([gone.code, gone.out + gone.err]).toEqual([0, expect.not.stringContaining("not-for-your-eyes")]);
    expect(home.read(file)).toBe(before);
    expect(home.files()).toEqual([file]);
  });

  test("gets a file where it has none, and loses it again", () => {
    const home = new Home();
    expect(home.run("install", client, "--yes").code).toBe(0);
    expect(home.files()).toEqual([file]);
    expect(home.read(file)).toContain(JSON.stringify(main).slice(1, -1));
    expect(home.run("uninstall", client, "--yes").code).toBe(0);
    expect(home.files()).toEqual([]);
  });
});

describe("what is written", () => {
  test("a rehearsal shows the change and writes nothing", () => {
    const home = new Home({ [CURSOR]: '{\n  "mcpServers": {}\n}\n' });
    const { code, out, err } = home.run("install", "cursor", "--dry-run", "--name", "docs", "--", "uvx", "docs");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(`Cursor  ~/.cursor/mcp.json
@@ -1,3 +1,8 @@
 {
-  "mcpServers": {}
+  "mcpServers": {
+    "docs": {
+      "command": "uvx",
+      "args": ["docs"]
+    }
+  }
 }

`);
    expect(home.files()).toEqual([CURSOR]);
  });

  test("a project has a file of its own, and the server its folder", () => {
    const home = new Home();
    expect(home.run("install", "vscode", "--scope", "project", "--yes", "--", "--log-level", "debug").code).toBe(0);
    expect(JSON.parse(home.read("app/.vscode/mcp.json"))).toEqual({
      servers: {
        toolwright: {
          type: "stdio",
          command: process.execPath,
          args: [main, "serve", "--root", home.project, "--log-level", "debug"],
        },
      },
    });
  });

  test("an address is written as each client has it", () => {
    const home = new Home();
    const clients = [
      "claude-code",
      "codex",
      "gemini",
      "cline",
      "opencode",
      "goose",
      "cursor",
      "vscode",
      "windsurf",
      "zed",
    ];
    expect(home.run("install", ...clients, "--yes", "--name", "x", "--url", "http://127.0.0.1:3000/mcp").code).toBe(0);
    const url = "http://127.0.0.1:3000/mcp";
    const entry = (client: keyof typeof FILES, key: string): unknown => JSON.parse(home.read(FILES[client]))[key].x;
    expect(entry("claude-code", "mcpServers")).toEqual({ type: "http", url });
    expect(entry("gemini", "mcpServers")).toEqual({ httpUrl: url });
    expect(entry("cline", "mcpServers")).toEqual({ type: "streamableHttp", url });
    expect(entry("opencode", "mcp")).toEqual({ type: "remote", url });
    expect(entry("cursor", "mcpServers")).toEqual({ url });
    expect(entry("vscode", "servers")).toEqual({ type: "http", url });
    expect(entry("windsurf", "mcpServers")).toEqual({ serverUrl: url });
    expect(entry("zed", "context_servers")).toEqual({ url });
    expect(home.read(FILES.codex)).toBe(`[mcp_servers.x]\nurl = "${url}"\n`);
    expect(home.read(FILES.goose)).toContain(`    type: streamable_http\n    uri: ${url}\n`);
    const { code, err } = home.run("install", "claude-desktop", "--yes", "--name", "x", "--url", url);
    expect([code, err]).toEqual([1, expect.stringContaining("Claude Desktop cannot be configured with an address")]);
  });

  test("an entry that starts something else is brought up to date, and keeps what the user has set", () => {
    const home = new Home({
      [CURSOR]: `{"mcpServers": {
  "toolwright": {
    "url": "http://127.0.0.1:1/mcp", // was a trial
    "headers": {"X": "not-for-your-eyes"},
    "disabled": false // mine
  }
}}`,
    });
    const { code, out } = home.run("install", "cursor", "--yes", "--env", "MODE=quiet");
    expect([code, out]).toEqual([0, expect.stringContaining("✓ Cursor: updated toolwright in ~/.cursor/mcp.json.")]);
    expect(out).not.toMatch(/not-for-your-eyes|quiet/);
    expect(home.read(CURSOR)).toBe(`{"mcpServers": {
  "toolwright": {
    // was a trial
    "disabled": false, // mine
    "command": "${process.execPath}",
    "args": ["${main}", "serve"],
    "env": {
      "MODE": "quiet"
    }
  }
}}`);
  });

  test("variables that the user has given it stay beside new ones", () => {
    const home = new Home();
    home.run("install", "cursor", "codex", "goose", "--yes", "--env", "A=1", "--env", "B=2");
    expect(home.run("install", "cursor", "codex", "goose", "--yes", "--env", "B=3", "--env", "C=4").code).toBe(0);
    expect(JSON.parse(home.read(CURSOR)).mcpServers.toolwright.env).toEqual({ A: "1", B: "3", C: "4" });
    expect(home.read(FILES.codex)).toContain('A = "1"\nB = "3"\nC = "4"\n');
    expect(home.read(FILES.goose)).toContain('A: "1"\n      B: "3"\n      C: "4"\n');
  });

  test("options that serve does not have are not written", () => {
    const home = new Home();
    const { code, err } = home.run("install", "cursor", "--yes", "--", "--rot", ".");
    expect([code, err]).toEqual([2, expect.stringContaining("Unknown option --rot; did you mean --root?")]);
    expect(home.run("install", "cursor", "--yes", "--", "--root", ".").code).toBe(0);
    expect(JSON.parse(home.read(CURSOR)).mcpServers.toolwright.args).toEqual([main, "serve", "--root", home.project]);
  });

  test("plain JSON is printed for any other client", () => {
    const home = new Home();
    const { code, out } = home.run("install", "json");
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { mcpServers: { toolwright: { command: process.execPath, args: [main, "serve"] } } },
    ]);
    expect(home.files()).toEqual([]);
  });

  test("the form of opencode's second version is kept where it is used", () => {
    const home = new Home({ ".config/opencode/opencode.jsonc": '{\n  "mcp": {\n    "servers": {},\n  },\n}\n' });
    expect(home.run("install", "opencode", "--yes", "--name", "docs", "--", "uvx", "docs").code).toBe(0);
    expect(home.read(".config/opencode/opencode.jsonc")).toBe(`{
  "mcp": {
    "servers": {
      "docs": {
        "type": "local",
        "command": ["uvx", "docs"]
      }
    },
  },
}
`);
  });
});

describe("opencode's servers", () => {
  const local = '{"type": "local", "command": ["x"]}';

  test("one of which is called servers does not hold the others", () => {
    const home = new Home({ [FILES.opencode]: `{"mcp": {"servers": ${local}}}` });
    expect(home.run("install", "opencode", "--yes").code).toBe(0);
    expect(Object.keys(JSON.parse(home.read(FILES.opencode)).mcp)).toEqual(["servers", "toolwright"]);
    expect(home.run("uninstall", "opencode", "--yes", "--name", "servers").code).toBe(0);
    expect(Object.keys(JSON.parse(home.read(FILES.opencode)).mcp)).toEqual(["toolwright"]);
  });

  test("do not all go with one of them that has the name of what holds them", () => {
    const before = `{"mcp": {"servers": {"a": ${local}}}}`;
    const home = new Home({ [FILES.opencode]: before });
    home.run("uninstall", "opencode", "--yes", "--name", "servers");
    expect(home.read(FILES.opencode)).toBe(before);
  });
});

describe("a file", () => {
  test("that its client cannot read is not up to date, and the server can still be taken out", () => {
    const file = FILES["claude-desktop"];
    const home = new Home();
    home.run("install", "claude-desktop", "--yes");
    home.write(file, home.read(file).replace("{", "{ // mine"));
    expect(home.run("install", "claude-desktop", "--yes").err).toContain(
      "line 1, column 3: this client does not support comments",
    );
    expect(home.run("install", "--list").out).toMatch(/claude-desktop +yes +user +unreadable/);
    expect(home.run("uninstall", "claude-desktop", "--yes").code).toBe(0);
    expect(home.read(file)).toBe('{ // mine\n  "mcpServers": {}\n}\n');
  });

  test("that is a link stays one, and keeps its permissions", () => {
    const home = new Home({ "dotfiles/mcp.json": "{}\n", ".cursor/other": "" });
    chmodSync(home.at("dotfiles/mcp.json"), 0o600);
    symlinkSync("../dotfiles/mcp.json", home.at(CURSOR));
    expect(home.run("install", "cursor", "--yes").code).toBe(0);
    expect(lstatSync(home.at(CURSOR)).isSymbolicLink()).toBe(true);
    expect(home.read("dotfiles/mcp.json")).toContain('"toolwright"');
    expect(statSync(home.at("dotfiles/mcp.json")).mode & 0o777).toBe(0o600);
    expect(statSync(home.at("dotfiles/mcp.json.toolwright-backup")).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["cursor", CURSOR, '{\n  "mcpServers": {\n    "a": not-for-your-eyes\n  }\n}\n', "line 3, column 10"],
    ["codex", FILES.codex, 'model = "x"\nkey = not-for-your-eyes\n', "line 2, column 7"],
    ["goose", FILES.goose, "a: 1\nextensions:\n\t- not-for-your-eyes\n", "line 3, column 1"],
    ["claude-desktop", FILES["claude-desktop"], '{\n  // mine\n  "mcpServers": {}\n}\n', "line 2, column 3"],
    ["claude-code", FILES["claude-code"], '{\n  "mcpServers": {},\n}\n', "line 2, column 19"],
    ["cline", FILES.cline, '{ "mcpServers": {} } /* mine */\n', "line 1, column 22"],
    ["gemini", FILES.gemini, '{ // mine\n  "a": [1, 2,] // x, y\n}\n', "line 2, column 13"],
  ])("of %s that cannot be read is left alone, and the place is named", (client, file, text, place) => {
    const home = new Home({ [file]: text });
    const { code, out, err } = home.run("install", client, "--yes");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`Cannot read ${home.at(file)}, ${place}: `);
    expect(err).not.toContain("not-for-your-eyes");
    expect([home.files(), home.read(file)]).toEqual([[file], text]);
  });

  test("that is read-only is left alone", () => {
    const home = new Home({ [CURSOR]: "{}\n" });
    chmodSync(home.at(CURSOR), 0o444);
    const { code, err } = home.run("install", "cursor", "--yes");
    expect([code, err]).toEqual([1, expect.stringContaining("it is read-only; make it writable first")]);
    expect([home.read(CURSOR), home.files()]).toEqual(["{}\n", [CURSOR]]);
  });

  test("whose folder cannot be created is reported", () => {
    const home = new Home({ ".cursor": "no folder" });
    const { code, err } = home.run("install", "cursor", "--yes");
    expect([code, err]).toEqual([1, expect.stringContaining("a part of its path is a file, not a folder")]);
  });

  test("whose servers cannot be edited as they are written is left alone", () => {
    const text = "servers: &all\n  a: {type: builtin}\nextensions: *all\n";
    const home = new Home({ [FILES.goose]: text });
    const { code, err } = home.run("install", "goose", "--yes");
    expect([code, err]).toEqual([1, expect.stringContaining('"extensions" is not a separate object')]);
    expect(home.read(FILES.goose)).toBe(text);
  });

  test("that was edited since loses the server alone, and every backup stays", () => {
    const home = new Home({ [CURSOR]: '{\n  "mcpServers": {}\n}\n' });
    home.run("install", "cursor", "--yes");
    home.write(CURSOR, home.read(CURSOR).replace('"mcpServers"', '"later": 1,\n  "mcpServers"'));
    expect(home.run("uninstall", "cursor", "--yes").code).toBe(0);
    expect(home.read(CURSOR)).toBe('{\n  "later": 1,\n  "mcpServers": {}\n}\n');
    expect(home.files()).toEqual([CURSOR, `${CURSOR}.toolwright-backup`, `${CURSOR}.toolwright-backup-2`]);
  });
});
