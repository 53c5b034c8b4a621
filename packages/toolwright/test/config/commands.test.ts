import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Configured } from "./configured.js";

const run = (configured: Configured, words: string, env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = configured.run(words, env);
  return { status, stdout, stderr };
};

describe("config check", () => {
  test("says what it has read and from where", () => {
    const configured = new Configured({ http: { listen: 8080, path: "/tools" }, limits: { pageSize: 10 } });
    expect(run(configured, "config check --ws", { TOOLWRIGHT_LIMITS_PAGE_SIZE: "20" })).toEqual({
      status: 0,
      stdout: `The configuration is right. It comes from
  file         ${configured.file} (2 settings)
  environment  TOOLWRIGHT_LIMITS_PAGE_SIZE
  flags        --ws
`,
      stderr: "",
    });
  });

  test("of a folder without a file", () => {
    expect(run(new Configured({}, "other.json"), "config check")).toEqual({
      status: 0,
      stdout: "The configuration is right: all is as it is by default.\n",
      stderr: "",
    });
  });

  test("of a named file", () => {
    const configured = new Configured({}, "other.json");
    expect(run(configured, "config check other.json").stdout).toContain(`${configured.file} (0 settings)`);
    expect(run(configured, "config check third.json")).toEqual({
      status: 1,
      stdout: "",
      stderr: "toolwright: The configuration is wrong: Cannot read third.json (--config): there is no such file\n",
    });
  });

  test("ends with code 1 and all that is wrong", () => {
    expect(run(new Configured({ limts: {}, ws: {} }), "config check")).toEqual({
      status: 1,
      stdout: "",
      stderr: `toolwright: The configuration is wrong:
  limts in toolwright.config.json:1 is unknown; did you mean limits?
  ws in toolwright.config.json:1 cannot be at {}; give HOST:PORT, such as 8080, 0.0.0.0:8080 or [::1]:8080
`,
    });
  });

  test("looks into the files that the configuration names", () => {
    const configured = new Configured({ auth: { apiKeyFile: "keys.txt" } });
    const keys = path.join(configured.folder, "keys.txt");
    writeFileSync(keys, "# nobody yet\n");
    expect(run(configured, "config check")).toEqual({
      status: 1,
      stdout: "",
      stderr: `toolwright: The configuration is wrong: Cannot use ${keys} (auth.apiKeyFile in toolwright.config.json:1): there is no key in it\n`,
    });
  });
});

describe("config show", () => {
  const secret = "hunter2-hunter2-hunter2";
  const configured = () => new Configured({ http: { allowedHosts: ["a.example", "b.example"] } });

  test("has a line for each setting, with its source, and masks secrets", () => {
    const { status, stdout } = run(configured(), "config show --http 8080", { TOOLWRIGHT_API_KEY: secret });
    expect(status).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^The configuration file is .*toolwright\.config\.json$/);
    const rowOf = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.split(/ {2,}/);
    expect(rowOf("http.listen")).toEqual(["http.listen", "8080", "flag --http"]);
    expect(rowOf("http.allowedHosts")).toEqual([
      "http.allowedHosts",
      "a.example, b.example",
      "file toolwright.config.json:1",
    ]);
    expect(rowOf("auth.apiKey")).toEqual(["auth.apiKey", "****", "environment TOOLWRIGHT_API_KEY"]);
    expect(rowOf("http.path")).toEqual(["http.path", "/mcp", "default"]);
    expect(rowOf("socket")).toEqual(["socket", "-", "default"]);
    expect(stdout).not.toContain("hunter2");
  });

  test("in JSON has the same", () => {
    const { stdout } = run(configured(), "config show --json --http 8080", { TOOLWRIGHT_API_KEY: secret });
    expect((JSON.parse(stdout) as { settings: object }).settings).toMatchObject({
      "http.listen": { value: "8080", source: "flag", at: "--http" },
      "auth.apiKey": { value: "****", source: "environment", at: "TOOLWRIGHT_API_KEY" },
      socket: { value: null, source: "default" },
    });
    expect(stdout).not.toContain("hunter2");
  });

  test("masks what is secret in the settings of packs, in addresses, and what must never be seen", () => {
    const content = {
      packs: { basics: { token: "hunter2-token", depth: 3 } },
      auth: { issuer: "https://ada:hunter2-password@login.example" },
      http: { publicUrl: "https://swordfish.example/mcp" },
      redact: { values: ["swordfish"] },
    };
    for (const words of ["config show", "config show --json"]) {
      const { status, stdout } = run(new Configured(content), words);
      expect(status).toBe(0);
      expect(stdout).toContain("login.example");
      expect(stdout).not.toMatch(/hunter2|swordfish/);
    }
    const { stdout } = run(new Configured(content), "config show --json");
    expect((JSON.parse(stdout) as { settings: object }).settings).toMatchObject({
      "packs.basics": { value: { token: "[redacted]", depth: 3 } },
      "redact.values": { value: "****" },
      "redact.names": { value: [], source: "default" },
    });
  });

  test("of a wrong configuration ends as serve would", () => {
    expect(run(new Configured({ ws: 1.5 }), "config show").status).toBe(2);
  });
});

test.each([
  ["config", "config needs a subcommand: check, show or schema.", "config"],
  ["config chekc", 'Unknown command "config chekc"; did you mean check?', "config"],
  ["config show file", 'Unexpected argument "file".', "config show"],
  ["config check a b", 'Unexpected argument "b".', "config check"],
])("%s is refused with code 2", (words, fault, command) => {
  expect(run(new Configured(), words)).toEqual({
    status: 2,
    stdout: "",
    stderr: `toolwright: ${fault} Run "toolwright ${command} --help" for usage.\n`,
  });
});
