import { COMMAND_GROUPS, type Command, defineCommand, print, renderHelp } from "@toolwright/kit/cli";
import { ENVIRONMENT, EXIT_STATUS, FIRST_STEPS } from "../program-help.js";

/** `toolwright man`. */
export const man = defineCommand({
  name: "man",
  summary: "Print the manual page",
  group: "itself",
  description:
    'The manual page has the help of every command. If the package is installed globally, "man toolwright" shows it.',
  examples: ["toolwright man | man -l -", "toolwright man > ~/.local/share/man/man1/toolwright.1"],
  run: async (_, ctx) => print(renderManual(ctx.version, await ctx.loadCommands())),
});

/** Renders the manual page: every command and subcommand under its heading, with its help. */
function renderManual(version: string, all: readonly Command[]): string {
  const sections = Object.entries(COMMAND_GROUPS).map(([group, heading]) =>
    [
      `.SH ${heading.toUpperCase()}`,
      ...all.filter((command) => command.group === group).flatMap((command) => sectionsOf(command, [])),
    ].join("\n"),
  );
  return `${[
    `.TH TOOLWRIGHT 1 "" "toolwright ${version}" "User Commands"`,
    ".SH NAME",
    "toolwright \\- an MCP server with tools for coding assistants, and tools for any MCP server",
    ".SH SYNOPSIS",
    ".B toolwright",
    ".I command",
    "[arguments ...] [options ...]",
    ...sections,
    ".SH EXIT STATUS",
    preformatted(EXIT_STATUS),
    ".SH ENVIRONMENT",
    preformatted(ENVIRONMENT),
    ".SH EXAMPLES",
    preformatted(FIRST_STEPS),
  ].join("\n")}\n`;
}

function sectionsOf(command: Command, parents: readonly string[]): string[] {
  if (command.hidden) return [];
  const path = [...parents, command.name];
  return [
    `.SS toolwright ${path.join(" ")}\n${preformatted(renderHelp(command, path).trimEnd())}`,
    ...command.subcommands.flatMap((each) => sectionsOf(each, path)),
  ];
}

const preformatted = (text: string): string => [".nf", ".ft CR", escaped(text), ".ft", ".fi"].join("\n");

/** A line that begins with a dot or an apostrophe would be a request to the formatter, which reads ASCII only. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&")
    .replaceAll(/[^\n -~]/gu, (letter) => `\\[u${codeOf(letter)}]`);

const codeOf = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
