import { expect, test } from "vitest";
import type { Caller } from "../../src/protocol/types.js";
import { getVendor } from "../../src/server/features/tools.js";

const called = (name: unknown): Caller => ({ info: { name } as never, capabilities: {}, logLevel: undefined });

test.each([
  ["claude-code", "Anthropic"],
  ["claude-ai", "Anthropic"],
  ["Anthropic/API", "Anthropic"],
  ["codex-mcp-client", "OpenAI"],
  ["openai-mcp", "OpenAI"],
  ["gemini-cli-mcp-client", "Google"],
  ["Visual Studio Code", "VS Code"],
  ["Visual Studio Code - Insiders", "VS Code"],
  ["github-copilot-developer", "VS Code"],
  ["cursor-vscode", "Cursor"],
  ["Cline", "Cursor"],
  ["opencode", "Cursor"],
  ["Zed", "Cursor"],
])("%s is a client of %s", (name, vendor) => {
  expect(getVendor(called(name))).toBe(vendor);
});

test.each(["my-claude", "zedoary", "amplifier", "toolwright-test", "mcp-inspector", "", 7, undefined])(
  "the vendor of %s is unknown",
  (name) => {
    expect(getVendor(called(name))).toBeUndefined();
  },
);

test("a client without information has no known vendor", () => {
  expect(getVendor({ info: undefined, capabilities: {}, logLevel: undefined })).toBeUndefined();
});
