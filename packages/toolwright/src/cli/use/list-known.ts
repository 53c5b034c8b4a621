import { type Column, drawTable, remark, say, sayJson } from "@toolwright/kit/terminal";
import type { KnownServer } from "../../clients/configured-servers.js";
import { lookOf } from "./look.js";
import { placesIn, searchClients } from "./search-clients.js";
import { showTarget } from "./shown-target.js";

/** Lists the servers that clients know, without their secrets, and the files that could not be read. */
export async function listKnown(asJson: boolean): Promise<void> {
  // References to the environment stay as they are: what they stand for may be a secret.
  const { servers, files, faults } = await searchClients(placesIn(process.env));
  if (asJson) return sayJson({ servers: servers.map(toJson), faults });
  const { paint, width } = lookOf(process.stdout, process.env);
  const columns: readonly Column<KnownServer>[] = [
    { name: "name", text: ({ name }) => name, paint: (text) => paint.cyan(text) },
    { name: "client", text: ({ client }) => client },
    { name: "scope", text: ({ scope }) => scope },
    { name: "starts or is at", text: ({ target }) => showTarget(target), gives: "words" },
  ];
  if (servers.length > 0) await say(drawTable(columns, servers, { width, head: paint.faint }));
  else
    remark(
      files.length === 0
        ? NO_FILES
        : `No client knows a server. Looked in:\n${files.map((file) => `  ${file}`).join("\n")}`,
    );
  for (const { file, reason } of faults) remark(`Cannot read ${file}: ${reason}`);
}

const NO_FILES = 'No client has a configuration file here. "toolwright install" tells clients of a server.';

/** Of variables and headers only the names are told. */
function toJson({ name, client, scope, file, target }: KnownServer): object {
  const about = { name, client, scope, file };
  if (!("url" in target)) return { ...about, starts: showTarget(target), env: Object.keys(target.env ?? {}) };
  const { transport, headers = {} } = target;
  return { ...about, url: showTarget(target), transport, headers: Object.keys(headers) };
}
