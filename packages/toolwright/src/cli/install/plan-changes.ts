import { existsSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "@toolwright/engine";
import { Failure } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import type { Client, ConfigLocation, Scope, Target } from "../../clients/client.js";
import { openFormat, openLeniently, putServer, removeServer } from "../../clients/config-file.js";
import type { ClientEnvironment } from "../../clients/environment.js";
import { CannotEdit, type Format, SyntaxFault, valueAt } from "../../clients/formats/format.js";
import { backupsOf, type ConfigFile, readConfig } from "./config-file.js";

/** The change of one configuration file of a client. */
export interface Change {
  readonly client: Client;
  readonly place: ConfigLocation;
  readonly config: ConfigFile;
  readonly action: "add" | "update" | "remove" | "nothing";
  /** The text to write; undefined removes the file, which was created for the server. */
  readonly after: string | undefined;
  /** The backup that is restored. */
  readonly restores?: string;
}

/** A client whose configuration cannot be changed, and why. */
export interface Refusal {
  readonly client: Client;
  readonly file?: string;
  readonly reason: string;
}

/** Plans the change of a client's file that adds a server. Throws `Failure` if that is impossible. */
export async function planInstall(
  client: Client,
  { scope, name, target }: { readonly scope: Scope; readonly name: string; readonly target: Target },
  at: ClientEnvironment,
): Promise<Change> {
  const entry = client.write(name, target);
  if (entry === undefined)
    throw new Failure(`${client.title} cannot be configured with an address in its file; ${ELSEWHERE}`, 1);
  const format = await openFormat(client.format);
  const { place, config, root } = choosePlace(placesOf(client, scope, at), name, format);
  const isThere = valueAt(root, [...place.keys, name]) !== undefined;
  const after = inFile(config, () => putServer(format, config.text, { keys: place.keys, name }, entry));
  const action = after === config.text ? "nothing" : isThere ? "update" : "add";
  return { client, place, config, action, after };
}

const ELSEWHERE = "add it in its settings, under connectors";

/** The places of a scope that may be written. Throws `Failure` where the client has none. */
function placesOf(client: Client, scope: Scope, at: ClientEnvironment): readonly ConfigLocation[] {
  const places = client.configLocations(at).filter((place) => place.scope === scope && place.use !== "read");
  if (places.length > 0) return places;
  throw new Failure(`${client.title} has no servers for a single ${scope}; leave out --scope ${scope}`, 1);
}

/** A place that has been looked into. */
interface OpenPlace {
  readonly place: ConfigLocation;
  readonly config: ConfigFile;
  readonly root: unknown;
}

/** Reads the servers of a file. Throws `Failure` with line and column if it is invalid. */
export function openPlace(place: ConfigLocation, format: Format): OpenPlace {
  const config = readConfig(place.file);
  return { place, config, root: inFile(config, () => format.parse(config.text)) };
}

/** The place that has the server, otherwise one with servers, otherwise an existing file, otherwise an existing folder. */
function choosePlace(places: readonly ConfigLocation[], name: string, format: Format): OpenPlace {
  const open = places.map((place) => openPlace(place, format));
  const usual = open.filter(({ place }) => place.use !== "found");
  const chosen =
    open.find((each) => hasServer(each, name, places)) ??
    open.find(({ place, root }) => holdsServers(valueAt(root, place.keys), place)) ??
    usual.find(({ config }) => config.bytes !== undefined) ??
    usual.find(({ config }) => existsSync(path.dirname(config.file))) ??
    usual[0];
  if (chosen === undefined) throw new Failure("There is no file to write to", 1);
  return chosen;
}

/** Whether a place has a server of this name, which is not the list of servers of another place. */
export function hasServer({ place, root }: OpenPlace, name: string, places: readonly ConfigLocation[]): boolean {
  if (!holdsServers(valueAt(root, place.keys), place)) return false;
  const keys = [...place.keys, name];
  const value = valueAt(root, keys);
  const holder = places.find((other) => other.file === place.file && isDeepStrictEqual(other.keys, keys));
  return value !== undefined && !(holder !== undefined && holdsServers(value, holder));
}

/** A key of servers may be the name of a server: then it has what servers have. */
function holdsServers(value: unknown, { use }: ConfigLocation): boolean {
  if (!isObject(value)) return false;
  const { command, url, enabled } = value;
  const isServer = Array.isArray(command) || [command, url, enabled].some((each) => isScalar(each));
  return use !== "found" || !isServer;
}

const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Says of faults in which file they are. */
function inFile<Value>({ file }: ConfigFile, operation: () => Value): Value {
  try {
    return operation();
  } catch (error) {
    if (error instanceof SyntaxFault)
      throw new Failure(`Cannot read ${file}, ${error.message}. Nothing was changed: fix that first`, 1, error);
    if (error instanceof CannotEdit)
      throw new Failure(`Cannot edit ${file}: ${error.message}. Nothing was changed: edit it by hand`, 1, error);
    throw error;
  }
}

/** Plans the changes of a client's files that remove a server, one for each file that has it. Throws `Failure` if that is impossible. */
export async function planUninstall(
  client: Client,
  { scope, name }: { readonly scope: Scope; readonly name: string },
  at: ClientEnvironment,
): Promise<readonly Change[]> {
  const format = await openLeniently(client.format);
  const places = placesOf(client, scope, at);
  const having = places.map((place) => openPlace(place, format)).filter((each) => hasServer(each, name, places));
  return having.map((each) => planOne(client, name, format, each));
}

function planOne(client: Client, name: string, format: Format, { place, config, root }: OpenPlace): Change {
  const change = { client, place, config, action: "remove" } as const;
  const keys = [...place.keys, name];
  // Where the file is still what installing has made of a backup, or of nothing, it becomes that again, to the last byte.
  const entry = valueAt(root, keys) as Json;
  const isMadeOf = (text: string): boolean => {
    try {
      return valueAt(format.parse(text), keys) === undefined && format.put(text, keys, entry) === config.text;
    } catch {
      return false;
    }
  };
  const backup = backupsOf(config.place).find(({ bytes }) =>
    isMadeOf(bytes.toString("utf8").replace(/^\u{feff}/u, "")),
  );
  if (backup !== undefined) {
    const after = backup.bytes.toString("utf8").replace(/^\u{feff}/u, "");
    return { ...change, after, restores: backup.file };
  }
  if (isMadeOf("")) return { ...change, after: undefined };
  return { ...change, after: inFile(config, () => removeServer(format, config.text, { keys: place.keys, name })) };
}
