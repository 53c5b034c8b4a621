import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { listen, type Open, readBody, standpointOf } from "../conformance/bridge.js";
import type { Spoken } from "./wire.js";

/** A way to a server where somebody listens in. */
export interface Overheard extends Open {
  /** Every message, in the order that it went by. */
  readonly spoken: readonly Spoken[];
  /** What each request of HTTP was, such as `POST /mcp`, and how it was answered. */
  readonly requests: readonly string[];
  /** Breaks off whatever is still being answered, as a network does that fails. */
  cut(): void;
}

/** Stands in front of a server of HTTP, changes nothing, and writes down what is said. */
export async function eavesdrop(server: string): Promise<Overheard> {
  const spoken: Spoken[] = [];
  const requests: string[] = [];
  const answering = new Set<ServerResponse>();
  const note = (from: Spoken["from"], text: string) => void spoken.push({ from, message: JSON.parse(text) as unknown });

  const open = await listen((client, response) => {
    void readBody(client).then((body) => {
      const { method = "GET", url = "/" } = client;
      if (body !== "") note("client", body);
      const target = new URL(url, server);
      const headers = { ...client.headers, ...standpointOf(client, target) };
      // A connection each: one that is kept may be closed by the server at the moment that it is used again.
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
  return { ...open, spoken, requests, cut };
}

/** Hears the messages of an answer as they come: one a line, as our server writes JSON and events. */
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
