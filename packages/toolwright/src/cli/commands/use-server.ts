import { defineCommand, JSON_OPTION, QUIET_OPTION } from "@toolwright/kit/cli";
import { CONNECTION_EXIT_CODES, SERVER_ARGUMENT, SERVER_COMMAND, SERVER_OPTIONS } from "../use/server-options.js";

/** `toolwright list`. */
export const list = defineCommand({
  name: "list",
  aliases: ["ls"],
  summary: "List what a server offers, or the servers that clients are configured with",
  group: "using",
  usage: ["[options]", "SERVER [LIST] [options]", "[LIST] [options] -- COMMAND..."],
  description:
    "Of a server it prints name, version, revision, instructions and lists. Without a server it prints the servers in the " +
    "configuration of clients, without secrets.",
  args: {
    server: SERVER_ARGUMENT,
    list: { choices: ["tools", "resources", "templates", "prompts"], description: "Only this list." },
  },
  options: { json: JSON_OPTION, quiet: QUIET_OPTION, ...SERVER_OPTIONS },
  trailing: SERVER_COMMAND,
  exitCodes: { 1: "The server refuses.", ...CONNECTION_EXIT_CODES },
  examples: [
    "toolwright list",
    "toolwright list github",
    "toolwright list http://127.0.0.1:3000/mcp prompts",
    "toolwright list --json -- npx -y @modelcontextprotocol/server-everything",
  ],
  run: async (input, ctx) => (await import("../use/list.js")).runList(input, ctx),
});

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

/** `toolwright read`. */
export const read = defineCommand({
  name: "read",
  summary: "Read a resource of any MCP server",
  group: "using",
  usage: ["SERVER URI [options]", "URI [options] -- COMMAND...", "SERVER      # the resources of the server"],
  description:
    "Text and bytes go to stdout as they are, but bytes are not written to a terminal: redirect stdout, or use --output. The parts of " +
    "a resource with several are concatenated.",
  args: {
    server: SERVER_ARGUMENT,
    uri: { placeholder: "URI", description: "The URI of the resource.", complete: async () => [] },
  },
  options: {
    output: { type: "string", short: "o", placeholder: "FILE", complete: "file", description: "Write to this file." },
    json: { type: "boolean", description: "Print the parts of the resource as JSON, with bytes in base64." },
    quiet: QUIET_OPTION,
    ...SERVER_OPTIONS,
  },
  trailing: SERVER_COMMAND,
  exitCodes: { 1: "The server refuses; the message names similar URIs.", ...CONNECTION_EXIT_CODES },
  examples: [
    "toolwright read http://127.0.0.1:3000/mcp docs://readme",
    "toolwright read --output logo.png test://static-binary -- npm run everything",
  ],
  run: async (input, ctx) => (await import("../use/read.js")).runRead(input, ctx),
});

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
