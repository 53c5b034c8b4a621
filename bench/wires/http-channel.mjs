import { connect } from "node:net";

/**
 * @typedef {object} HttpAnswer
 * @property {number} status
 * @property {string} head its first line and fields
 * @property {Buffer} bytes where the body is, without chunk sizes
 * @property {number} start
 * @property {number} end
 */

const nothing = Buffer.alloc(0);
const headEnd = Buffer.from("\r\n\r\n");
const lengthField = /\r\ncontent-length: *(\d+)/i;
const chunkedField = /\r\ntransfer-encoding: *chunked/i;

/**
 * The pieces of a chunked body as one, or undefined while some are missing.
 * @returns {{ body: Buffer, next: number } | undefined}
 */
function joinChunks(/** @type {Buffer} */ bytes, /** @type {number} */ from) {
  const pieces = [];
  let at = from;
  for (;;) {
    const sizeEnd = bytes.indexOf("\r\n", at);
    if (sizeEnd === -1) return undefined;
    const size = Number.parseInt(bytes.latin1Slice(at, sizeEnd), 16);
    const start = sizeEnd + 2;
    if (bytes.length < start + size + 2) return undefined;
    if (size === 0) return { body: pieces.length === 1 ? pieces[0] : Buffer.concat(pieces), next: start + 2 };
    pieces.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}

/** One keep-alive connection with one request at a time on it: as little client as will do, so that the server is the slower half. */
export class HttpChannel {
  #socket;
  #rest = nothing;
  /** @type {((answer: HttpAnswer) => void) | undefined} */
  #waiting;
  /** Called once when the connection is gone. */
  onClose = () => {};

  constructor(/** @type {URL} */ url) {
    this.#socket = connect(Number(url.port), url.hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on("data", (chunk) => this.#receive(chunk));
    this.#socket.on("error", () => {});
    this.#socket.once("close", () => this.onClose());
    this.#socket.once("end", () => this.#socket.destroy());
  }

  /** Sends a whole request; the answer comes when it is there in full. */
  exchange(/** @type {Buffer} */ request, /** @type {(answer: HttpAnswer) => void} */ onAnswer) {
    this.#waiting = onAnswer;
    this.#socket.write(request);
  }

  /**
   * Sends a whole request and waits for its answer; for everything that is not measured in bulk.
   * @returns {Promise<HttpAnswer>}
   */
  ask(/** @type {Buffer} */ request) {
    return new Promise((resolve, reject) => {
      this.onClose = () => reject(new Error("The server closed the connection before it answered"));
      this.exchange(request, resolve);
    });
  }

  #receive(/** @type {Buffer} */ chunk) {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = bytes;
    const end = bytes.indexOf(headEnd);
    if (end === -1) return;
    const head = bytes.latin1Slice(0, end);
    const status = Number(head.slice(9, 12));
    const start = end + headEnd.length;
    if (chunkedField.test(head)) {
      const joined = joinChunks(bytes, start);
      if (joined !== undefined) this.#answer({ status, head, bytes: joined.body, start: 0, end: joined.body.length });
      return;
    }
    const length = Number(lengthField.exec(head)?.[1] ?? 0);
    if (bytes.length >= start + length) this.#answer({ status, head, bytes, start, end: start + length });
  }

  #answer(/** @type {HttpAnswer} */ answer) {
    this.#rest = nothing;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(answer);
  }

  close() {
    this.#socket.destroy();
  }
}
