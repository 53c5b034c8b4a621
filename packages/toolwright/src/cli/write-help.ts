import { type Command, type Commands, GROUPS } from "./command.js";

const COLUMN = 27;

/** What `toolwright --help` prints: the commands in groups, then how to begin. */
export function writeHelp(all: Commands): string {
  const groups = Object.entries(GROUPS).map(([group, heading]) => {
    const lines = Object.entries(all).filter(([, command]) => command.group === group);
    return [heading, ...lines.map(([name, command]) => lineOf(name, command))].join("\n");
  });
  return `${[START, ...groups].join("\n\n")}\n${END}`;
}

function lineOf(name: string, { takes, about }: Command): string {
  const usage = takes === undefined ? name : `${name} ${takes}`;
  return `  toolwright ${usage}`.padEnd(COLUMN).concat(about);
}

/** What each exit code of any command means. */
export const EXIT_CODES = `  0         done
  1         it failed; the last line on stderr says why
  2         the command line or the configuration is wrong
  3         a server cannot be reached, dies, or takes too long
  130, 143  stopped by Ctrl-C (SIGINT) or SIGTERM`;

/** What to type first. */
export const FIRST_STEPS = `  toolwright serve                                for a client that starts it
  toolwright serve --root ~/work/app              the same, for one folder
  toolwright serve --http                         http://127.0.0.1:3000/mcp
  toolwright call http://127.0.0.1:3000/mcp echo text=hello
  toolwright task add "Write the release notes"`;

const START = `toolwright: an MCP server with tools for coding assistants, and tools for any MCP server

Usage
  toolwright COMMAND [WORDS …]
  toolwright help COMMAND, or toolwright COMMAND --help`;

const END = `  toolwright --version     print the version
  toolwright --help        print this help

Exit codes
${EXIT_CODES}

Environment
  NO_COLOR, FORCE_COLOR    no colours, or colours everywhere; else only a terminal gets them
  TOOLWRIGHT_…             any setting of the server; "toolwright config show" lists them

Examples
${FIRST_STEPS}
`;
