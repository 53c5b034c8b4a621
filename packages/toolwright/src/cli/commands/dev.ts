import { defineCommand } from "@toolwright/kit/cli";

/** `toolwright dev`. */
export const dev = defineCommand({
  name: "dev",
  summary: "Run a server that you are writing, and replace its code each time you save",
  group: "writing",
  usage: ["FILE [options] [-- ARGUMENT...]", "[options] -- COMMAND..."],
  description:
    "The client stays connected. New code is started beside the old one: running calls finish in the old code, later calls go to the " +
    "new code, and clients are notified of changed tools, prompts and resources. If the new code does not start, the old code stays, " +
    "and stderr says what is wrong and where.\n\nNode strips the types of TypeScript; older versions of Node get a loader that does. " +
    "Imports may end in .js. What the server prints to stdout by mistake goes to stderr.",
  args: { file: { complete: "file", description: "A server over stdin and stdout: .ts, .mts, .js or .mjs." } },
  options: {
    http: {
      type: "string",
      implied: "127.0.0.1:3000",
      placeholder: "HOST:PORT",
      description: "Serve clients over HTTP, by default at 127.0.0.1:3000. Each session has a process of its own.",
    },
    watch: {
      type: "string",
      multiple: true,
      placeholder: "DIR",
      complete: "folder",
      description:
        "Another folder to watch. The project of FILE is watched, without node_modules, dist and hidden folders.",
    },
    drain: { type: "duration", default: 30_000, description: "How long calls may continue in old code." },
  },
  trailing: {
    name: "COMMAND...",
    description: "Any program that is a server, such as python server.py; after FILE, its arguments.",
  },
  examples: [
    "toolwright dev src/server.ts",
    "toolwright dev src/server.ts --http 8080",
    "toolwright dev server.mjs -- --verbose",
    "toolwright dev --watch src -- python server.py",
    "claude mcp add demo -- toolwright dev src/server.ts",
  ],
  run: async (input, ctx) => (await import("../dev/run-dev.js")).runDev(input, ctx),
});
