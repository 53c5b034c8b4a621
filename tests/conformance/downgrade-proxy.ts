import { request } from "node:http";
import { listen, type Message, type Open, readBody, standpointOf } from "./bridge.js";

/** A proxy, and the revisions that its clients have negotiated with the server. */
export interface DowngradeProxy extends Open {
  readonly agreed: ReadonlySet<string>;
}

/**
 * Makes each client request this revision. The suite always requests the newest handshake revision, whatever revision it
 * is told to test.
 */
export async function downgrade(server: string, revision: string): Promise<DowngradeProxy> {
  const target = new URL(server);
  const agreed = new Set<string>();
  const note = (text: string) => {
    for (const [, version = ""] of text.matchAll(/"protocolVersion":"([^"]+)"/g)) agreed.add(version);
  };

  const proxy = await listen((client, response) => {
    void readBody(client).then((text) => {
      const body = rewrite(text, revision);
      const { "transfer-encoding": _chunked, ...headers } = { ...client.headers, ...standpointOf(client, target) };
      if (body !== "") headers["content-length"] = String(Buffer.byteLength(body));
      const { method = "GET" } = client;
      const onward = request(target, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
        if (body !== text) answer.setEncoding("utf8").on("data", note);
        answer.on("error", () => response.destroy()).pipe(response);
      });
      onward.on("error", () => response.destroy());
      response.on("close", () => onward.destroy());
      onward.end(body);
    });
  });
  return { ...proxy, agreed };
}

function rewrite(text: string, protocolVersion: string): string {
  if (text === "") return text;
  const message = JSON.parse(text) as Message;
  if (message.method !== "initialize") return text;
  return JSON.stringify({ ...message, params: { ...message.params, protocolVersion } });
}
