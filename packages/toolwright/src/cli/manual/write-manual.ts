import { type Commands, GROUPS } from "../command.js";
import { EXIT_CODES, FIRST_STEPS } from "../write-help.js";

/** The manual page: every command under its group, with its own help. */
export async function writeManual(version: string, all: Commands): Promise<string> {
  const commands = await Promise.all(
    Object.entries(GROUPS).map(async ([group, heading]) => {
      const inside = Object.entries(all).filter(([, command]) => command.group === group);
      const helps = await Promise.all(inside.map(([name, command]) => sectionOf(name, command.help())));
      return [`.SH ${heading.toUpperCase()}`, ...helps].join("\n");
    }),
  );
  return `${[
    `.TH TOOLWRIGHT 1 "" "toolwright ${version}" "User Commands"`,
    ".SH NAME",
    "toolwright \\- an MCP server with tools for coding assistants, and tools for any MCP server",
    ".SH SYNOPSIS",
    ".B toolwright",
    ".I command",
    "[words ...]",
    ...commands,
    ".SH EXIT STATUS",
    asPrinted(EXIT_CODES),
    ".SH EXAMPLES",
    asPrinted(FIRST_STEPS),
  ].join("\n")}\n`;
}

async function sectionOf(name: string, help: Promise<string>): Promise<string> {
  return [`.SS toolwright ${name}`, asPrinted((await help).trimEnd())].join("\n");
}

/** Lines as they are, in letters of one width. */
const asPrinted = (text: string): string => [".nf", ".ft CR", escaped(text), ".ft", ".fi"].join("\n");

/** What begins a line with a dot or an apostrophe would be a request to the formatter; it reads ASCII alone. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&")
    .replaceAll(/[^\n -~]/gu, (letter) => `\\[u${codeOf(letter)}]`);

const codeOf = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
