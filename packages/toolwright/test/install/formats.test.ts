import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../src/clients/client-list.js";
import { openFormat, putServer, removeServer } from "../../src/clients/config-file.js";

const OWN = { command: "NODE-PATH", args: ["SCRIPT-PATH", "serve"] };
const AT = { home: "/home/ada", folder: "/home/ada/app", platform: "linux", env: {} } as const;

const read = (name: string): string => readFileSync(new URL(`files/${name}.txt`, import.meta.url), "utf8");

/** The ways in which one text can lie in a file. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  "lines that end with LF": (text) => text,
  "lines that end with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "no newline at the end": (text) => text.replace(/\n$/, ""),
};

/** What is left where the server was the first one, and nothing but the text is known. */
const LEFT: Readonly<Record<string, string>> = {
  "claude-code": read("claude-code.before").replace("  }\n}\n", '  },\n  "mcpServers": {}\n}\n'),
};

describe.each(CLIENTS.map((client) => [client.id, client] as const))("the file of %s", (id, client) => {
  const keys = client.configLocations(AT).find(({ scope, use }) => scope === "user" && use === undefined)?.keys ?? [];
  const spot = { keys, name: "toolwright" };

  test.each(Object.entries(FORMS))("gets the server and loses it again, %s", async (_, form) => {
    const format = await openFormat(client.format);
    const entry = client.write("toolwright", OWN) ?? {};
    const [before, after] = [form(read(`${id}.before`)), form(read(`${id}.after`))];
    expect(putServer(format, before, spot, entry)).toBe(after);
    expect(putServer(format, after, spot, entry)).toBe(after);
    expect(removeServer(format, before, spot)).toBe(before);
    expect(removeServer(format, after, spot)).toBe(form(LEFT[id] ?? read(`${id}.before`)));
  });
});

test.each([
  ["", '{\n  "servers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'],
  ["// mine\n", '// mine\n{\n  "servers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'],
  ["/* mine */", '/* mine */\n{\n  "servers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'],
])("a JSON file that is empty but for %j gets an object", async (before, after) => {
  const format = await openFormat("json");
  expect(putServer(format, before, { keys: ["servers"], name: "a" }, { command: "x" })).toBe(after);
});

const NEW = { command: "NODE", args: ["SCRIPT", "serve"], env: { B: "3", C: "4" } };

test("a TOML entry that is written again keeps its remarks, and where they stand", async () => {
  const format = await openFormat("toml");
  const text = (command: string, args: string, b: string): string => `# all
[mcp_servers.a] # ours
# how it starts
command = ${command} # by whom
args = ${args} # with what
enabled = false # switched off by Ada
# how long
startup_timeout_sec = 20

  # its variables
  [mcp_servers.a.env] # here
  A = "1" # one
  # two
  B = ${b} # three

# the next
[other]
x = 1
`;
  const before = text("'old'", '[\n  "x", # first\n]', "'2'");
  const after = text('"NODE"', '["SCRIPT", "serve"]', '"3"').replace("# three\n", '# three\n  C = "4"\n');
  const spot = { keys: ["mcp_servers"], name: "a" };
  expect(putServer(format, before, spot, NEW)).toBe(after);
  expect(removeServer(format, after, spot)).toBe("# all\n\n# the next\n[other]\nx = 1\n");
});

test.each([
  [
    '[s.a]\nenv.A = "1" # one\ncommand = "x"',
    '[s.a]\nenv.A = "1" # one\nenv.B = "3"\nenv.C = "4"\ncommand = "NODE"\nargs = ["SCRIPT", "serve"]',
  ],
  [
    '[s.a]\nenv = { "A b" = "1" } # one\n',
    '[s.a]\nenv = { "A b" = "1", B = "3", C = "4" } # one\ncommand = "NODE"\nargs = ["SCRIPT", "serve"]\n',
  ],
  [
    '[s.a.env]\nA = "1"\n',
    '[s.a]\ncommand = "NODE"\nargs = ["SCRIPT", "serve"]\n\n[s.a.env]\nA = "1"\nB = "3"\nC = "4"\n',
  ],
  [
    '[s.a]\r\nurl = "x" # old\r\n\r\n[z]\r\n',
    '[s.a]\r\ncommand = "NODE"\r\nargs = ["SCRIPT", "serve"]\r\n\r\n[s.a.env]\r\nB = "3"\r\nC = "4"\r\n\r\n[z]\r\n',
  ],
])("TOML that is written as %j is edited as it is written", async (before, after) => {
  expect(putServer(await openFormat("toml"), before, { keys: ["s"], name: "a" }, NEW)).toBe(after);
});

test("a YAML entry that is written again keeps its remarks, and where they stand", async () => {
  const format = await openFormat("yaml");
  const text = (cmd: string, args: string, b: string): string => `extensions: # all
  a: # ours
    # whether
    enabled: false # switched off by Ada
    cmd: ${cmd} # by whom
    args:${args}
    # its variables
    envs: # here
      A: '1' # one
      B: ${b} # three
    timeout: 20 # long
  # the next
  b: {type: builtin}
`;
  const wanted = { enabled: true, cmd: "NODE", args: NEW.args, envs: NEW.env, timeout: 300 };
  const before = text("'old'", " # with what\n      - x # first", "'2'");
  const after = text("NODE", " # with what\n      - SCRIPT\n      - serve", '"3"').replace(
    "# three\n",
    '# three\n      C: "4"\n',
  );
  expect(putServer(format, before, { keys: ["extensions"], name: "a" }, wanted)).toBe(after);
  const inline = text("old", " [x] # with what", "2");
  expect(putServer(format, inline, { keys: ["extensions"], name: "a" }, wanted)).toBe(
    text("NODE", ' ["SCRIPT", "serve"] # with what', '"3"').replace("# three\n", '# three\n      C: "4"\n'),
  );
});
