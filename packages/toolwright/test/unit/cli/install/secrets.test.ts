import { expect, test } from "vitest";
import { maskLine, secretsIn } from "../../../../src/cli/install/secrets.js";

const SECRETS = secretsIn({
  servers: {
    a: { command: "npx", args: ["--api-key", "abc", "--token=def", "plain"], env: { MODE: "x", PORT: 8080 } },
    b: { url: "https://b.example/mcp?key=ghi", headers: { Authorization: "Bearer jkl" } },
    c: { url: "https://c.example/mcp", envs: { LONG: "first\nsecond" } },
    d: { url: "https://d.example/s/NTQ2MDk4MjMtYTk1Zi00/mcp" },
  },
});

test.each([
  ['"MODE": "x",', '"MODE": "…",'],
  ['"args": ["--api-key", "abc", "--token=def", "plain"]', '"args": ["--api-key", "…", "…", "plain"]'],
  ["PORT: 8080 # why", "PORT: … # why"],
  ['"env": { "PORT": 8080 }', '"env": { "PORT": … }'],
  ['"PORT": 8080', '"PORT": …'],
  ["envs: {MODE: x, PORT: 8080}", "envs: {MODE: …, PORT: …}"],
  ["args: [--api-key, abc, plain]", "args: [--api-key, …, plain]"],
  ["'Bearer jkl'", "'…'"],
  ["  second", "  …"],
  ["url: https://b.example/mcp?key=ghi", "url: …"],
  ['"url": "https://d.example/s/NTQ2MDk4MjMtYTk1Zi00/mcp"', '"url": "…"'],
  ['url = "https://c.example/mcp"', 'url = "https://c.example/mcp"'],
  ['// "API_KEY": "mno", switched off', '// "API_KEY": "…", switched off'],
  ['"command": "npx"', '"command": "npx"'],
])("%s is shown as %s", (line, shown) => {
  expect(maskLine(line, SECRETS)).toBe(shown);
});
