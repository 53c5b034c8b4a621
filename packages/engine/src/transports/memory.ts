import type { TransportConnection } from "../server/connection.js";
import type { Server } from "../server/server.js";

/** A client connection inside one process, without bytes or framing, for tests and embedding. */
export interface MemoryConnection {
  /** Sends a message to the server, as JSON text. */
  send(message: string): void;
  /** Stops running requests and disconnects. */
  close(): void;
}

/**
 * Connects to a server inside this process. `onMessage` gets each message of the server as JSON text; `onClose` is called when the
 * connection is over.
 *
 * @example
 * const connection = await openMemoryConnection(server, (message) => console.log(message));
 * connection.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
 */
export async function openMemoryConnection(
  server: Server,
  onMessage: (message: string) => void,
  principal?: string,
  onClose?: () => void,
): Promise<MemoryConnection> {
  await server.start();
  let isOpen = true;
  let isClosing = false;
  let drainTimer: NodeJS.Timeout | undefined;
  const deliver = (message: string): void => {
    if (isOpen) onMessage(message);
  };
  const disconnect = (): void => {
    isOpen = false;
    clearTimeout(drainTimer);
    onClose?.();
  };
  const session = server.openSession(deliver, { disconnect, onEnd: () => finishWhenIdle() });
  const close = (): void => {
    isClosing = true;
    session.close();
    disconnect();
  };
  /** After the end of the session, calls that still run may be answered for a while. */
  const finishWhenIdle = (): void => {
    if (isClosing) return;
    if (session.isBusy) drainTimer ??= setTimeout(close, server.limits.drainMs).unref();
    else {
      clearTimeout(drainTimer);
      onClose?.();
    }
  };
  const connection: TransportConnection = {
    session,
    transport: "memory",
    principal,
    send: deliver,
    respond: (message) => {
      if (message !== undefined) deliver(message);
      if (session.isClosed) finishWhenIdle();
    },
  };
  return {
    send: (message) => {
      if (!session.isClosed) server.receive(message, connection);
      else if (!session.isBusy) onClose?.();
    },
    close,
  };
}
