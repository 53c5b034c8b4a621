import * as check from "../definitions/checks.js";
import { TIME_ORIGIN, TurnClock } from "../runtime.js";

/** How much is kept of a message that is too long. */
const HEAD_LENGTH = 1024;

/** Limits of the recorder's memory. */
export interface RecorderOptions {
  /** The maximum number of messages; 256 by default. */
  readonly frames?: number;
  /** The maximum number of characters in total; 1 Mi by default. A message longer than 1/16 of it is truncated. */
  readonly characters?: number;
}

const checkOptions = check.strictObject({
  frames: check.positiveInteger,
  characters: check.positiveInteger,
} satisfies check.Checks<RecorderOptions>);

/** One message that was received or sent. */
export interface Frame {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** The number of the session; the first is 1. */
  readonly session: number;
  readonly from: "client" | "server";
  readonly text: string;
  /** The length of the message if `text` is truncated. */
  readonly originalLength: number | undefined;
}

/** A session. It stores its own number, because a lookup would cost more than the rest of the recording. */
interface RecordedSession {
  /** 0 until its first message is recorded. */
  recordingId: number;
}

/** Called for each message that is received or sent. It must not throw or block. */
export type FrameListener = (frame: Frame) => void;

/** The recent messages of a server. Secrets are not redacted. */
export interface FrameSource {
  /** The messages that are kept, oldest first. */
  frames(): readonly Frame[];
  /** Calls a listener with each complete message from now on; the returned function unsubscribes it. The server awaits `onClose` when it closes. */
  subscribe(listener: FrameListener, onClose?: () => Promise<void>): () => void;
}

/** One slot of the ring buffer. It is reused: an object per message would be garbage a moment later. */
interface Slot {
  /** Milliseconds since the time origin of the process. */
  timestamp: number;
  session: number;
  from: Frame["from"];
  text: string;
  /** The length of `text`: reading it from the oldest string would be a cache miss. */
  storedLength: number;
  originalLength: number;
}

/** A ring buffer of the last messages. They are stored as they are, because most are never read; secrets are redacted by the reader. */
export class FrameRecorder implements FrameSource {
  readonly #clock: TurnClock;
  readonly #maxCharacters: number;
  /** Longer messages are truncated. */
  readonly #maxFrameLength: number;
  readonly #slots: readonly Slot[];
  readonly #listeners = new Map<FrameListener, (() => Promise<void>) | undefined>();
  #sessionCount = 0;
  /** The index of the next slot, and the number of messages before it. */
  #next = 0;
  #count = 0;
  #characters = 0;

  constructor({ frames = 256, characters = 1024 * 1024 }: RecorderOptions = {}, clock = new TurnClock()) {
    this.#clock = clock;
    this.#maxCharacters = characters;
    this.#maxFrameLength = characters / 16;
    this.#slots = Array.from({ length: frames }, () => ({
      timestamp: 0.5,
      session: 0,
      from: "client",
      text: "",
      storedLength: 0,
      originalLength: 0,
    }));
  }

  /** Records a message. */
  record(from: Frame["from"], session: RecordedSession, message: string): void {
    if (session.recordingId === 0) session.recordingId = this.#sessionCount += 1;
    const text = message.length > this.#maxFrameLength ? copyHead(message, this.#maxFrameLength) : message;
    const slot = this.#slots[this.#next] as Slot;
    if (this.#count < this.#slots.length) this.#count += 1;
    else this.#characters -= slot.storedLength;
    slot.timestamp = this.#clock.now();
    slot.session = session.recordingId;
    slot.from = from;
    slot.text = text;
    slot.storedLength = text.length;
    slot.originalLength = message.length;
    this.#characters += text.length;
    this.#next = this.#next + 1 === this.#slots.length ? 0 : this.#next + 1;
    while (this.#characters > this.#maxCharacters) this.#evictOldest();
    if (this.#listeners.size > 0) this.#notify({ ...toFrame(slot), text: message, originalLength: undefined });
  }

  subscribe(listener: FrameListener, onClose?: () => Promise<void>): () => void {
    this.#listeners.set(listener, onClose);
    return () => this.#listeners.delete(listener);
  }

  frames(): readonly Frame[] {
    const newest = [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)];
    return newest.slice(newest.length - this.#count).map(toFrame);
  }

  /** Unsubscribes all listeners and waits until they have finished. */
  async close(): Promise<void> {
    const callbacks = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const onClose of callbacks) await onClose?.();
  }

  #notify(frame: Frame): void {
    for (const listener of this.#listeners.keys()) {
      try {
        listener(frame);
      } catch {
        // A listener that throws is unsubscribed; the message must not be affected.
        this.#listeners.delete(listener);
      }
    }
  }

  #evictOldest(): void {
    const index = this.#next - this.#count;
    const oldest = this.#slots[index < 0 ? index + this.#slots.length : index] as Slot;
    this.#characters -= oldest.storedLength;
    oldest.text = "";
    this.#count -= 1;
  }
}

const toFrame = ({ timestamp, session, from, text, originalLength }: Slot): Frame => ({
  timestamp: TIME_ORIGIN + timestamp,
  session,
  from,
  text,
  originalLength: originalLength === text.length ? undefined : originalLength,
});

/** Copies the start of a message, because a slice would keep the whole message in memory. */
function copyHead(message: string, maxLength: number): string {
  return Buffer.from(message.slice(0, Math.min(HEAD_LENGTH, maxLength))).toString();
}

/** Creates the recorder of a server; undefined if it is disabled. Throws `TypeError` that names the invalid option. */
export function createFrameRecorder(
  option: boolean | RecorderOptions = true,
  clock?: TurnClock,
): FrameRecorder | undefined {
  if (option === false) return undefined;
  const options = option === true ? {} : option;
  const issue = checkOptions(options, "recorder");
  if (issue !== undefined) throw new TypeError(`Cannot create the server: ${issue}`);
  return new FrameRecorder(options, clock);
}
