import { type CompletionQuery, defineCommand, JSON_OPTION } from "@toolwright/kit/cli";
import { TARGET_OPTIONS } from "../use/server-options.js";

/** `toolwright doctor`. */
export const doctor = defineCommand({
  name: "doctor",
  summary: "Diagnose an MCP server as clients of every revision see it",
  group: "connecting",
  usage: [
    "[options]                  # this build, and the servers that clients are configured with",
    "SERVER... [options]",
    "[options] -- COMMAND...",
  ],
  description:
    "Starts the server several times, acts as a client of each revision, sends valid and invalid messages, and ends everything that " +
    "it started. It calls only tools that are marked as read-only (readOnlyHint), with arguments that are invalid or without effect.",
  args: {
    servers: {
      multiple: true,
      placeholder: "SERVER",
      description:
        "A URL (http, https), or the name of a server in the configuration of a client: NAME or CLIENT:NAME.",
      complete: async ({ prefix }: CompletionQuery) => (await import("../use/find-server.js")).completeServers(prefix),
    },
  },
  options: {
    call: {
      type: "string",
      placeholder: "TOOL",
      complete: async () => [],
      description: "Call this tool, too, although it is not marked as read-only; also cancels a call of it.",
    },
    only: {
      type: "string",
      multiple: true,
      placeholder: "GROUP",
      choices: ["start", "handshake", "wire", "lists", "schemas", "errors", "limits", "http"],
      description: "Run only this group of checks.",
    },
    timeout: { type: "duration", min: 1, max: 600_000, default: 10_000, description: "How long a response may take." },
    tokenEnv: TARGET_OPTIONS.tokenEnv,
    json: JSON_OPTION,
    html: { type: "string", placeholder: "FILE", complete: "file", description: "Write the report as a web page." },
  },
  trailing: { name: "COMMAND...", description: "A program to start as the server, over stdin and stdout." },
  sections: [
    {
      title: "Symbols",
      text: "✓ good     • note: worth knowing     ! warning: hurts some users     ✗ fault: breaks a client",
    },
  ],
  exitCodes: { 0: "There are no faults.", 1: "There are faults.", 3: "A server cannot be reached." },
  examples: [
    "toolwright doctor",
    "toolwright doctor --html report.html -- npx -y @modelcontextprotocol/server-everything",
    "toolwright doctor --only errors --call search -- node my-server.mjs",
    "toolwright doctor https://example.com/mcp --token-env EXAMPLE_TOKEN",
  ],
  run: async (input, ctx) => (await import("../doctor/run-doctor.js")).runDoctor(input, ctx),
});
