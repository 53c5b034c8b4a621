import type { Link } from "../server/link.js";
import type { Server } from "../server/server.js";

/** A conversation inside one process: no bytes, no framing, for tests and for embedding. */
export interface MemoryConnection {
  /** Hands a message to the server, as JSON text. */
  send(message: string): void;
  close(): void;
}

/** Opens a conversation in which `hear` gets each message of the server, as JSON text. */
export async function openMemory(
  server: Server,
  hear: (message: string) => void,
  principal?: string,
): Promise<MemoryConnection> {
  await server.start();
  const session = server.openSession(hear);
  const link: Link = {
    session,
    principal,
    send: hear,
    answer: (message) => {
      if (message !== undefined) hear(message);
    },
  };
  return { send: (message) => server.receive(message, link), close: () => session.close() };
}
