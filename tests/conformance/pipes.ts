import { spawn } from "node:child_process";
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { type Message, standpointOf } from "./bridge.js";

/** A bidirectional message channel to a server, one per client. */
export interface Pipe {
  send(message: Message): void;
  close(): void;
}

/** Opens a pipe for a client; returns an HTTP status if the server rejects it. */
export type OpenPipe = (client: IncomingMessage, onMessage: (message: Message) => void) => Promise<Pipe | number>;

/** A server that is started per client on stdio. */
export function overStdio(command: readonly string[]): OpenPipe {
  return (_client, onMessage) => {
    const [program = "", ...args] = command;
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: child.stdout }).on("line", (line) => onMessage(JSON.parse(line) as Message));
    return Promise.resolve({
      send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
      close: () => void child.stdin.end(),
    });
  };
}

/** A server with HTTP+SSE of 2024-11-05. It sees the origin of the client. */
export function overSse(url: string): OpenPipe {
  return (client, onMessage) => {
    const headers = standpointOf(client, new URL(url));
    return new Promise((resolve, reject) => {
      const stream = request(url, { headers: { ...headers, accept: "text/event-stream" } }, (response) => {
        if (response.statusCode !== 200) {
          response.resume();
          resolve(response.statusCode ?? 500);
          return;
        }
        readEvents(response, (event, content) => {
          if (event === "endpoint") resolve({ send: post(new URL(content, url)), close: () => stream.destroy() });
          else onMessage(JSON.parse(content) as Message);
        });
      });
      stream.on("error", reject);
      stream.end();
    });

    function post(endpoint: URL): Pipe["send"] {
      return (message) => {
        const type = { "content-type": "application/json" };
        request(endpoint, { method: "POST", headers: { ...headers, ...type } }, (answer) => answer.resume())
          .on("error", () => undefined)
          .end(JSON.stringify(message));
      };
    }
  };
}

/** Reads events until the stream ends; comments and other lines are ignored. */
function readEvents(stream: IncomingMessage, onEvent: (event: string, content: string) => void): void {
  let rest = "";
  stream.on("error", () => undefined);
  stream.setEncoding("utf8").on("data", (text: string) => {
    const blocks = (rest + text).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const valuesOf = (field: string) =>
        lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).trim());
      const content = valuesOf("data").join("\n");
      if (content !== "") onEvent(valuesOf("event")[0] ?? "message", content);
    }
  });
}
