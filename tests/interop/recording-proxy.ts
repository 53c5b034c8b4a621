import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { listen, type Open, readBody, standpointOf } from "../conformance/bridge.js";
import type { ExchangedMessage } from "./recorded-transport.js";

/** A recording proxy in front of a server. */
export interface Overheard extends Open {
  /** Every message, in order. */
  readonly messages: readonly ExchangedMessage[];
  /** Each HTTP request, such as `POST /mcp`, and its status. */
  readonly requests: readonly string[];
  /** Aborts every pending response, as a failing network does. */
  cut(): void;
}

/** Starts a proxy for an HTTP server that forwards everything unchanged and records it. */
export async function startRecordingProxy(server: string): Promise<Overheard> {
  const messages: ExchangedMessage[] = [];
  const requests: string[] = [];
  const answering = new Set<ServerResponse>();
  const note = (from: ExchangedMessage["from"], text: string) =>
    void messages.push({ from, message: JSON.parse(text) as unknown });

  const open = await listen((client, response) => {
    void readBody(client).then((body) => {
      const { method = "GET", url = "/" } = client;
      if (body !== "") note("client", body);
      const target = new URL(url, server);
      const headers = { ...client.headers, ...standpointOf(client, target) };
      // One connection per request: the server may close a kept one at the moment when it is reused.
      const onward = request(target, { method, headers, agent: false }, (answer) => {
        requests.push(`${method} ${target.pathname} ${answer.statusCode}`);
        hear(answer, (text) => note("server", text));
        response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
        answer.on("error", () => response.destroy()).pipe(response);
      });
      onward.on("error", () => response.destroy());
      answering.add(response);
      response.on("close", () => {
        answering.delete(response);
        onward.destroy();
      });
      onward.end(body);
    });
  });
  const cut = () => {
    for (const response of answering) response.destroy();
  };
  return { ...open, messages, requests, cut };
}

/** Reads the messages of a response as they arrive: one per line, as our server writes JSON and events. */
function hear(answer: IncomingMessage, onMessage: (text: string) => void): void {
  let rest = "";
  const read = (lines: readonly string[]) => {
    for (const line of lines) {
      const text = line.replace(/^data:/, "").trim();
      if (text.startsWith("{")) onMessage(text);
    }
  };
  answer.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    read(lines);
  });
  answer.on("end", () => read([rest]));
}
