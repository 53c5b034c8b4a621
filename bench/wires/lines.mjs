import { writeId } from "../requests.mjs";

/**
 * @typedef {object} Wire how messages travel between this client and a server
 * @property {(bytes: Buffer, start: number, end: number) => void} onMessage hears each message without a string being made
 * @property {() => void} onChunk called after the last message of a chunk: the moment to send more
 * @property {(messages: Outgoing[]) => void} send
 * @property {() => void} close
 */
/** @typedef {{ form: import("../requests.mjs").MessageForm, id: number }} Outgoing */

/**
 * One message a line: pipes and Unix sockets.
 * @implements {Wire}
 */
export class LineWire {
  #writable;
  /** @type {Buffer[]} */
  #rest = [];
  /** @type {Wire["onMessage"]} */
  onMessage = () => {};
  onChunk = () => {};

  constructor(
    /** @type {import("node:stream").Readable} */ readable,
    /** @type {import("node:stream").Writable} */ writable,
  ) {
    this.#writable = writable;
    readable.on("data", (chunk) => this.#split(chunk));
  }

  #split(/** @type {Buffer} */ chunk) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (this.#rest.length > 0) {
        this.#rest.push(chunk.subarray(0, end));
        const line = Buffer.concat(this.#rest);
        this.#rest = [];
        this.onMessage(line, 0, line.length);
      } else this.onMessage(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
    this.onChunk();
  }

  send(/** @type {Outgoing[]} */ messages) {
    let size = 0;
    for (const { form } of messages) size += form.bytes.length;
    const bytes = Buffer.allocUnsafe(size);
    let at = 0;
    for (const { form, id } of messages) {
      form.bytes.copy(bytes, at);
      if (form.idAt >= 0) writeId(bytes, at + form.idAt, id);
      at += form.bytes.length;
    }
    this.#writable.write(bytes);
  }

  close() {
    this.#writable.destroy();
  }
}
