import { refuseUnknown } from "./known-members.js";

/** How much is kept of a message that is too long to keep. */
const HEAD = 1024;

/** What bounds the memory of the recorder. */
export interface RecorderOptions {
  /** Messages that are kept; 256 by default. */
  readonly frames?: number;
  /** Characters of the messages that are kept; 1 Mi by default. Of one that is longer than a sixteenth, the head is kept. */
  readonly characters?: number;
}

/** One message that crossed the wire, as it was kept. */
export interface Frame {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Which conversation it belongs to; the first is 1. */
  readonly session: number;
  readonly from: "client" | "server";
  readonly text: string;
  /** How long the message was, where `text` is only its head. */
  readonly cut: number | undefined;
}

/** Hears of each message as it crosses the wire. */
export type FrameListener = (frame: Frame) => void;

/**
 * A ring of the last messages. Nothing is read or changed on the way in, because most are never looked at: secrets are taken out
 * when somebody looks.
 */
export class Recorder {
  readonly #most: number;
  readonly #mostCharacters: number;
  readonly #ring: (Frame | undefined)[];
  readonly #listeners = new Set<FrameListener>();
  readonly #sessions = new WeakMap<object, number>();
  #lastSession: object | undefined;
  #lastNumber = 0;
  #sessionCount = 0;
  #next = 0;
  #characters = 0;

  constructor({ frames = 256, characters = 1024 * 1024 }: RecorderOptions = {}) {
    this.#most = frames;
    this.#mostCharacters = characters;
    this.#ring = new Array<Frame | undefined>(frames).fill(undefined);
  }

  received(session: object, text: string): void {
    this.#keep(session, "client", text);
  }

  sent(session: object, text: string): void {
    this.#keep(session, "server", text);
  }

  /** Tells somebody of each message from now on; the returned function ends it. */
  listen(listener: FrameListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What is kept, the oldest first. */
  frames(): readonly Frame[] {
    const from = this.#next % this.#most;
    return [...this.#ring.slice(from), ...this.#ring.slice(0, from)].filter((frame) => frame !== undefined);
  }

  #keep(session: object, from: Frame["from"], message: string): void {
    const isCut = message.length > this.#mostCharacters / 16;
    // A copy, because a slice would keep the whole message in memory.
    const text = isCut ? Buffer.from(message.slice(0, HEAD)).toString() : message;
    const frame: Frame = {
      at: performance.timeOrigin + performance.now(),
      session: this.#numberOf(session),
      from,
      text,
      cut: isCut ? message.length : undefined,
    };
    this.#put(frame);
    for (const listener of this.#listeners) listener(isCut ? { ...frame, text: message, cut: undefined } : frame);
  }

  #put(frame: Frame): void {
    const at = this.#next % this.#most;
    this.#characters += frame.text.length - (this.#ring[at]?.text.length ?? 0);
    this.#ring[at] = frame;
    this.#next += 1;
    for (let oldest = this.#next; this.#characters > this.#mostCharacters; oldest += 1) {
      const index = oldest % this.#most;
      this.#characters -= this.#ring[index]?.text.length ?? 0;
      this.#ring[index] = undefined;
    }
  }

  #numberOf(session: object): number {
    // Messages of one conversation come in a row.
    if (session === this.#lastSession) return this.#lastNumber;
    let number = this.#sessions.get(session);
    if (number === undefined) {
      this.#sessionCount += 1;
      number = this.#sessionCount;
      this.#sessions.set(session, number);
    }
    this.#lastSession = session;
    this.#lastNumber = number;
    return number;
  }
}

/** The recorder that the options ask for; one is there unless they say no. Throws `TypeError` that names what is wrong. */
export function createRecorder(given: boolean | RecorderOptions = true): Recorder | undefined {
  if (given === false) return undefined;
  const options = given === true ? {} : given;
  refuseUnknown("create the server: recorder", options, { frames: true, characters: true });
  for (const [name, value] of Object.entries(options)) {
    if (!(Number.isInteger(value) && value > 0))
      throw new TypeError(`Cannot create the server: recorder.${name} must be a positive whole number`);
  }
  return new Recorder(options);
}
