import { existsSync } from "node:fs";
import { Failure } from "@toolwright/kit/cli";
import { type Column, drawTable, say, sayJson } from "@toolwright/kit/terminal";
import { type Client, type ConfigLocation, isFound } from "../../clients/client.js";
import { CLIENTS } from "../../clients/client-list.js";
import { openFormat } from "../../clients/config-file.js";
import { readEntry } from "../../clients/entries.js";
import type { ClientEnvironment } from "../../clients/environment.js";
import { valueAt } from "../../clients/formats/format.js";
import { complain, paintOut } from "./ask.js";
import type { InstallOptions } from "./options.js";
import type { Running } from "./own-server.js";
import { hasServer, openPlace } from "./plan-changes.js";
import { shortPath } from "./show-change.js";

/** A client, and whether it has the server. */
interface Row {
  readonly client: string;
  readonly title: string;
  readonly isFound: boolean;
  readonly state: "up to date" | "other" | "not installed" | "unreadable" | "-";
  readonly scope: string;
  readonly file: string;
  readonly reason?: string;
}

/** `toolwright install --list`: says which clients are here, and which of them know the server. */
export async function listClients(options: InstallOptions, running: Running, at: ClientEnvironment): Promise<void> {
  const rows = (await Promise.all(CLIENTS.map((client) => rowsOf(client, options, running, at)))).flat();
  if (options.json) return sayJson(rows);
  const paint = paintOut();
  const columns: readonly Column<Row>[] = [
    { name: "client", text: ({ client }) => client },
    {
      name: "found",
      text: (row) => (row.isFound ? "yes" : "no"),
      paint: (text, row) => (row.isFound ? text : paint.faint(text)),
    },
    { name: "scope", text: ({ scope }) => scope },
    {
      name: options.name,
      text: ({ state }) => (state === "other" ? "another program or address" : state),
      paint: (text, { state }) =>
        (state === "up to date"
          ? paint.green
          : state === "-" || state === "not installed"
            ? paint.faint
            : paint.yellow)(text),
    },
    { name: "file", text: ({ file }) => shortPath(file, at.home), gives: "path" },
  ];
  const width = (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;
  await say(drawTable(columns, rows, { width, head: paint.bold }));
  for (const { reason } of rows) if (reason !== undefined) complain(reason);
}

/** A row for each place that has the server, else one for the usual place. */
async function rowsOf(
  client: Client,
  { name, scope }: InstallOptions,
  running: Running,
  at: ClientEnvironment,
): Promise<readonly Row[]> {
  const format = await openFormat(client.format);
  const here = { client: client.id, title: client.title, isFound: await isFound(client, at) };
  const places = client.configLocations(at).filter(({ use }) => use !== "read");
  const rows = places.flatMap((place): Row[] => {
    const about = { ...here, scope: place.scope, file: place.file };
    try {
      const open = openPlace(place, format);
      const entry = valueAt(open.root, [...place.keys, name]);
      return hasServer(open, name, places) ? [{ ...about, state: stateOf(entry, running) }] : [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return [{ ...about, state: "unreadable", reason: error.message }];
    }
  });
  if (rows.length > 0) return rows.filter((row, index) => rows.findIndex(({ file }) => file === row.file) === index);
  const usual = usualPlace(places.filter((place) => place.scope === scope)) ?? places[0];
  return [
    { ...here, state: here.isFound ? "not installed" : "-", scope: usual?.scope ?? scope, file: usual?.file ?? "" },
  ];
}

/** Where "toolwright install" would write: into an existing file, otherwise into the first. */
function usualPlace(places: readonly ConfigLocation[]): ConfigLocation | undefined {
  const [first] = places;
  return places.find(({ file, use }) => use !== "found" && existsSync(file)) ?? first;
}

/** Whether an entry starts this very program; with which options is the user's affair. */
function stateOf(entry: unknown, { node, script }: Running): "up to date" | "other" {
  const target = readEntry(entry);
  const isOwn = target !== undefined && "command" in target && target.command === node && target.args[0] === script;
  return isOwn ? "up to date" : "other";
}
