import type { Json } from "../jsonrpc/json.js";
import type { Server } from "../server/server.js";
import { openMemory } from "../transports/memory.js";
import type { Channel, Ear } from "./channel.js";
import { broken } from "./errors.js";

/** Opens a channel to a server in the same process. */
export async function openToServer(server: Server, principal: string | undefined, ear: Ear): Promise<Channel> {
  // As over any other channel, nothing is heard while something is still being said.
  const hear = (text: string): void => queueMicrotask(() => ear.hear(JSON.parse(text) as Json));
  const ended = (): void => queueMicrotask(() => ear.broke(broken("The server was closed")));
  const connection = await openMemory(server, hear, principal, ended);
  return {
    send: (message) => connection.send(JSON.stringify(message)),
    close: async () => connection.close(),
  };
}
