import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import type { Readable, Writable } from "node:stream";
import { WebSocket } from "ws";

/** A connection on which messages go both ways. */
export interface Wire {
  /** Hears each message. */
  hear: (text: string) => void;
  send(text: string): void;
  /** Sends the first half of a message. */
  sendHalf(text: string): void;
  /** Goes without a word. */
  cut(): void;
  /** Says that nothing more comes, and waits for the other end to go too. */
  finish(): Promise<void>;
}

function onLines(input: Readable, hear: (line: string) => void): void {
  let rest = "";
  input.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}

function lineWire(input: Readable, output: Writable, cut: () => void, closed: Promise<unknown>): Wire {
  const wire: Wire = {
    hear: () => undefined,
    send: (text) => void output.write(`${text}\n`),
    sendHalf: (text) => void output.write(text.slice(0, text.length / 2)),
    cut,
    finish: async () => {
      output.end();
      await closed;
    },
  };
  onLines(input, (line) => wire.hear(line));
  output.on("error", () => undefined);
  return wire;
}

/** The pipes of a process. */
export function stdioWire(child: ChildProcess): Wire {
  const { stdin, stdout } = child as { stdin: Writable; stdout: Readable };
  const cut = (): void => {
    stdin.destroy();
    stdout.destroy();
  };
  return lineWire(stdout, stdin, cut, once(child, "exit"));
}

/** A connection to a Unix socket. */
export async function openSocket(path: string): Promise<Wire> {
  const socket = connect(path);
  await once(socket, "connect");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  return lineWire(socket, socket, () => socket.destroy(), closed);
}

/** A connection to a WebSocket. */
export async function openWebSocket(url: string): Promise<Wire> {
  const ws = new WebSocket(url.replace("http", "ws"), ["mcp"]);
  await once(ws, "open");
  const closed = new Promise((resolve) => ws.once("close", resolve));
  const wire: Wire = {
    hear: () => undefined,
    send: (text) => ws.send(text),
    sendHalf: (text) => ws.send(text.slice(0, text.length / 2), { fin: false }),
    cut: () => ws.terminate(),
    finish: async () => {
      ws.close();
      await closed;
    },
  };
  ws.on("message", (bytes: Buffer) => wire.hear(bytes.toString()));
  ws.on("error", () => undefined);
  return wire;
}
