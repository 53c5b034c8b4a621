import { revisionOf, writeId } from "../requests.mjs";
import { HttpChannel } from "./http-channel.mjs";

const sessionField = /\r\nmcp-session-id: *([^\r]+)/i;
const dataField = Buffer.from("data: ");

/** The head of a request to an MCP endpoint, with the fields that every client sends. */
export function writeHead(
  /** @type {URL} */ url,
  /** @type {string} */ method,
  /** @type {Record<string, string | number | undefined>} */ fields,
) {
  const all = { Host: url.host, Accept: "application/json, text/event-stream", ...fields };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return `${method} ${url.pathname} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** The session that the answer to `initialize` opened. */
export const sessionOf = (/** @type {string} */ head) => sessionField.exec(head)?.[1];

/**
 * A request a POST over as many keep-alive connections as there are requests in flight.
 * @implements {import("./lines.mjs").Wire}
 */
export class HttpWire {
  #url;
  #era;
  /** @type {string | undefined} */
  #session;
  /** @type {Set<HttpChannel>} */
  #channels = new Set();
  /** @type {HttpChannel[]} */
  #idle = [];
  /** @type {Map<import("../requests.mjs").MessageForm, { bytes: Buffer, idAt: number }>} */
  #posts = new Map();
  #isClosed = false;
  /** @type {import("./lines.mjs").Wire["onMessage"]} */
  onMessage = () => {};
  onChunk = () => {};

  constructor(/** @type {string} */ address, /** @type {import("../requests.mjs").Era} */ era) {
    this.#url = new URL(address);
    this.#era = era;
  }

  #post(/** @type {import("../requests.mjs").MessageForm} */ form) {
    const known = this.#posts.get(form);
    if (known !== undefined) return known;
    const isModern = this.#era === "modern";
    const body = form.bytes.subarray(0, -1);
    const head = writeHead(this.#url, "POST", {
      "Content-Type": "application/json",
      "MCP-Protocol-Version": form.method === "initialize" ? undefined : revisionOf[this.#era],
      "Mcp-Session-Id": this.#session,
      "Mcp-Method": isModern ? form.method : undefined,
      "Mcp-Name": isModern ? form.name : undefined,
      "Content-Length": body.length,
    });
    const post = { bytes: Buffer.concat([Buffer.from(head), body]), idAt: head.length + form.idAt };
    this.#posts.set(form, post);
    return post;
  }

  send(/** @type {import("./lines.mjs").Outgoing[]} */ messages) {
    for (const { form, id } of messages) {
      const { bytes, idAt } = this.#post(form);
      const request = Buffer.from(bytes);
      if (form.idAt >= 0) writeId(request, idAt, id);
      this.#exchange(request);
    }
  }

  #exchange(/** @type {Buffer} */ request) {
    const rested = this.#idle.pop();
    const channel = rested ?? this.#connect();
    channel.onClose = () => {
      this.#channels.delete(channel);
      // A server may close an idle connection just when it is used again: a client has to ask anew then.
      if (rested !== undefined && !this.#isClosed) this.#exchange(request);
    };
    channel.exchange(request, (answer) => {
      this.#rest(channel);
      this.#hear(answer);
      this.onChunk();
    });
  }

  #rest(/** @type {HttpChannel} */ channel) {
    this.#idle.push(channel);
    channel.onClose = () => {
      this.#channels.delete(channel);
      this.#idle = this.#idle.filter((one) => one !== channel);
    };
  }

  #hear(/** @type {import("./http-channel.mjs").HttpAnswer} */ { head, bytes, start, end }) {
    if (this.#session === undefined) {
      this.#session = sessionOf(head);
      if (this.#session !== undefined) this.#posts.clear();
    }
    if (start === end) return;
    if (bytes[start] === 123) return this.onMessage(bytes, start, end);
    let at = start;
    for (let line = at; line < end; line = bytes.indexOf(10, line) + 1 || end) {
      if (bytes.compare(dataField, 0, dataField.length, line, Math.min(line + dataField.length, end)) !== 0) continue;
      at = line + dataField.length;
      const lineEnd = bytes.indexOf(10, at);
      if (lineEnd > at) this.onMessage(bytes, at, lineEnd);
    }
  }

  #connect() {
    const channel = new HttpChannel(this.#url);
    this.#channels.add(channel);
    return channel;
  }

  close() {
    this.#isClosed = true;
    for (const channel of this.#channels) channel.close();
  }
}
