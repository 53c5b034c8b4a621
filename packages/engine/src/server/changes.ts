import { encodeNotification } from "../jsonrpc/codec.js";
import { type Change, resourceTopic, topicOf } from "../protocol/change.js";
import { parentsOf } from "../protocol/uri.js";
import { monotonic } from "./clock.js";
import type { Log } from "./log.js";

const METHODS: Readonly<Record<Change["of"], string>> = {
  tools: "notifications/tools/list_changed",
  prompts: "notifications/prompts/list_changed",
  resources: "notifications/resources/list_changed",
  resource: "notifications/resources/updated",
  task: "notifications/tasks",
};

/** A change as listeners hear of it; written down once, however many hear it. */
class Notice {
  readonly change: Change;
  readonly method: string;
  /** The members of the notification's params, as text without braces. */
  readonly members: string;
  #plain: string | undefined;

  constructor(change: Change) {
    this.change = change;
    this.method = METHODS[change.of];
    this.members = change.of === "resource" ? `"uri":${JSON.stringify(change.uri)}` : "";
  }

  /** The whole notification, for those who need no tag in it. */
  get plain(): string {
    this.#plain ??= encodeNotification(this.method, this.members === "" ? undefined : `{${this.members}}`);
    return this.#plain;
  }
}

/** Hears of changes. */
export type Listener = (notice: Notice) => void;

/** How far the feed goes for listeners that cannot keep up. */
export interface FeedLimits {
  /** How long a topic rests after it was told; what changes meanwhile is told once, at the end. */
  readonly changeRestMs: number;
  /** Changes that wait to be told, and topics that rest. */
  readonly changesPending: number;
}

/** A topic that was told a moment ago. */
interface Rest {
  readonly until: number;
  /** The last of what has changed since. */
  next: Change | undefined;
}

/** The one feed of changes. The first is told in the next turn of the event loop; more of the same while it rests become one. */
export class Changes {
  readonly #limits: FeedLimits;
  readonly #log: Log;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** What is told in the next turn, by topic. */
  readonly #due = new Map<string, Change>();
  /** By topic, in the order in which they may be told again. */
  readonly #resting = new Map<string, Rest>();
  #passedOver = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: FeedLimits, log: Log) {
    this.#limits = limits;
    this.#log = log;
  }

  publish(change: Change): void {
    if (this.#listenersOf(change).size === 0) return;
    const topic = topicOf(change);
    const rest = this.#resting.get(topic);
    if (rest !== undefined) {
      rest.next = change;
      return;
    }
    if (this.#due.size === 0) setImmediate(() => this.#tellDue());
    if (this.#due.size < this.#limits.changesPending || this.#due.has(topic)) this.#due.set(topic, change);
    else this.#passedOver += 1;
  }

  /** Listens to one topic until the returned function is called. */
  listen(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => this.forget(topic, listener);
  }

  /** The same, for whoever keeps no function. */
  forget(topic: string, listener: Listener): void {
    const listeners = this.#listeners.get(topic);
    if (listeners?.delete(listener) && listeners.size === 0) this.#listeners.delete(topic);
  }

  #tellDue(): void {
    const due = [...this.#due];
    this.#due.clear();
    const until = monotonic() + this.#limits.changeRestMs;
    for (const [topic, change] of due) this.#tell(topic, change, until);
    if (this.#passedOver > 0) {
      const message = `${this.#passedOver} changes were not told: ${due.length} came in the same moment`;
      this.#log({ level: "warning", message });
      this.#passedOver = 0;
    }
    this.#arm();
  }

  #tell(topic: string, change: Change, until: number): void {
    // Where too many rest already, a topic is told again at once: better often than never.
    if (this.#resting.size < this.#limits.changesPending) this.#resting.set(topic, { until, next: undefined });
    const notice = new Notice(change);
    for (const listener of this.#listenersOf(change)) {
      try {
        listener(notice);
      } catch (error) {
        this.#log({ level: "error", message: `${notice.method} could not be told to one of its listeners`, error });
      }
    }
  }

  /** Tells what waited for the topics that have rested. */
  #wake(): void {
    const now = monotonic();
    for (const [topic, { until, next }] of this.#resting) {
      if (until > now) break;
      this.#resting.delete(topic);
      if (next !== undefined) this.#tell(topic, next, now + this.#limits.changeRestMs);
    }
    this.#timer = undefined;
    this.#arm();
  }

  #arm(): void {
    const [first] = this.#resting.values();
    if (first === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#wake(), Math.ceil(first.until - monotonic())).unref();
  }

  /** Each listener once, even one that hears of a resource and of those above it. */
  #listenersOf(change: Change): ReadonlySet<Listener> {
    const exact = this.#listeners.get(topicOf(change));
    if (change.of !== "resource") return exact ?? NOBODY;
    const above = parentsOf(change.uri).flatMap((uri) => [...(this.#listeners.get(resourceTopic(uri)) ?? [])]);
    return above.length === 0 ? (exact ?? NOBODY) : new Set([...(exact ?? []), ...above]);
  }
}

const NOBODY: ReadonlySet<Listener> = new Set();
