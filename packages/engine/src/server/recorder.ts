import { refuseUnknown } from "./known-members.js";

/** How much is kept of a message that is too long to keep. */
const HEAD = 1024;
/** Read once, because to ask for it costs as much as to keep a message. */
const ORIGIN = performance.timeOrigin;

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

/** A conversation, which keeps its own number: to look it up would cost more than all the rest. */
interface Numbered {
  /** 0 = nothing of it has been recorded yet. */
  recordedAs: number;
}

/** Hears of each message as it crosses the wire. It must not throw, and must not take long. */
export type FrameListener = (frame: Frame) => void;

/** The messages of a server, as those see them who write them down; secrets are still in them. */
export interface FrameSource {
  /** What is kept, the oldest first. */
  frames(): readonly Frame[];
  /** Tells somebody of each message from now on, uncut; the returned function ends it. `closed` is waited for at the server's end. */
  listen(listener: FrameListener, closed?: () => Promise<void>): () => void;
}

/**
 * A ring of the last messages. Nothing is read or changed on the way in, because most are never looked at: secrets are taken out
 * when somebody looks.
 */
export class Recorder implements FrameSource {
  readonly #most: number;
  readonly #mostCharacters: number;
  /** Longer messages are cut. */
  readonly #longest: number;
  readonly #ring: (Frame | undefined)[];
  readonly #listeners = new Map<FrameListener, (() => Promise<void>) | undefined>();
  #sessionCount = 0;
  /** How many were put into the ring, and how many of them are out of it again. */
  #next = 0;
  #gone = 0;
  #characters = 0;

  constructor({ frames = 256, characters = 1024 * 1024 }: RecorderOptions = {}) {
    this.#most = frames;
    this.#mostCharacters = characters;
    this.#longest = characters / 16;
    this.#ring = Array.from({ length: frames }, () => undefined);
  }

  received(session: Numbered, text: string): void {
    this.#keep(session, "client", text);
  }

  sent(session: Numbered, text: string): void {
    this.#keep(session, "server", text);
  }

  listen(listener: FrameListener, closed?: () => Promise<void>): () => void {
    this.#listeners.set(listener, closed);
    return () => this.#listeners.delete(listener);
  }

  frames(): readonly Frame[] {
    const kept: Frame[] = [];
    for (let at = this.#gone; at < this.#next; at += 1) kept.push(this.#ring[at % this.#most] as Frame);
    return kept;
  }

  /** The server has ended: whoever listens finishes what it has heard. */
  async close(): Promise<void> {
    const all = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const closed of all) await closed?.();
  }

  #keep(session: Numbered, from: Frame["from"], message: string): void {
    const isCut = message.length > this.#longest;
    const frame: Frame = {
      at: ORIGIN + performance.now(),
      session: this.#numberOf(session),
      from,
      text: isCut ? headOf(message, this.#longest) : message,
      cut: isCut ? message.length : undefined,
    };
    this.#put(frame);
    if (this.#listeners.size === 0) return;
    const whole = isCut ? { ...frame, text: message, cut: undefined } : frame;
    for (const listener of this.#listeners.keys()) listener(whole);
  }

  #put(frame: Frame): void {
    if (this.#next - this.#gone === this.#most) this.#drop();
    this.#characters += frame.text.length;
    while (this.#characters > this.#mostCharacters) this.#drop();
    this.#ring[this.#next % this.#most] = frame;
    this.#next += 1;
  }

  /** Takes the oldest out. */
  #drop(): void {
    const at = this.#gone % this.#most;
    this.#characters -= this.#ring[at]?.text.length ?? 0;
    this.#ring[at] = undefined;
    this.#gone += 1;
  }

  #numberOf(session: Numbered): number {
    if (session.recordedAs === 0) {
      this.#sessionCount += 1;
      session.recordedAs = this.#sessionCount;
    }
    return session.recordedAs;
  }
}

/** A copy, because a slice would keep the whole message in memory. */
function headOf(message: string, longest: number): string {
  return Buffer.from(message.slice(0, Math.min(HEAD, longest))).toString();
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
