import { defineCommand, JSON_OPTION, YES_OPTION } from "@toolwright/kit/cli";

const CLIENTS = {
  multiple: true,
  placeholder: "CLIENT",
  description:
    "claude-code, claude-desktop, codex, gemini, cline, opencode, goose, cursor, vscode, windsurf or zed; by default each client that " +
    "is found, after a question.",
  complete: async () => (await import("../../clients/client-list.js")).CLIENTS.map(({ id }) => id),
} as const;

const OPTIONS = {
  scope: {
    type: "string",
    choices: ["user", "project"],
    default: "user",
    description: "For all projects, or only for the current folder, in its own file.",
  },
  name: { type: "string", default: "toolwright", description: "The name of the server in the client." },
  all: { type: "boolean", description: "Every client that is found." },
  yes: YES_OPTION,
  dryRun: { type: "boolean", description: "Show the change, and write nothing." },
  json: JSON_OPTION,
} as const;

const EXIT_CODES = {
  0: "Done, or nothing to do.",
  1: "A file cannot be read or written, or you declined.",
  2: "The command line is invalid, or there is no terminal to ask at and no --yes.",
};

/** `toolwright install`. */
export const install = defineCommand({
  name: "install",
  summary: "Add this server, or another one, to assistants and editors",
  group: "connecting",
  usage: [
    "[CLIENT...] [options] [-- OPTION...]          # this server, with options of serve",
    "[CLIENT...] --name NAME -- COMMAND...         # another server, which the client starts",
    "[CLIENT...] --name NAME --url URL             # another server, which runs already",
    "json                                          # print the entry, for other clients",
  ],
  description:
    "The change to the configuration file of each client is shown first. Comments, order and other servers stay as they are, and a " +
    "backup is kept next to the file. An entry that is up to date is not written again; additional settings in it are kept. Values of " +
    "env and headers are never shown. Paths in options of serve are relative to the current folder.",
  args: { clients: CLIENTS },
  options: {
    ...OPTIONS,
    env: {
      type: "string",
      multiple: true,
      placeholder: "NAME[=VALUE]",
      description: "An environment variable for the server; without a value, the one that is set here.",
    },
    profile: {
      type: "string",
      placeholder: "NAME",
      description: "The profile of this server: --profile of serve.",
    },
    url: { type: "string", placeholder: "URL", description: "A server that runs already and speaks HTTP." },
    toolsets: {
      type: "string",
      multiple: true,
      placeholder: "LIST",
      description:
        "The toolsets that this server lists, separated by commas, or all. Without it you are asked on a terminal; scripts get the default.",
      complete: async () => [
        ...(await (await import("../tool-lists/known-tools.js")).loadKnownTools()).setNames,
        "all",
      ],
    },
    list: {
      type: "boolean",
      description: "List the clients, whether they are found, and whether they have the server.",
    },
  },
  trailing: { name: "COMMAND...", description: "Options of serve, or another server with its arguments." },
  exitCodes: EXIT_CODES,
  examples: [
    "toolwright install",
    "toolwright install claude-code cursor",
    "toolwright install cursor --toolsets default,builds --yes",
    "toolwright install claude-desktop -- --root ~/work/app",
    "toolwright install vscode --scope project",
    "toolwright install codex --dry-run",
    "toolwright install cursor --name docs --url http://127.0.0.1:3000/mcp",
    "toolwright install zed --name files -- npx -y @modelcontextprotocol/server-filesystem ~/work",
  ],
  run: async (input) => (await import("../install/install.js")).runInstall(input),
});

/** `toolwright uninstall`. */
export const uninstall = defineCommand({
  name: "uninstall",
  summary: "Remove a server from assistants and editors",
  group: "connecting",
  description:
    'If nobody has edited a file since "toolwright install", its old content is restored to the last byte, and the backup is removed. ' +
    "Otherwise only the entry is removed, and a backup is kept.",
  args: { clients: CLIENTS },
  options: OPTIONS,
  exitCodes: EXIT_CODES,
  examples: [
    "toolwright uninstall",
    "toolwright uninstall cursor --yes",
    "toolwright uninstall --all --scope project --dry-run",
  ],
  run: async (input) => (await import("../install/install.js")).runUninstall(input),
});
