import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Headers, Served } from "./serve.js";

/** One whole answer as it came over a socket. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A connection on which a test writes bytes as it likes. */
export class Wire {
  readonly socket: Socket;
  /** The connection is over, from whichever side. */
  readonly closed: Promise<void>;
  text = "";

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.setEncoding("latin1").on("data", (text: string) => {
      this.text += text;
    });
    this.socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => this.socket.once("close", () => resolve()));
    onTestFinished(() => void this.socket.destroy());
  }

  write(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Waits until so many whole answers have come, and gives all that have. */
  async answers(count: number): Promise<RawAnswer[]> {
    for (;;) {
      const answers = readAnswers(this.text);
      if (answers.length >= count) return answers;
      const more = new Promise<"more">((resolve) => this.socket.once("data", () => resolve("more")));
      const how = await Promise.race([more, this.closed]);
      if (how !== "more" && readAnswers(this.text).length < count)
        throw new Error(`The connection ended after ${JSON.stringify(this.text)}`);
    }
  }

  async answer(): Promise<RawAnswer> {
    return (await this.answers(1))[0] as RawAnswer;
  }
}

export const openWire = (served: Served): Wire => new Wire(served.port);

/** The text of a POST; `Content-Length` is right unless the headers say otherwise. */
export function postText(body: unknown, headers: Headers = {}): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": `${Buffer.byteLength(text)}`,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}

/** The whole answers in a text; a stream counts as one when its last chunk has come. */
function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return answers;
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line): [string, string] => {
        const at = line.indexOf(":");
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
      }),
    );
    const status = Number(first.split(" ")[1]);
    const from = end + 4;
    let to = from + Number(headers["content-length"] ?? 0);
    if (headers["transfer-encoding"] === "chunked") {
      const last = rest.indexOf("0\r\n\r\n", from);
      if (last === -1) return answers;
      to = last + 5;
    }
    if (rest.length < to) return answers;
    answers.push({ status, headers, body: rest.slice(from, to) });
    rest = rest.slice(to);
  }
}
