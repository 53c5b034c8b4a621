import { COMMAND_GROUPS, type Command, commandRows, type HelpLayout, renderRows } from "@toolwright/kit/cli";
import { WIDEST } from "@toolwright/kit/terminal";

/** The exit codes of all commands. */
export const EXIT_STATUS = `0         done
1         failed; the last line on stderr says why
2         the command line or the configuration is invalid
3         a server cannot be reached, ends unexpectedly, or takes too long
130, 143  stopped by Ctrl-C (SIGINT) or SIGTERM`;

/** The environment variables of all commands. */
export const ENVIRONMENT = `NO_COLOR, FORCE_COLOR    turn colours off, or on everywhere; by default a terminal has colours
TOOLWRIGHT_…             any setting of the server; "toolwright config show" lists them`;

/** What to try first. */
export const FIRST_STEPS = `toolwright serve                                for a client that starts it
toolwright serve --root ~/work/app              the same, for one folder
toolwright serve --http                         http://127.0.0.1:3000/mcp
toolwright call http://127.0.0.1:3000/mcp echo text=hello
toolwright task add "Write the release notes"`;

/** Renders the help of the program: its commands by group. */
export function renderProgramHelp(commands: readonly Command[], { paint, width }: HelpLayout): string {
  const room = Math.min(width, WIDEST);
  // All groups are aligned with each other.
  const widest = Math.max(...commandRows(commands).map(([name]) => name.length));
  const groups = Object.entries(COMMAND_GROUPS).flatMap(([group, heading]) => {
    const rows = commandRows(commands.filter((command) => (command.group ?? "working") === group));
    if (rows.length === 0) return [];
    const padded = rows.map(([name, summary]) => [name.padEnd(widest), summary] as const);
    return [`${paint.bold(heading)}\n${renderRows(padded, room)}`];
  });
  const lines = (title: string, text: string): string => `${paint.bold(title)}\n${text.replaceAll(/^/gm, "  ")}`;
  return `${[
    "toolwright: an MCP server with tools for coding assistants, and tools for any MCP server",
    lines("Usage", "toolwright COMMAND [arguments] [options]\ntoolwright COMMAND --help"),
    ...groups,
    `${paint.bold("Options")}\n${renderRows(
      [
        ["-v, --version", "Print the version."],
        ["-h, --help", "Print this help."],
      ],
      room,
    )}`,
    lines("Exit codes", EXIT_STATUS),
    lines("Environment", ENVIRONMENT),
    lines("Examples", FIRST_STEPS),
  ].join("\n\n")}\n`;
}
