import { defineCommand } from "@toolwright/kit/cli";
import { SETTING_OPTIONS } from "../setting-options.js";

/** `toolwright serve`. The program starts it without this declaration, since clients wait for it. */
export const serve = defineCommand({
  name: "serve",
  summary: "Serve tools to MCP clients",
  group: "serving",
  description:
    "Serves over stdin and stdout, for a client that starts it. With --http, --ws or --socket it serves over those instead, until " +
    "it is stopped with SIGINT (Ctrl-C) or SIGTERM.",
  options: SETTING_OPTIONS,
  sections: [
    {
      title: "Environment",
      text: `TOOLWRIGHT_API_KEY     an API key, which is valid like those in --api-key-file
TOOLWRIGHT_CONFIG      the configuration file
TOOLWRIGHT_…           any setting, such as TOOLWRIGHT_LIMITS_CALL_TIMEOUT_MS

Options take precedence over environment variables, and these over the configuration file.`,
    },
  ],
  examples: [
    "toolwright serve                                        # for a client that starts it",
    "toolwright serve --root ~/work/app                      # the same, for one folder",
    "toolwright serve --http                                 # http://127.0.0.1:3000/mcp",
    "toolwright serve --http 8080 --ws --socket ./mcp.sock   # three transports",
    "toolwright key ada >> keys.txt",
    "toolwright serve --http 0.0.0.0:8080 --api-key-file keys.txt --allow-host tools.example",
    "toolwright serve --http --public-url https://tools.example/mcp --trust-proxy 127.0.0.1 \\",
    "  --issuer https://login.example",
  ],
  async run(_, ctx) {
    const { runServe } = await import("../run-serve.js");
    await runServe(process.argv.slice(3), ctx.version);
  },
});
