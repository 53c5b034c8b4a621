import { readFile } from "node:fs/promises";
import { isObject } from "@toolwright/kit/json";
import type { Client, ConfigLocation, Target } from "./client.js";
import { CLIENTS } from "./client-list.js";
import { openFormat, openLeniently } from "./config-file.js";
import { expandTarget, readEntry } from "./entries.js";
import type { ClientEnvironment } from "./environment.js";
import { valueAt } from "./formats/format.js";

/** A server in the configuration of a client. */
export interface KnownServer {
  readonly name: string;
  /** The id of the client, such as `cursor`. */
  readonly client: string;
  readonly file: string;
  readonly scope: "user" | "project";
  readonly target: Target;
}

/** The servers of all clients, and the files that cannot be read. */
export interface Findings {
  readonly servers: readonly KnownServer[];
  readonly faults: readonly { readonly file: string; readonly reason: string }[];
}

/** Finds the configured servers of all clients. A file that cannot be read is reported in `faults`. */
export async function findServers(at: ClientEnvironment): Promise<Findings> {
  const servers: KnownServer[] = [];
  const faults = new Map<string, string>();
  const roots = new Map<string, Promise<ReadRoot>>();
  for (const client of CLIENTS)
    for (const place of client.configLocations(at)) {
      const root = roots.get(place.file) ?? readRoot(client, place.file);
      roots.set(place.file, root);
      try {
        const { value, fault } = await root;
        if (fault !== undefined) faults.set(place.file, fault);
        servers.push(...serversIn(value, client, place, at));
      } catch (error) {
        faults.set(place.file, (error as Error).message);
      }
    }
  return { servers, faults: [...faults].map(([file, reason]) => ({ file, reason })) };
}

/** Larger files are not read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The content of a file, and why its client cannot read it although we can. */
interface ReadRoot {
  readonly value: unknown;
  readonly fault?: string;
}

async function readRoot({ format }: Client, file: string): Promise<ReadRoot> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return { value: undefined };
    throw error;
  }
  if (bytes.length > MAX_BYTES) throw new Error(`it has ${bytes.length} bytes; the limit is ${MAX_BYTES}`);
  const text = bytes.toString("utf8").replace(/^\u{feff}/u, "");
  const value = (await openLeniently(format)).parse(text);
  try {
    (await openFormat(format)).parse(text);
    return { value };
  } catch (error) {
    return { value, fault: (error as Error).message };
  }
}

function serversIn(
  root: unknown,
  client: Client,
  { file, keys, scope }: ConfigLocation,
  at: ClientEnvironment,
): KnownServer[] {
  const entries = valueAt(root, keys);
  if (!isObject(entries)) return [];
  return Object.entries(entries).flatMap(([name, entry]) => {
    const target = readEntry(entry, at.env);
    return target === undefined ? [] : [{ name, client: client.id, file, scope, target: expandTarget(target, at) }];
  });
}
