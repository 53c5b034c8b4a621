import os from "node:os";
import path from "node:path";
import { createServer, type Server, serveStdio } from "@toolwright/engine";
import { basics } from "../../packs/basics/index.js";
import { openWhenNeeded } from "../../storage/lazy-task-store.js";
import { stateFolder } from "../state-folder.js";

/** How `toolwright serve` serves. */
export interface ServeOptions {
  readonly version: string;
  /** Where tasks and long results are kept; undefined = where the platform has it. */
  readonly state: string | undefined;
}

/** Serves the built-in packs over stdio until the client is gone. */
export async function serve({ version, state }: ServeOptions): Promise<void> {
  const folder = path.resolve(
    state ?? stateFolder({ platform: process.platform, env: process.env, home: os.homedir() }),
  );
  const store = openWhenNeeded(async () => {
    const { openTaskStore } = await import("../../storage/task-store.js");
    return openTaskStore(path.join(folder, "tasks.db"), { log: (entry) => server.log(entry) });
  });
  const server: Server = createServer({
    name: "toolwright",
    title: "Toolwright",
    version,
    packs: [basics()],
    tasks: { store },
    results: { directory: path.join(folder, "results") },
  });
  // The transport comes first: it keeps stdout clean while the packs open, and says so when one cannot.
  const served = serveStdio(server);
  await server.start();
  if (process.stdin.isTTY) process.stderr.write(greeting(server));
  await served;
}

/** What a person sees who runs the command by hand: without it, the terminal would just sit there. */
function greeting(server: Server): string {
  const script = process.argv[1] ?? "toolwright";
  const entry = { mcpServers: { toolwright: { command: process.execPath, args: [script, "serve"] } } };
  const width = Math.max(...server.tools.map(({ name }) => name.length));
  return [
    `toolwright ${server.version}, an MCP server, is waiting for a client on stdin.`,
    "Nothing is wrong: a client starts this command by itself, once it has been told how (below).",
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
