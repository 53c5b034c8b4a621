import type { Server } from "@toolwright/engine";

/** What a person sees who runs the command by hand: without it, the terminal would just sit there. */
export function greeting(server: Server): string {
  const script = process.argv[1] ?? "toolwright";
  const entry = { mcpServers: { toolwright: { command: process.execPath, args: [script, "serve"] } } };
  const width = Math.max(...server.tools.map(({ name }) => name.length));
  return [
    `toolwright ${server.version}, an MCP server, is waiting for a client on stdin.`,
    "Nothing is wrong: a client starts this command by itself, once it has been told how (below).",
    'Clients that connect over the network need another way: "toolwright serve --help".',
    "",
    `Tools (${server.tools.length})`,
    ...server.tools.map(({ name, description }) => `  ${name.padEnd(width)}  ${firstSentence(description)}`),
    "",
    "To connect a client, put this into its configuration (Claude Desktop, Cursor and others):",
    ...JSON.stringify(entry, null, 2)
      .split("\n")
      .map((line) => `  ${line}`),
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

/** Descriptions are for models; a person looks for one line. */
function firstSentence(description: string): string {
  return description.split(/(?<=\.)\s/)[0] ?? "";
}

/** A word of a command line, in quotes where it needs them. */
function quote(word: string): string {
  return /^[\w./:\\-]+$/.test(word) ? word : `"${word}"`;
}
