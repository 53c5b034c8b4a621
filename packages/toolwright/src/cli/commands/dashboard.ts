import { defineCommand } from "@toolwright/kit/cli";
import { pickSettingOptions } from "../setting-options.js";

/** `toolwright dashboard`. */
export const dashboard = defineCommand({
  name: "dashboard",
  summary: "Show tasks and knowledge as live web pages",
  group: "serving",
  description:
    'Serves until it is stopped with SIGINT (Ctrl-C) or SIGTERM, and opens no browser. "toolwright serve --http" serves the same pages ' +
    "at /, beside MCP, and shows its calls, too.",
  options: {
    port: {
      type: "integer",
      min: 0,
      max: 65_535,
      placeholder: "PORT",
      shownDefault: "8080, or the next free port",
      description: "The port; 0 is any free port.",
    },
    host: { type: "string", default: "127.0.0.1", description: "The address to listen at." },
    writeToken: {
      type: "boolean",
      description:
        "Let whoever has a token complete tasks and set their priority. The token is created now, and printed once.",
    },
    ...pickSettingOptions(["allowHost", "apiKeyFile", "state", "config", "noConfig", "set"]),
  },
  sections: [{ title: "Environment", text: "TOOLWRIGHT_WRITE_TOKEN   your own write token, which is not printed" }],
  examples: ["toolwright dashboard", "toolwright dashboard --port 9000 --write-token"],
  run: async (input, ctx) => (await import("../dashboard/run-dashboard.js")).runDashboard(input, ctx),
});
