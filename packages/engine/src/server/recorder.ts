import { CLOCK_ORIGIN, currentTime } from "./clock.js";
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
  // What is kept of each message stands at the same place in all of these: an object for each would be garbage a moment later.
  readonly #texts: (string | undefined)[];
  /** How long each text is: to ask the oldest one would bring it back from far away in memory. */
  readonly #sizes: Float64Array;
  readonly #times: Float64Array;
  readonly #sessions: Float64Array;
  /** How long the message was, -1 - length for one of the server's. */
  readonly #lengths: Float64Array;
  readonly #listeners = new Map<FrameListener, (() => Promise<void>) | undefined>();
  #sessionCount = 0;
  /** Where the next one goes, and how many are kept before it. */
  #next = 0;
  #count = 0;
  #characters = 0;

  constructor({ frames = 256, characters = 1024 * 1024 }: RecorderOptions = {}) {
    this.#most = frames;
    this.#mostCharacters = characters;
    this.#longest = characters / 16;
    this.#texts = Array.from({ length: frames }, () => undefined);
    this.#sizes = new Float64Array(frames);
    this.#times = new Float64Array(frames);
    this.#sessions = new Float64Array(frames);
    this.#lengths = new Float64Array(frames);
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
    for (let age = this.#count; age > 0; age -= 1) kept.push(this.#frameAt(this.#placeOf(age)));
    return kept;
  }

  /** The server has ended: whoever listens finishes what it has heard. */
  async close(): Promise<void> {
    const all = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const closed of all) await closed?.();
  }

  #keep(session: Numbered, from: Frame["from"], message: string): void {
    const text = message.length > this.#longest ? headOf(message, this.#longest) : message;
    const at = this.#next;
    if (this.#count < this.#most) this.#count += 1;
    else this.#characters -= this.#sizes[at] as number;
    this.#texts[at] = text;
    this.#sizes[at] = text.length;
    this.#times[at] = currentTime();
    this.#sessions[at] = this.#numberOf(session);
    this.#lengths[at] = from === "client" ? message.length : -message.length - 1;
    this.#characters += text.length;
    this.#next = at + 1 === this.#most ? 0 : at + 1;
    while (this.#characters > this.#mostCharacters) this.#drop();
    if (this.#listeners.size === 0) return;
    const whole: Frame = { ...this.#frameAt(at), text: message, cut: undefined };
    for (const listener of this.#listeners.keys()) {
      try {
        listener(whole);
      } catch {
        // It must not cost the message; who fails hears no more.
        this.#listeners.delete(listener);
      }
    }
  }

  #frameAt(at: number): Frame {
    const text = this.#texts[at] as string;
    const signed = this.#lengths[at] as number;
    const length = signed < 0 ? -signed - 1 : signed;
    return {
      at: CLOCK_ORIGIN + (this.#times[at] as number),
      session: this.#sessions[at] as number,
      from: signed < 0 ? "server" : "client",
      text,
      cut: length === text.length ? undefined : length,
    };
  }

  /** Takes the oldest out. */
  #drop(): void {
    const at = this.#placeOf(this.#count);
    this.#characters -= this.#sizes[at] as number;
    this.#texts[at] = undefined;
    this.#count -= 1;
  }

  /** Where the one is that was put in so many ago; the newest was 1 ago. */
  #placeOf(age: number): number {
    const at = this.#next - age;
    return at < 0 ? at + this.#most : at;
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
