import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { writeId } from "../requests.mjs";

const opcodes = { text: 1, ping: 9, pong: 10 };
// Not all zeros: a server may skip unmasking those, which would flatter it.
const mask = Buffer.from([0x5a, 0xc3, 0x17, 0x8e]);

/** A whole masked frame. */
function writeFrame(/** @type {number} */ opcode, /** @type {Buffer} */ payload) {
  const { length } = payload;
  const size = length < 126 ? 0 : length < 2 ** 16 ? 2 : 8;
  const frame = Buffer.alloc(2 + size + mask.length + length);
  frame[0] = 0x80 | opcode;
  frame[1] = 0x80 | (size === 0 ? length : size === 2 ? 126 : 127);
  if (size === 2) frame.writeUInt16BE(length, 2);
  if (size === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  const start = 2 + size + mask.length;
  mask.copy(frame, 2 + size);
  for (let at = 0; at < length; at++) frame[start + at] = payload[at] ^ mask[at & 3];
  return { frame, start };
}

/**
 * A message a text frame.
 * @implements {import("./lines.mjs").Wire}
 */
export class WebSocketWire {
  #socket;
  #rest = Buffer.alloc(0);
  /** @type {Map<import("../requests.mjs").MessageForm, { frame: Buffer, idAt: number }>} */
  #frames = new Map();
  /** @type {import("./lines.mjs").Wire["onMessage"]} */
  onMessage = () => {};
  onChunk = () => {};

  constructor(/** @type {import("node:net").Socket} */ socket, /** @type {Buffer} */ early) {
    this.#socket = socket;
    socket.on("error", () => {});
    socket.on("data", (chunk) => this.#receive(chunk));
    if (early.length > 0) this.#receive(early);
  }

  /** Connects and upgrades. */
  static async open(/** @type {string} */ address) {
    const url = new URL(address);
    const socket = connect(Number(url.port), url.hostname);
    socket.setNoDelay(true);
    const fields = {
      Host: url.host,
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": 13,
      "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
      "Sec-WebSocket-Protocol": "mcp",
    };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${url.pathname} HTTP/1.1\r\n${lines.join("")}\r\n`);
    const early = await new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("The server closed the connection in place of upgrading it")));
      socket.once("data", (/** @type {Buffer} */ chunk) => {
        const end = chunk.indexOf("\r\n\r\n");
        const line = chunk.latin1Slice(0, chunk.indexOf(13));
        socket.pause();
        if (end !== -1 && line.startsWith("HTTP/1.1 101")) resolve(chunk.subarray(end + 4));
        else reject(new Error(`The server did not upgrade: ${line}`));
      });
    });
    const wire = new WebSocketWire(socket, early);
    socket.resume();
    return wire;
  }

  send(/** @type {import("./lines.mjs").Outgoing[]} */ messages) {
    const frames = messages.map(({ form, id }) => {
      const { frame, idAt } = this.#frameOf(form);
      const bytes = Buffer.from(frame);
      if (form.idAt >= 0) writeId(bytes, idAt, id, (digit) => mask[(form.idAt + digit) & 3]);
      return bytes;
    });
    this.#socket.write(Buffer.concat(frames));
  }

  #frameOf(/** @type {import("../requests.mjs").MessageForm} */ form) {
    const known = this.#frames.get(form);
    if (known !== undefined) return known;
    const { frame, start } = writeFrame(opcodes.text, form.bytes.subarray(0, -1));
    const made = { frame, idAt: start + form.idAt };
    this.#frames.set(form, made);
    return made;
  }

  #receive(/** @type {Buffer} */ chunk) {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length >= at + 2) {
      const marked = bytes[at + 1];
      const size = marked < 126 ? 0 : marked === 126 ? 2 : 8;
      const start = at + 2 + size;
      if (bytes.length < start) break;
      const length =
        size === 0 ? marked : size === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
      const end = start + length;
      if (bytes.length < end) break;
      const opcode = bytes[at] & 15;
      if (opcode === opcodes.text) this.onMessage(bytes, start, end);
      if (opcode === opcodes.ping) this.#socket.write(writeFrame(opcodes.pong, bytes.subarray(start, end)).frame);
      at = end;
    }
    this.#rest = bytes.subarray(at);
    this.onChunk();
  }

  close() {
    this.#socket.destroy();
  }
}
