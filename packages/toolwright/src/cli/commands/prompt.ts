import { defineCommand, QUIET_OPTION } from "@toolwright/kit/cli";
import { CONNECTION_EXIT_CODES, SERVER_ARGUMENT, SERVER_COMMAND, SERVER_OPTIONS } from "../use/server-options.js";

/** `toolwright prompt`. */
export const prompt = defineCommand({
  name: "prompt",
  summary: "Get a prompt of any MCP server and print its messages",
  group: "using",
  usage: [
    "SERVER NAME [NAME=VALUE...] [options]",
    "NAME [NAME=VALUE...] [options] -- COMMAND...",
    "SERVER NAME --help      # the arguments of the prompt, with an example",
    "SERVER                  # the prompts of the server",
  ],
  description: "Required arguments that are missing are asked for on the terminal.",
  args: {
    server: SERVER_ARGUMENT,
    name: { description: "The name of the prompt.", complete: async () => [] },
    arguments: { multiple: true, placeholder: "NAME=VALUE", description: "Its arguments.", complete: async () => [] },
  },
  options: {
    json: { type: "boolean", description: "Print the messages as JSON, as the server sends them." },
    quiet: QUIET_OPTION,
    ...SERVER_OPTIONS,
  },
  trailing: SERVER_COMMAND,
  exitCodes: { 1: "The server refuses.", ...CONNECTION_EXIT_CODES },
  examples: [
    "toolwright prompt http://127.0.0.1:3000/mcp review file=src/main.ts",
    "toolwright prompt review --json -- node my-server.mjs",
  ],
  run: async (input, ctx) => (await import("../use/prompt.js")).runPrompt(input, ctx),
  helpFor: async (input, ctx) => (await import("../use/prompt.js")).describePrompt(input, ctx),
});
