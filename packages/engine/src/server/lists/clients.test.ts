import { expect, test } from "vitest";
import type { Caller } from "../../protocol/caller.js";
import { hasVendor, vendorOf } from "./clients.js";

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
  expect(hasVendor(called(name))).toBe(true);
  expect(vendorOf(called(name))).toBe(vendor);
});

test.each(["my-claude", "zedoary", "amplifier", "toolwright-test", "mcp-inspector", "", 7, undefined])(
  "nobody knows the vendor of %s",
  (name) => {
    expect(hasVendor(called(name))).toBe(false);
    expect(vendorOf(called(name))).toBeUndefined();
  },
);

test("a client need not say who it is", () => {
  expect(hasVendor({ info: undefined, capabilities: {}, logLevel: undefined })).toBe(false);
});

test("who asks again, or after another, is told the same", () => {
  const [claude, other] = [called("claude-code"), called("other")];
  expect([claude, claude, other, other, claude].map(hasVendor)).toEqual([true, true, false, false, true]);
});
