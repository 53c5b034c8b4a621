import type { JsonObject } from "@toolwright/engine";
import { type CommandContext, orList, print, suggestion, UsageError, writeJson } from "@toolwright/kit/cli";
import { type Column, drawTable, Report, say, sayJson } from "@toolwright/kit/terminal";
import type { KnownServer } from "../../clients/configured-servers.js";
import { clientOptionsFor, withClient } from "./client-session.js";
import { connectionTo, locationVariables, searchClients } from "./find-server.js";
import { LIST_NAMES, type ListName, readLists, showLists, showServer } from "./lists.js";
import { readServerChoice } from "./server-choice.js";
import type { ServerInput } from "./server-options.js";
import { showTarget } from "./show-target.js";

interface ListInput extends ServerInput {
  readonly server: string | undefined;
  readonly list: string | undefined;
  readonly json: boolean;
}

/** Lists what a server offers or, if none is named, the servers in the configuration of clients. */
export async function runList(input: ListInput, ctx: CommandContext): Promise<void> {
  const { server, list, sse, socket, trailing, json } = input;
  const words = [server, list].filter((word) => word !== undefined);
  if (words.length === 0 && sse === undefined && socket === undefined && trailing === undefined)
    return listKnownServers(json, ctx);
  const { way, rest } = readServerChoice(words, input, process.env);
  const name = readListName(rest);
  const report = new Report(process.stderr, input.quiet);
  const connection = await connectionTo(way, report);
  // Some servers have other tools for clients that support elicitation.
  await withClient(connection, report, clientOptionsFor(ctx, report, process.stdin.isTTY), async (client, signal) => {
    const lists = await readLists(client, name, report, signal);
    const { info, revision, capabilities, instructions } = client.server;
    if (json) {
      const about = { ...info, revision, capabilities, ...(instructions !== undefined && { instructions }) };
      return print(writeJson({ server: about, ...lists } as unknown as JsonObject));
    }
    const tables = showLists(lists, ctx.screen);
    if (name !== undefined) return say(tables);
    return say([showServer(client.server, ctx.screen), ...(tables ? [tables] : [])].join("\n\n"));
  });
}

function readListName([word, extra]: readonly string[]): ListName | undefined {
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}"`);
  const name = LIST_NAMES.find((each) => each === word);
  if (word === undefined || name !== undefined) return name;
  throw new UsageError(`LIST must be ${orList(LIST_NAMES)}, not "${word}"${suggestion(word, LIST_NAMES)}`);
}

/** Lists the servers in the configuration of clients, without their secrets, and the files that cannot be read. */
async function listKnownServers(asJson: boolean, { screen, notice }: CommandContext): Promise<void> {
  // References to environment variables stay as they are: their values may be secrets.
  const { servers, files, faults } = await searchClients(locationVariables(process.env));
  if (asJson) return sayJson({ servers: servers.map(toJson), faults });
  const { paint, width } = screen;
  const columns: readonly Column<KnownServer>[] = [
    { name: "name", text: ({ name }) => name, paint: (text) => paint.cyan(text) },
    { name: "client", text: ({ client }) => client },
    { name: "scope", text: ({ scope }) => scope },
    { name: "command or URL", text: ({ target }) => showTarget(target), gives: "words" },
  ];
  if (servers.length > 0) await say(drawTable(columns, servers, { width, head: paint.faint }));
  else if (files.length === 0)
    notice('No client has a configuration file. "toolwright install" adds a server to clients.');
  else notice(`No client has a server. Files read:\n${files.map((file) => `  ${file}`).join("\n")}`);
  for (const { file, reason } of faults) notice(`Cannot read ${file}: ${reason}`);
}

/** Of variables and headers only the names are shown. */
function toJson({ name, client, scope, file, target }: KnownServer): object {
  const about = { name, client, scope, file };
  if (!("url" in target)) return { ...about, starts: showTarget(target), env: Object.keys(target.env ?? {}) };
  const { transport, headers = {} } = target;
  return { ...about, url: showTarget(target), transport, headers: Object.keys(headers) };
}
