import type { Caller } from "../../protocol/caller.js";
import type { Vendor } from "../../schema/portable/rules.js";

/** How clients call themselves whose vendor is known. Those for models of any maker are treated like Cursor. */
const CLIENTS: Readonly<Record<Vendor, string>> = {
  Anthropic: "claude|anthropic",
  OpenAI: "codex|openai|chatgpt",
  Google: "gemini|google|antigravity",
  "VS Code": "visual studio code|vscode|code-oss|github-copilot|copilot",
  Cursor: "cursor|windsurf|cline|roo|kilo|opencode|goose|zed|continue|qwen|amp|droid|factory|crush|kiro|librechat",
};

/** All vendors that are known. */
export const VENDORS = Object.keys(CLIENTS) as Vendor[];

const begin = (names: string): RegExp => new RegExp(`^(?:${names})(?![a-z])`, "i");
const KNOWN = begin(Object.values(CLIENTS).join("|"));

/** The name of who asked last, as most servers have one client: to match it each time would cost more than all else here. */
const last: { name: unknown; hasVendor: boolean } = { name: undefined, hasVendor: false };

/** Whether a client is one whose vendor is known. It is asked with every list, so that all else can wait until it is needed. */
export function hasVendor({ info }: Caller): boolean {
  const name = info?.["name"];
  if (name === last.name) return last.hasVendor;
  last.hasVendor = typeof name === "string" && KNOWN.test(name);
  last.name = name;
  return last.hasVendor;
}

/** Whose interface the tools that a client lists end at; undefined = nobody knows. */
export function vendorOf({ info }: Caller): Vendor | undefined {
  const name = info?.["name"];
  if (typeof name !== "string") return undefined;
  return VENDORS.find((vendor) => begin(CLIENTS[vendor]).test(name));
}
