import os from "node:os";
import type { Server } from "@toolwright/engine";
import { currentFolder, isWithin } from "@toolwright/kit/files";
import type { LivePack } from "./live-pack.js";

/** What a person sees who runs the command by hand: without it, the terminal would just sit there. */
export function greeting(server: Server, packs: readonly LivePack[]): string {
  const script = process.argv[1] ?? "toolwright";
  // What would be no folder for the server is none to suggest.
  const folder = isWithin(currentFolder(), os.homedir()) ? "/path/to/project" : currentFolder();
  const entry = {
    mcpServers: { toolwright: { command: process.execPath, args: [script, "serve", "--root", folder] } },
  };
  return [
    `toolwright ${server.version}, an MCP server, is waiting for a client on stdin.`,
    "Nothing is wrong: a client starts this command by itself, once it has been told how (below).",
    'Clients that connect over the network need another way: "toolwright serve --help".',
    "",
    `Tools (${server.tools.length})`,
    ...toolRows(server, packs),
    'What each of them does:  "toolwright tools"; there are more:  "toolwright tools --all-tools".',
    "",
    "To connect a client, put this into its configuration (Claude Desktop, Cursor and others):",
    ...JSON.stringify(entry, null, 2)
      .split("\n")
      .map((line) => `  ${line}`),
    "The folder is the one that its tools may use; without --root it is the one in which the client starts it.",
    "",
    `With Claude Code:  claude mcp add toolwright -- ${quote(process.execPath)} ${quote(script)} serve`,
    "",
    "To try it here, type a message in one line and press Enter; Ctrl-D or Ctrl-C ends it:",
    '  {"jsonrpc":"2.0","id":1,"method":"ping"}',
    'The answer is {"jsonrpc":"2.0","id":1,"result":{}}',
    "",
    "",
  ].join("\n");
}

/** The names of the tools by the pack that brings them; those of the server itself last. */
function toolRows(server: Server, packs: readonly LivePack[]): string[] {
  const offered = server.tools.map(({ name }) => name);
  const groups: [label: string, names: readonly string[]][] = packs.map(({ name, toolNames }) => [
    name,
    toolNames.filter((tool) => offered.includes(tool)),
  ]);
  const inPacks = new Set(groups.flatMap(([, names]) => names));
  const own = offered.filter((name) => !inPacks.has(name));
  const rows = [...groups, ["always", own] as const].filter(([, names]) => names.length > 0);
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.flatMap(([label, names]) =>
    inLines(names).map((line, at) => `  ${(at === 0 ? label : "").padEnd(width)}  ${line}`),
  );
}

/** How much of a line the names may take, beside the name of their pack. */
const WIDEST = 76;

function inLines(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const [at, name] of names.entries()) {
    const word = at === names.length - 1 ? name : `${name},`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > WIDEST) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A word of a command line, in quotes where it needs them. */
function quote(word: string): string {
  return /^[\w./:\\-]+$/.test(word) ? word : `"${word}"`;
}
