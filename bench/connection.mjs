import { firstId, initialized, messageForm, openingOf } from "./requests.mjs";
import { LineWire } from "./wires/lines.mjs";

const answerSeconds = 30;

/** The client's side of a conversation with one server, whatever wire it goes over. */
export class Connection {
  #server;
  #wire;
  /** @type {import("./wires/lines.mjs").Wire["onMessage"]} */
  onMessage = () => {};
  /** Called after the last message of a chunk: the moment to send more. */
  onChunk = () => {};
  revision = "";

  constructor(
    /** @type {import("./server-process.mjs").ServerProcess} */ server,
    /** @type {import("./wires/lines.mjs").Wire} */ wire = new LineWire(server.stdout, server.stdin),
  ) {
    this.#server = server;
    this.#wire = wire;
    wire.onMessage = (bytes, start, end) => this.onMessage(bytes, start, end);
    wire.onChunk = () => this.onChunk();
  }

  get server() {
    return this.#server;
  }

  send(/** @type {import("./wires/lines.mjs").Outgoing[]} */ messages) {
    this.#wire.send(messages);
  }

  /** Sends one request and waits for its answer; for everything that is not measured in bulk. */
  async ask(/** @type {{ method: string, params?: any }} */ message) {
    return await this.until(
      (done) => {
        this.onMessage = (bytes, start, end) => {
          const answer = JSON.parse(bytes.utf8Slice(start, end));
          // What is refused before it was read has no id to answer to.
          const isAnswer = answer.id === firstId || (answer.error !== undefined && (answer.id ?? null) === null);
          if (isAnswer && answer.method === undefined) done(answer);
        };
        this.send([{ form: messageForm(message), id: firstId }]);
      },
      () => `no answer to ${message.method}`,
    );
  }

  /** Opens the conversation as the era wants it and remembers the revision the server agreed on. */
  async open(/** @type {import("./requests.mjs").Era} */ era) {
    const { result, error } = await this.ask(openingOf(era));
    if (result === undefined)
      throw new Error(`The server refused to open a ${era} conversation: ${error?.message ?? "no reason"}`);
    this.revision = era === "legacy" ? result.protocolVersion : (result.supportedVersions?.[0] ?? "");
    if (era === "legacy") this.send([{ form: initialized, id: 0 }]);
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

  /** Ends the client's side; the server is ended by its process. */
  close() {
    this.#wire.close();
  }
}
