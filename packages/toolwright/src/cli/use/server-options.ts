import type { ArgumentSpec, Command, OptionSpec } from "@toolwright/kit/cli";

const GROUP = "Connection";

/** The options of commands that connect to a server. */
export const TARGET_OPTIONS = {
  sse: {
    type: "string",
    placeholder: "URL",
    group: GROUP,
    description: "Connect over HTTP+SSE, to a server of the oldest revision.",
  },
  socket: {
    type: "string",
    placeholder: "PATH",
    complete: "file",
    group: GROUP,
    description: "Connect over a Unix socket; on Windows a named pipe.",
  },
  tokenEnv: {
    type: "string",
    placeholder: "NAME",
    group: GROUP,
    description: "Send the token or API key in this environment variable.",
  },
  revision: {
    type: "string",
    placeholder: "DATE",
    group: GROUP,
    shownDefault: "the newest that both support",
    description: "Use only this revision of MCP.",
  },
  timeout: {
    type: "duration",
    min: 1,
    group: GROUP,
    shownDefault: "60s",
    description: "Give up if the server sends nothing for this long.",
  },
} as const satisfies Record<string, OptionSpec>;

/** The same for commands that find servers by their names, too. */
export const SERVER_OPTIONS = {
  ...TARGET_OPTIONS,
  project: {
    type: "boolean",
    group: GROUP,
    description: "The server is configured in a file of this project, which is trusted to start it.",
  },
} as const satisfies Record<string, OptionSpec>;

/** The values of `TARGET_OPTIONS`, and the program to start. */
export interface TargetInput {
  readonly sse: string | undefined;
  readonly socket: string | undefined;
  readonly tokenEnv: string | undefined;
  readonly revision: string | undefined;
  readonly timeout: number | undefined;
  readonly trailing?: readonly string[];
}

/** The argument that names a server. */
export const SERVER_ARGUMENT = {
  placeholder: "SERVER",
  description:
    "A URL (http, https, ws, wss), or the name of a server in the configuration of a client such as Cursor or Claude Code: NAME or " +
    'CLIENT:NAME. "toolwright list" shows them.',
  complete: async ({ prefix }) => (await import("./find-server.js")).completeServers(prefix),
} as const satisfies ArgumentSpec;

/** What follows `--`. */
export const SERVER_COMMAND = {
  name: "COMMAND...",
  description: "A program to start as the server, over stdin and stdout; then there is no SERVER.",
} as const satisfies NonNullable<Command["trailing"]>;

/** The exit codes of commands that connect to a server. */
export const CONNECTION_EXIT_CODES = { 3: "The server cannot be reached, ends unexpectedly, or takes too long." };

/** The values of `SERVER_OPTIONS` and of the standard option `quiet`. */
export interface ServerInput extends TargetInput {
  readonly project: boolean;
  readonly quiet: boolean;
}
