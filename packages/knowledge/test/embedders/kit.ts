import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as a server got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: { readonly model?: string; readonly input?: readonly string[]; readonly dimensions?: number };
}

/** What a server answers: JSON, a text, nothing at all (never), or the connection is cut. */
export type Reply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  | "never"
  | "cut";

/** A server on loopback that goes with the test. */
export interface Loopback {
  readonly url: string;
  readonly received: Received[];
}

/** Starts one that answers each request as `reply` says, given its number from 0. */
export async function startLoopback(reply: (received: Received, number: number) => Reply): Promise<Loopback> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(pieces).toString("utf8")) as Received["body"];
      const arrived = { path: request.url ?? "", headers: request.headers, body };
      received.push(arrived);
      const answer = reply(arrived, received.length - 1);
      if (answer === "never") return;
      if (answer === "cut") return void request.socket.destroy();
      const { status = 200, headers = {}, body: content } = answer;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof content === "string" ? content : JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** An address of loopback that nobody listens at. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}`;
}

/** A vector that tells texts apart: its length, its first letter. */
export const vectorOf = (text: string): number[] => [text.length, text.charCodeAt(0) || 0, 1];
