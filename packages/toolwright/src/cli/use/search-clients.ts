import { existsSync } from "node:fs";
import os from "node:os";
import { currentFolder } from "@toolwright/kit/files";
import { CLIENTS } from "../../clients/client-list.js";
import { findServers } from "../../clients/configured-servers.js";
import type { Surroundings } from "../../clients/environment.js";
import type { Searched } from "./pick-server.js";

/** Reads what all clients of this user, and of this folder, know of servers. */
export async function searchClients(env: NodeJS.ProcessEnv): Promise<Searched> {
  const at: Surroundings = { home: os.homedir(), folder: currentFolder(), platform: process.platform, env };
  const places = CLIENTS.flatMap((client) => client.places(at));
  const ofUser = new Set(places.filter(({ scope }) => scope === "user").map(({ file }) => file));
  const { servers, faults } = await findServers(at);
  const own = servers.map((server) =>
    // What a user's own file has for this folder alone, nobody else has put there.
    ofUser.has(server.file) ? { ...server, scope: "user" as const } : server,
  );
  const files = [...new Set(places.map(({ file }) => file))].filter((file) => existsSync(file));
  return { servers: withoutRepeats(own), files, faults };
}

/** In the home folder, the file of the user and that of the project are one. */
function withoutRepeats(servers: Searched["servers"]): Searched["servers"] {
  const seen = new Set<string>();
  return servers.filter(({ client, file, name, target }) => {
    const key = JSON.stringify([client, file, name, target]);
    return !seen.has(key) && seen.add(key);
  });
}

/** What of the environment says where files are; nothing else of it can come to be seen. */
export const placesIn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^XDG_\w+$|APPDATA$|_(?:HOME|DIR)$/i.test(name)));
