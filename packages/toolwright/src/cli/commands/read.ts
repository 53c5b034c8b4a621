import { defineCommand, QUIET_OPTION } from "@toolwright/kit/cli";
import { CONNECTION_EXIT_CODES, SERVER_ARGUMENT, SERVER_COMMAND, SERVER_OPTIONS } from "../use/server-options.js";

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
