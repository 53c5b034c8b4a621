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
