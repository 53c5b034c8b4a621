import { sendAllNow } from "../server/delayed-answers.js";
import type { TransportLink } from "../server/link.js";
import type { Server } from "../server/server.js";

/** A conversation inside one process: no bytes, no framing, for tests and for embedding. */
export interface MemoryConnection {
  /** Hands a message to the server, as JSON text. */
  send(message: string): void;
  /** Stops what runs. Afterwards nothing is served and nothing is heard. */
  close(): void;
}

/** Opens a conversation in which `hear` gets each message of the server, as JSON text; `ended` hears that it is over. */
export async function openMemory(
  server: Server,
  hear: (message: string) => void,
  principal?: string,
  ended?: () => void,
): Promise<MemoryConnection> {
  await server.start();
  let isOpen = true;
  let isLeaving = false;
  let timer: NodeJS.Timeout | undefined;
  const say = (message: string): void => {
    if (isOpen) hear(message);
  };
  const hangUp = (): void => {
    isOpen = false;
    clearTimeout(timer);
    ended?.();
  };
  const session = server.openSession(say, hangUp);
  const close = (): void => {
    isLeaving = true;
    session.close();
    hangUp();
  };
  const end = session.end.bind(session);
  session.end = () => {
    end();
    if (isLeaving) return;
    sendAllNow();
    // What runs may still be answered, for a while.
    if (session.isBusy) timer ??= setTimeout(close, server.limits.drainMs).unref();
    else {
      clearTimeout(timer);
      ended?.();
    }
  };
  const link: TransportLink = {
    session,
    transport: "memory",
    principal,
    send: say,
    answer: (message) => {
      if (message !== undefined) say(message);
      if (session.isClosed) session.end();
    },
  };
  return {
    send: (message) => {
      if (!session.isClosed) server.receive(message, link);
      else if (!session.isBusy) ended?.();
    },
    close,
  };
}
