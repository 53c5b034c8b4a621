import { describe, expect, test } from "vitest";
import { Child } from "../../../engine/test/stdio/child.js";
import { findTerminal } from "../cli/pseudo-terminal.js";
import { Home, main } from "./home.js";

const CURSOR = ".cursor/mcp.json";
const ZED = ".config/zed/settings.json";
const terminal = findTerminal();

/** The command with somebody at the terminal, who types each answer once its question stands there. */
class Person {
  readonly child: Child;
  #seen = 0;

  constructor(home: Home, words: string) {
    const line = `'${process.execPath}' '${main}' ${words}`;
    const [command, args] = (terminal as NonNullable<typeof terminal>)(line);
    this.child = new Child(command, args, { ...home.env, PATH: process.env["PATH"], XDG_CONFIG_HOME: undefined });
  }

  /** Everything that has stood on the terminal, without the signs that move its cursor. */
  get screen(): string {
    // oxlint-disable-next-line no-control-regex
    return [...this.child.lines, this.child.unfinished].join("\n").replaceAll(/\r|\u{1b}\[\d*[A-Z]/gu, "");
  }

  async type(question: string, answer: string): Promise<void> {
    const at = (): number => this.screen.indexOf(question, this.#seen);
    await this.child.until(() => at() !== -1, question);
    this.#seen = at() + question.length;
    this.child.write(answer);
  }
}

describe("without a terminal", () => {
  test("--yes is needed, and the command says so", () => {
    const home = new Home({ [CURSOR]: "{}\n" });
    expect(home.run("install", "cursor")).toEqual({
      code: 2,
      out: "",
      err: 'toolwright: install needs --yes where nobody can be asked; --dry-run shows what it would do. Run "toolwright install --help" for usage.\n',
    });
    expect([home.read(CURSOR), home.files()]).toEqual(["{}\n", [CURSOR]]);
  });

  test("the clients must be named, or --all said", () => {
    const home = new Home({ [CURSOR]: "{}\n", [ZED]: "{}\n" });
    expect(home.run("install", "--yes").err).toContain("Say which clients are meant, or --all");
    expect(home.run("install", "--all", "--yes").code).toBe(0);
    expect(home.files()).toEqual([CURSOR, `${CURSOR}.toolwright-backup`, ZED, `${ZED}.toolwright-backup`].sort());
  });

  test.each([
    [["install", "cursr"], 'Unknown client "cursr"; did you mean cursor?'],
    [["install", "cursor", "--scope", "users"], '--scope must be user or project, not "users"; did you mean user?'],
    [["install", "cursor", "--name", "a b"], "--name must have 1 to 64 letters"],
    [["install", "cursor", "--", "uvx", "x"], "A server of your own needs --name"],
    [["install", "cursor", "--url", "ftp://x"], "--url must begin with http:// or https://"],
    [["install", "cursor", "--", "--http"], "use --url for one that listens"],
    [["install", "--all", "cursor"], "--all cannot be used together with the names of clients"],
    [["install", "cursor", "--env", "NOT_SET"], "--env NOT_SET: the environment variable is not set"],
    [["install", "cursor", "--toolsets", "fils"], '--toolsets: "fils" is unknown; did you mean files?'],
    [["install", "cursor", "--toolsets", "git", "--name", "x", "--", "uvx", "x"], "--toolsets is for this server"],
    [["uninstall", "json"], 'Unknown client "json"'],
  ])("%j is refused", (words, reason) => {
    const home = new Home();
    const { code, err } = home.run(...words);
    expect([code, err, home.files()]).toEqual([2, expect.stringContaining(reason), []]);
  });
});

describe.skipIf(terminal === undefined)("on a terminal", () => {
  test("each change is shown and asked for", async () => {
    const home = new Home({ [CURSOR]: "{}\n", [ZED]: "{}\n" });
    const person = new Person(home, "install --toolsets default cursor zed");
    await person.type("Change ~/.cursor/mcp.json? (yes, no or all) ", "what\r");
    await person.type("Change ~/.cursor/mcp.json? (yes, no or all) ", "no\r");
    await person.type("Change ~/.config/zed/settings.json? (yes, no or all) ", "yes\r");
    expect(await person.child.ended).toEqual({ code: 0, signal: null });
    expect(home.read(CURSOR)).toBe("{}\n");
    expect(home.read(ZED)).toContain('"context_servers"');
    expect(person.screen).toContain('+    "toolwright": {');
    expect(person.screen).toContain("- Cursor: left as it is");
    expect(person.screen).toContain(
      "✓ Zed: added toolwright to ~/.config/zed/settings.json. Zed loads it immediately.",
    );
  });

  test("the toolsets are asked for, and written into the entry", async () => {
    const home = new Home({ [CURSOR]: "{}\n" });
    const person = new Person(home, "install cursor");
    await person.type("Toolsets (Enter for the default): ", "fils,git\r");
    await person.type("Toolsets (Enter for the default): ", "default, builds\r");
    await person.type("Change ~/.cursor/mcp.json? (yes or no) ", "yes\r");
    expect(await person.child.ended).toEqual({ code: 0, signal: null });
    expect(person.screen).toContain('Unknown toolset "fils"; did you mean files?');
    expect(person.screen).toMatch(/^git +workstation +7 of 9 +git_status, git_log, /m);
    expect(person.screen).toMatch(/^processes +workstation +none +process_start, process_read, process_stop$/m);
    expect(JSON.parse(home.read(CURSOR)).mcpServers.toolwright.args).toEqual([
      main,
      "serve",
      "--toolsets",
      "default,builds",
    ]);
  });

  test.each([
    ["\r", ["serve"]],
    ["all\r", ["serve", "--all-tools"]],
  ])("the answer %j to the question for toolsets gives %j", async (answer, words) => {
    const home = new Home({ [CURSOR]: "{}\n" });
    const person = new Person(home, "install cursor");
    await person.type("Toolsets (Enter for the default): ", answer);
    await person.type("Change ~/.cursor/mcp.json? (yes or no) ", "yes\r");
    expect(await person.child.ended).toEqual({ code: 0, signal: null });
    expect(JSON.parse(home.read(CURSOR)).mcpServers.toolwright.args).toEqual([main, ...words]);
  });

  test.each([
    ["Ctrl-C", "\u{3}", 130],
    ["the end of the input", "\u{4}", 1],
  ])("%s instead of toolsets changes nothing", async (_, typed, code) => {
    const home = new Home({ [CURSOR]: "{}\n" });
    const person = new Person(home, "install cursor");
    await person.type("Toolsets (Enter for the default): ", typed);
    expect(await person.child.ended).toEqual({ code, signal: null });
    expect(home.files()).toEqual([CURSOR]);
  });

  test.each([
    "-- --read-only",
    "-- --tools echo",
    "--name docs -- uvx docs",
    "--name docs --url http://127.0.0.1:1/mcp",
  ])("nothing is asked about toolsets after %s", async (words) => {
    const home = new Home({ [CURSOR]: "{}\n" });
    const person = new Person(home, `install cursor ${words}`);
    await person.type("Change ~/.cursor/mcp.json? (yes or no) ", "yes\r");
    expect(await person.child.ended).toEqual({ code: 0, signal: null });
    expect(person.screen).not.toContain("toolsets");
  });

  test("all is yes to the rest", async () => {
    const home = new Home({ [CURSOR]: "{}\n", [ZED]: "{}\n" });
    const person = new Person(home, "install --toolsets default cursor zed");
    await person.type("(yes, no or all) ", "all\r");
    expect(await person.child.ended).toEqual({ code: 0, signal: null });
    expect([home.read(CURSOR), home.read(ZED)].every((text) => text.includes('"toolwright"'))).toBe(true);
  });

  test.each([
    ["no", "n\r"],
    ["the end of the input", "\u{4}"],
  ])("%s is no", async (_, typed) => {
    const home = new Home({ [CURSOR]: "{}\n" });
    const person = new Person(home, "install --toolsets default cursor");
    await person.type("Change ~/.cursor/mcp.json? (yes or no) ", typed);
    expect(await person.child.ended).toEqual({ code: 1, signal: null });
    expect(person.screen).toContain("toolwright: Nothing was changed");
    expect(home.files()).toEqual([CURSOR]);
  });

  test("Ctrl-C ends it, and nothing was changed", async () => {
    const home = new Home({ [CURSOR]: "{}\n" });
    const person = new Person(home, "install --toolsets default cursor");
    await person.type("(yes or no) ", "\u{3}");
    expect(await person.child.ended).toEqual({ code: 130, signal: null });
    expect(home.files()).toEqual([CURSOR]);
  });

  test("a file that changes while the question stands is not overwritten", async () => {
    const home = new Home({ [CURSOR]: "{}\n" });
    const person = new Person(home, "install --toolsets default cursor");
    await person.type("Change ~/.cursor/mcp.json? (yes or no) ", "");
    home.write(CURSOR, '{ "other": true }\n');
    person.child.write("yes\r");
    expect(await person.child.ended).toEqual({ code: 1, signal: null });
    expect(person.screen).toContain("another program has changed it meanwhile");
    expect([home.read(CURSOR), home.files()]).toEqual(['{ "other": true }\n', [CURSOR]]);
  });
});

test.each([
  [[], ["serve"]],
  [["--toolsets", "default"], ["serve"]],
  [
    ["--toolsets", "all"],
    ["serve", "--all-tools"],
  ],
  [
    ["--toolsets", "files,git", "--toolsets", "tasks"],
    ["serve", "--toolsets", "files,git,tasks"],
  ],
  [
    ["--toolsets", "git", "--", "--log-level", "debug"],
    ["serve", "--toolsets", "git", "--log-level", "debug"],
  ],
])("a script with %j gets an entry with %j", (options, words) => {
  const home = new Home();
  expect(home.run("install", "cursor", "--yes", ...options)).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(home.read(CURSOR)).mcpServers.toolwright.args).toEqual([main, ...words]);
});

test("the list says which clients are here, and what they know", () => {
  const home = new Home({ [CURSOR]: "{}\n", [ZED]: '{"context_servers": {"toolwright": {"url": "http://x/mcp"}}}\n' });
  home.write(".codex/config.toml", "=\n");
  home.run("install", "cursor", "--yes");
  const { code, out } = home.run("install", "--list", "--json");
  const rows = (JSON.parse(out) as Record<string, unknown>[]).filter(({ isFound }) => isFound);
  expect([code, rows.map(({ client, state, file }) => [client, state, file])]).toEqual([
    0,
    [
      ["codex", "unreadable", home.at(".codex/config.toml")],
      ["cursor", "up to date", home.at(CURSOR)],
      ["zed", "other", home.at(ZED)],
    ],
  ]);
  expect(home.run("install", "--list").out).toMatch(/^cursor +yes +user +up to date +~\/\.cursor\/mcp\.json$/m);
});

test("JSON has the outcome for each client, without secrets", () => {
  const home = new Home({
    [CURSOR]: '{\n  "mcpServers": {\n    "a": { "env": { "KEY": "not-for-your-eyes" } }\n  }\n}\n',
  });
  home.write(ZED, "{");
  const { code, out } = home.run("install", "cursor", "zed", "--yes", "--json");
  expect(code).toBe(1);
  expect(out).not.toContain("not-for-your-eyes");
  expect(JSON.parse(out)).toEqual([
    { client: "zed", outcome: "failed", reason: expect.stringContaining("line 1, column 2") },
    {
      client: "cursor",
      file: home.at(CURSOR),
      outcome: "added",
      diff: expect.stringContaining('\n+    "a": { "env": { "KEY": "…" } },\n'),
      backup: home.at(`${CURSOR}.toolwright-backup`),
    },
  ]);
});

test("the list names the file that would be written, where a client has two", () => {
  const home = new Home({ ".config/opencode/opencode.jsonc": "{}\n" });
  expect(home.run("install", "--list").out).toMatch(
    /^opencode +yes +user +not installed +~\/\.config\/opencode\/opencode\.jsonc$/m,
  );
});

test("a reader who leaves ends nothing", async () => {
  const home = new Home({ [CURSOR]: "{}\n" });
  const line = `"$0" "$1" install cursor --yes | true; wait`;
  const child = new Child("sh", ["-c", line, process.execPath, main], { ...home.env, PATH: process.env["PATH"] });
  await child.ended;
  expect(child.stderr).toBe("");
  expect(home.read(CURSOR)).toContain('"toolwright"');
});
