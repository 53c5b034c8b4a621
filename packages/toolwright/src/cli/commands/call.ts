import { defineCommand, QUIET_OPTION } from "@toolwright/kit/cli";
import { CONNECTION_EXIT_CODES, SERVER_ARGUMENT, SERVER_COMMAND, SERVER_OPTIONS } from "../use/server-options.js";

/** `toolwright call`. */
export const call = defineCommand({
  name: "call",
  summary: "Call a tool of any MCP server and print its result",
  group: "using",
  usage: [
    "SERVER TOOL [NAME=VALUE...] [options]",
    "TOOL [NAME=VALUE...] [options] -- COMMAND...",
    "SERVER TOOL --help      # the arguments of the tool, with an example",
    "SERVER                  # the tools of the server",
  ],
  description:
    "Values are parsed by the input schema of the tool: numbers, true and false, arrays and objects as JSON, and text. Required " +
    "arguments that are missing are asked for on the terminal. A mistyped name is corrected if only one is similar and the tool is " +
    "read-only; otherwise it is an error.\n\nThe result goes to stdout; progress, log messages and the stderr of the program to stderr. " +
    "Elicitations of the server are asked on the terminal, and declined without one. Ctrl-C cancels the call.",
  args: {
    server: SERVER_ARGUMENT,
    tool: { description: "The name of the tool.", complete: async () => [] },
    arguments: { multiple: true, placeholder: "NAME=VALUE", description: "Its arguments.", complete: async () => [] },
  },
  options: {
    input: {
      type: "string",
      placeholder: "JSON",
      description: "The arguments as a JSON object; - reads it from stdin. NAME=VALUE takes precedence.",
    },
    json: {
      type: "boolean",
      description: "Print the structured content as JSON or, without one, the content blocks.",
    },
    quiet: QUIET_OPTION,
    ...SERVER_OPTIONS,
  },
  trailing: SERVER_COMMAND,
  exitCodes: { 1: "The tool failed, or the server refuses the call.", ...CONNECTION_EXIT_CODES },
  examples: [
    "toolwright call http://127.0.0.1:3000/mcp echo text=hello",
    "toolwright call cursor:github search_code --help",
    "toolwright call current_time time_zone=Europe/Paris -- toolwright serve",
    `toolwright call --socket ./mcp.sock echo --input '{"text":"hello"}'`,
    `toolwright call https://tools.example/mcp search limit=5 tags='["a","b"]' --token-env TOKEN`,
  ],
  run: async (input, ctx) => (await import("../use/call.js")).runCall(input, ctx),
  helpFor: async (input, ctx) => (await import("../use/call.js")).describeCall(input, ctx),
});
