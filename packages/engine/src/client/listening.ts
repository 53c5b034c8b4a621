import type { JsonObject } from "../jsonrpc/json.js";
import { type Change, isWanted, readChange, subscriptionOf, type Wanted, writeWanted } from "./changes.js";
import type { SendOptions } from "./connection.js";
import { TimedOut } from "./errors.js";
import { pause } from "./pause.js";

/** An open ear for changes. */
export interface Listening {
  /** Resolves when nothing more will be heard, with the reason where it was not asked for. */
  readonly ended: Promise<Error | undefined>;
  close(): Promise<void>;
}

/** Hears notifications. */
export type Listener = (method: string, params: JsonObject) => void;

/** What listening needs of the client. */
export interface ListeningDesk {
  /** Resolves with the reason when nothing more will be heard at all. */
  readonly closed: Promise<Error>;
  readonly listeners: Set<Listener>;
  /** How many listen to each resource, so that the last one can say that nobody does. */
  readonly watched: Map<string, number>;
  readonly request: (method: string, params: JsonObject, options?: SendOptions) => Promise<JsonObject>;
}

/** How long a server may take to say what it will tell of. */
const ACKNOWLEDGED_MS = 60_000;

type Tell = (change: Change) => void;

/** Listens in a session, where changes of lists come by themselves. */
export async function listenInSession(desk: ListeningDesk, wanted: Wanted, tell: Tell): Promise<Listening> {
  const listener: Listener = (method, params) => {
    const change = readChange(method, params);
    if (change && isWanted(wanted, change)) tell(change);
  };
  const uris = [...new Set(wanted.uris)];
  const count = (uri: string, more: number): number => {
    const now = (desk.watched.get(uri) ?? 0) + more;
    desk.watched.set(uri, now);
    return now;
  };
  let end: (reason: undefined) => void = () => undefined;
  const given = new Promise<undefined>((resolve) => {
    end = resolve;
  });
  const close = async (): Promise<void> => {
    if (!desk.listeners.delete(listener)) return;
    end(undefined);
    for (const uri of uris)
      if (count(uri, -1) === 0) await desk.request("resources/unsubscribe", { uri }).catch(() => undefined);
  };
  desk.listeners.add(listener);
  // Counted before anything is asked, so that nobody who stops meanwhile ends what others want.
  for (const uri of uris) count(uri, 1);
  try {
    for (const uri of uris) await desk.request("resources/subscribe", { uri });
  } catch (error) {
    void close();
    throw error;
  }
  return { ended: Promise.race([given, desk.closed]), close };
}

/** Listens with a request that lasts; resolves when the server has said what it will tell of. */
export async function listenWithRequest(desk: ListeningDesk, wanted: Wanted, tell: Tell): Promise<Listening> {
  const closing = new AbortController();
  let id: number | undefined;
  let heard: () => void = () => undefined;
  const acknowledged = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const listener: Listener = (method, params) => {
    if (subscriptionOf(params) !== id) return;
    const change = readChange(method, params);
    if (change) tell(change);
    else if (method === "notifications/subscriptions/acknowledged") heard();
  };
  desk.listeners.add(listener);
  const request = desk.request("subscriptions/listen", writeWanted(wanted), {
    signal: closing.signal,
    timeoutMs: Infinity,
    totalMs: Infinity,
    onStart: (started) => {
      id = started;
    },
  });
  const ended = request
    .then(() => undefined)
    .catch((error: unknown) => (closing.signal.aborted ? undefined : (error as Error)))
    .finally(() => desk.listeners.delete(listener));
  const heardInTime = new AbortController();
  const silence = pause(ACKNOWLEDGED_MS, heardInTime.signal).then(() => {
    closing.abort();
    throw new TimedOut(`The server did not say within ${ACKNOWLEDGED_MS} ms what it will tell of; listen again`);
  });
  try {
    await Promise.race([acknowledged, request, silence]);
  } finally {
    silence.catch(() => undefined);
    heardInTime.abort();
  }
  return {
    ended,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}
