import type { Json } from "@toolwright/engine";
import type { Client, Scope } from "../../clients/client.js";
import { openLeniently, removeServer } from "../../clients/config-file.js";
import type { ClientEnvironment } from "../../clients/environment.js";
import { type Format, valueAt } from "../../clients/formats/format.js";
import { backupsOf } from "./config-file.js";
import type { Change } from "./plan-install.js";
import { hasServer, inFile, type OpenPlace, openPlace, placesOf } from "./plan-install.js";

/** Works out what a client's files become without a server; one change a file that has it. Throws `Failure` where that cannot be. */
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
  const path = [...place.keys, name];
  // Where the file is still what installing has made of a backup, or of nothing, it becomes that again, to the last byte.
  const entry = valueAt(root, path) as Json;
  const isMadeOf = (text: string): boolean => {
    try {
      return valueAt(format.parse(text), path) === undefined && format.put(text, path, entry) === config.text;
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
