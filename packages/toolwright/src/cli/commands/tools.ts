import { defineCommand, QUIET_OPTION } from "@toolwright/kit/cli";
import { pickSettingOptions } from "../setting-options.js";
import { CONNECTION_EXIT_CODES, SERVER_ARGUMENT, SERVER_COMMAND, SERVER_OPTIONS } from "../use/server-options.js";

/** The options of `serve` that decide which tools it lists. */
export const TOOL_SETTINGS = pickSettingOptions(
  [
    "toolsets",
    "tools",
    "withoutTools",
    "readOnly",
    "allTools",
    "progressive",
    "root",
    "pack",
    "state",
    "config",
    "noConfig",
    "set",
  ],
  "Options of serve, without SERVER",
);

/** `toolwright tools`. */
export const tools = defineCommand({
  name: "tools",
  summary: "List the tools of any MCP server, or what they cost a model",
  group: "using",
  usage: ["[options]", "SERVER [options]", "[options] -- COMMAND..."],
  description: 'Without a server it lists what "toolwright serve" would list with the same options.',
  args: { server: SERVER_ARGUMENT },
  options: {
    json: { type: "boolean", description: "Print JSON: the list as the server sends it, or what the tools cost." },
    tokens: { type: "boolean", description: "Print what each tool costs a model, in tokens." },
    budget: {
      type: "integer",
      min: 1,
      placeholder: "TOKENS",
      description: "The same, and fail if all tools together cost more than this.",
    },
    quiet: QUIET_OPTION,
    ...SERVER_OPTIONS,
    ...TOOL_SETTINGS,
  },
  trailing: SERVER_COMMAND,
  exitCodes: { 1: "The server refuses, or the tools cost more than --budget.", ...CONNECTION_EXIT_CODES },
  examples: [
    "toolwright tools",
    "toolwright tools --toolsets files,git --tokens",
    "toolwright tools http://127.0.0.1:3000/mcp",
    "toolwright tools --socket ./mcp.sock --json",
    "toolwright tools --budget 10000 -- npx -y @modelcontextprotocol/server-everything",
  ],
  run: async (input, ctx) => (await import("../use/tools.js")).runTools(input, ctx),
});
