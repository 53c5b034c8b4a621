import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import type { Readable, Writable } from "node:stream";
import { WebSocket } from "ws";

/** A bidirectional connection that carries messages. */
export interface Connection {
  /** Receives each message. */
  onMessage: (text: string) => void;
  send(text: string): void;
  /** Sends the first half of a message. */
  sendHalf(text: string): void;
  /** Disconnects without notice. */
  destroy(): void;
  /** Ends the client's side, and waits for the other end to close. */
  end(): Promise<void>;
}

function onLines(input: Readable, onLine: (line: string) => void): void {
  let rest = "";
  input.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}

function openLineConnection(
  input: Readable,
  output: Writable,
  destroy: () => void,
  closed: Promise<unknown>,
): Connection {
  const connection: Connection = {
    onMessage: () => undefined,
    send: (text) => void output.write(`${text}\n`),
    sendHalf: (text) => void output.write(text.slice(0, text.length / 2)),
    destroy,
    end: async () => {
      output.end();
      await closed;
    },
  };
  onLines(input, (line) => connection.onMessage(line));
  output.on("error", () => undefined);
  return connection;
}

/** The stdin and stdout of a process. */
export function stdioConnection(child: ChildProcess): Connection {
  const { stdin, stdout } = child as { stdin: Writable; stdout: Readable };
  const destroy = (): void => {
    stdin.destroy();
    stdout.destroy();
  };
  return openLineConnection(stdout, stdin, destroy, once(child, "exit"));
}

/** A connection to a Unix socket. */
export async function openSocket(path: string): Promise<Connection> {
  const socket = connect(path);
  await once(socket, "connect");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  return openLineConnection(socket, socket, () => socket.destroy(), closed);
}

/** A connection to a WebSocket. */
export async function openWebSocket(url: string): Promise<Connection> {
  const ws = new WebSocket(url.replace("http", "ws"), ["mcp"]);
  await once(ws, "open");
  const closed = new Promise((resolve) => ws.once("close", resolve));
  const connection: Connection = {
    onMessage: () => undefined,
    send: (text) => ws.send(text),
    sendHalf: (text) => ws.send(text.slice(0, text.length / 2), { fin: false }),
    destroy: () => ws.terminate(),
    end: async () => {
      ws.close();
      await closed;
    },
  };
  ws.on("message", (bytes: Buffer) => connection.onMessage(bytes.toString()));
  ws.on("error", () => undefined);
  return connection;
}
