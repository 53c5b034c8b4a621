import { encodeNotification } from "../jsonrpc/messages.js";
import { type Change, resourceTopic, topicOf } from "../protocol/types.js";
import { parentUris } from "../protocol/uri.js";
import type { Limits } from "./limits/limits.js";
import type { Logger } from "./logging/log.js";
import { monotonicNow } from "./runtime.js";

const NOTIFICATION_METHODS: Readonly<Record<Change["kind"], string>> = {
  tools: "notifications/tools/list_changed",
  prompts: "notifications/prompts/list_changed",
  resources: "notifications/resources/list_changed",
  resource: "notifications/resources/updated",
  task: "notifications/tasks",
};

/** A change as listeners receive it; encoded once for all of them. */
interface ChangeNotification {
  readonly change: Change;
  readonly method: string;
  /** The members of the params, as JSON without braces. */
  readonly paramsText: string;
  /** The complete notification, for listeners that add nothing to the params. */
  readonly message: string;
}

function toNotification(change: Change): ChangeNotification {
  const method = NOTIFICATION_METHODS[change.kind];
  const paramsText = change.kind === "resource" ? `"uri":${JSON.stringify(change.uri)}` : "";
  const message = encodeNotification(method, paramsText === "" ? undefined : `{${paramsText}}`);
  return { change, method, paramsText, message };
}

/** Receives change notifications. */
export type ChangeListener = (notification: ChangeNotification) => void;

/** A topic that was notified less than an interval ago. */
interface Cooldown {
  readonly until: number;
  /** The latest change since then. */
  pending: Change | undefined;
}

/**
 * Sends change notifications to listeners, in the next turn of the event loop and not more than once per interval; changes in
 * between are sent as one, at the end.
 */
export class ChangeNotifier {
  readonly #limits: Pick<Limits, "changeIntervalMs" | "changesPending">;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<ChangeListener>>();
  /** Changes to send in the next turn, by topic. */
  readonly #pending = new Map<string, Change>();
  /** By topic, ordered by their end. */
  readonly #cooldowns = new Map<string, Cooldown>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Pick<Limits, "changeIntervalMs" | "changesPending">, log: Logger) {
    this.#limits = limits;
    this.#log = log;
  }

  publish(change: Change): void {
    if (this.#listenersOf(change).size === 0) return;
    const topic = topicOf(change);
    const cooldown = this.#cooldowns.get(topic);
    if (cooldown !== undefined) {
      cooldown.pending = change;
      return;
    }
    if (this.#pending.size === 0) setImmediate(() => this.#flush());
    if (this.#pending.size < this.#limits.changesPending || this.#pending.has(topic)) this.#pending.set(topic, change);
    else this.#dropped += 1;
  }

  /** Adds a listener to a topic. The returned function removes it. */
  subscribe(topic: string, listener: ChangeListener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => this.unsubscribe(topic, listener);
  }

  /** Removes a listener from a topic. */
  unsubscribe(topic: string, listener: ChangeListener): void {
    const listeners = this.#listeners.get(topic);
    if (listeners?.delete(listener) && listeners.size === 0) this.#listeners.delete(topic);
  }

  #flush(): void {
    const pending = [...this.#pending];
    this.#pending.clear();
    const until = monotonicNow() + this.#limits.changeIntervalMs;
    for (const [topic, change] of pending) this.#notify(topic, change, until);
    if (this.#dropped > 0) {
      const message = `dropped ${this.#dropped} change notifications: ${pending.length} were already pending`;
      this.#log({ level: "warning", message });
      this.#dropped = 0;
    }
    this.#scheduleTimer();
  }

  #notify(topic: string, change: Change, until: number): void {
    // Without room for another cooldown, the next change of the topic is sent immediately rather than lost.
    if (this.#cooldowns.size < this.#limits.changesPending) this.#cooldowns.set(topic, { until, pending: undefined });
    const notification = toNotification(change);
    for (const listener of this.#listenersOf(change)) {
      try {
        listener(notification);
      } catch (error) {
        this.#log({ level: "error", message: `a listener for ${notification.method} failed`, error });
      }
    }
  }

  /** Sends the changes of the topics whose interval has ended. */
  #endCooldowns(): void {
    const now = monotonicNow();
    for (const [topic, { until, pending }] of this.#cooldowns) {
      if (until > now) break;
      this.#cooldowns.delete(topic);
      if (pending !== undefined) this.#notify(topic, pending, now + this.#limits.changeIntervalMs);
    }
    this.#timer = undefined;
    this.#scheduleTimer();
  }

  #scheduleTimer(): void {
    const [first] = this.#cooldowns.values();
    if (first === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#endCooldowns(), Math.ceil(first.until - monotonicNow())).unref();
  }

  /** Each listener once, even if it listens to a resource and to parents of it. */
  #listenersOf(change: Change): ReadonlySet<ChangeListener> {
    const exact = this.#listeners.get(topicOf(change)) ?? NO_LISTENERS;
    if (change.kind !== "resource") return exact;
    const ofParents = parentUris(change.uri).flatMap((uri) => [...(this.#listeners.get(resourceTopic(uri)) ?? [])]);
    return ofParents.length === 0 ? exact : new Set([...exact, ...ofParents]);
  }
}

const NO_LISTENERS: ReadonlySet<ChangeListener> = new Set();
