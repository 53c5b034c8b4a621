import { openingOf } from "./requests.mjs";

const answerSeconds = 30;

/** The client's end of one server's pipes: splits what comes into lines and hands them on without making strings. */
export class Connection {
  #server;
  #rest = [];
  /** @type {(bytes: Buffer, start: number, end: number) => void} */
  onLine = () => {};
  /** Called after the last line of a chunk: the moment to send more. */
  onChunk = () => {};
  revision = "";

  constructor(/** @type {import("./server-process.mjs").ServerProcess} */ server) {
    this.#server = server;
    server.stdout.on("data", (chunk) => this.#split(chunk));
  }

  get server() {
    return this.#server;
  }

  #split(/** @type {Buffer} */ chunk) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (this.#rest.length > 0) {
        this.#rest.push(chunk.subarray(0, end));
        const line = Buffer.concat(this.#rest);
        this.#rest = [];
        this.onLine(line, 0, line.length);
      } else this.onLine(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
    this.onChunk();
  }

  send(/** @type {string | Uint8Array} */ bytes) {
    this.#server.stdin.write(bytes);
  }

  /** Sends one request and waits for its answer; for everything that is not measured in bulk. */
  async ask(/** @type {object} */ message) {
    const id = 1;
    this.send(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
    return await this.until(
      (done) => {
        this.onLine = (bytes, start, end) => {
          const answer = JSON.parse(bytes.utf8Slice(start, end));
          if (answer.id === id && answer.method === undefined) done(answer);
        };
      },
      () => `no answer to ${message.method}`,
    );
  }

  /** Opens the conversation as the era wants it and remembers the revision the server agreed on. */
  async open(/** @type {import("./requests.mjs").Era} */ era) {
    const { result } = await this.ask(openingOf(era));
    if (result === undefined) throw new Error(`The server refused to open a ${era} conversation`);
    this.revision = era === "legacy" ? result.protocolVersion : (result.supportedVersions?.[0] ?? "");
    if (era === "legacy") this.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  /**
   * Waits for `begin` to call its argument, but never for ever: a server that hangs or dies fails its cell only.
   * @param {(done: (value?: any) => void, fail: (error: Error) => void) => void} begin
   * @param {() => string} describe
   */
  async until(begin, describe) {
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        const end = () => reject(new Error(`${describe()}. ${this.#server.complaints}`));
        timer = setTimeout(end, answerSeconds * 1000);
        this.#server.stdout.once("close", end);
        begin(
          (value) => {
            this.#server.stdout.off("close", end);
            resolve(value);
          },
          (error) => {
            this.#server.stdout.off("close", end);
            reject(error);
          },
        );
      });
    } finally {
      clearTimeout(timer);
    }
  }
}
