import { isObject, type JsonObject } from "../jsonrpc/messages.js";
import { type Change as AnyChange, LIST_KINDS } from "../protocol/types.js";
import { SUBSCRIPTION_ID_KEY } from "../revisions/meta-keys.js";
import type { ClientConnection, NotificationListener, SendOptions } from "./connection.js";
import { deferred, startDeadline } from "./deadline.js";

/** A change on the server: a list has other entries, or a resource has other contents. */
export type Change = Exclude<AnyChange, { kind: "task" }>;

/** The changes to listen to. */
export interface SubscriptionFilter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  /** Resources whose contents matter. A URI includes everything below it. */
  readonly uris?: readonly string[];
}

/** A subscription to changes. */
export interface Subscription {
  /** Resolves when the subscription has ended: with the reason if the client did not close it. */
  readonly closed: Promise<Error | undefined>;
  close(): Promise<void>;
}

/** What a subscription needs from the client. */
export interface SubscriptionContext {
  readonly connection: ClientConnection;
  readonly request: (method: string, params: JsonObject, options?: SendOptions) => Promise<JsonObject>;
  /** The resources of each subscription in a session, so that only the last one unsubscribes. */
  readonly subscribedUris: Set<readonly string[]>;
}

type ChangeListener = (change: Change) => void;

const ACKNOWLEDGE_TIMEOUT_MS = 60_000;

/** Subscribes in a session, where the server announces changes of lists to everyone. */
export async function subscribeInSession(
  { connection, request, subscribedUris }: SubscriptionContext,
  filter: SubscriptionFilter,
  onChange: ChangeListener,
): Promise<Subscription> {
  const listener: NotificationListener = (method, params) => {
    const change = parseChange(method, params);
    if (change && matchesFilter(filter, change)) onChange(change);
  };
  const uris = [...new Set(filter.uris)];
  const closedByClient = deferred<undefined>();
  const close = async (): Promise<void> => {
    if (!connection.listeners.delete(listener)) return;
    closedByClient.resolve(undefined);
    subscribedUris.delete(uris);
    for (const uri of uris)
      if (![...subscribedUris].some((others) => others.includes(uri)))
        await request("resources/unsubscribe", { uri }).catch(() => undefined);
  };
  connection.listeners.add(listener);
  // Added before the requests, so that another subscription that closes meanwhile does not unsubscribe.
  subscribedUris.add(uris);
  try {
    for (const uri of uris) await request("resources/subscribe", { uri });
  } catch (error) {
    void close();
    throw error;
  }
  return { closed: Promise.race([closedByClient.promise, connection.closed]), close };
}

/** Subscribes with a `subscriptions/listen` request, which lasts as long as the subscription. Resolves once acknowledged. */
export async function subscribeWithRequest(
  { connection, request }: SubscriptionContext,
  filter: SubscriptionFilter,
  onChange: ChangeListener,
): Promise<Subscription> {
  const abort = new AbortController();
  const acknowledged = deferred<void>();
  let id: number | undefined;
  const listener: NotificationListener = (method, params) => {
    const { _meta } = params;
    if (id === undefined || !isObject(_meta) || _meta[SUBSCRIPTION_ID_KEY] !== id) return;
    const change = parseChange(method, params);
    if (change) onChange(change);
    else if (method === "notifications/subscriptions/acknowledged") acknowledged.resolve();
  };
  connection.listeners.add(listener);
  const ended = request("subscriptions/listen", listenParams(filter), {
    signal: abort.signal,
    timeoutMs: Infinity,
    totalTimeoutMs: Infinity,
    onStart: (started) => {
      id = started;
    },
  }).finally(() => connection.listeners.delete(listener));
  const closed = ended.then(
    () => undefined,
    (error: unknown) => (abort.signal.aborted ? undefined : (error as Error)),
  );
  const deadline = startDeadline("subscriptions/listen", { timeoutMs: ACKNOWLEDGE_TIMEOUT_MS });
  await deadline.race(Promise.race([acknowledged.promise, ended])).catch((error: unknown) => {
    abort.abort();
    throw error;
  });
  return {
    closed,
    close: async () => {
      abort.abort();
      await closed;
    },
  };
}

function parseChange(method: string, { uri }: JsonObject): Change | undefined {
  const list = LIST_KINDS.find((kind) => method === `notifications/${kind}/list_changed`);
  if (list !== undefined) return { kind: list };
  return method === "notifications/resources/updated" && typeof uri === "string"
    ? { kind: "resource", uri }
    : undefined;
}

function matchesFilter(filter: SubscriptionFilter, change: Change): boolean {
  if (change.kind !== "resource") return filter[change.kind] === true;
  return (filter.uris ?? []).some((uri) => change.uri === uri || change.uri.startsWith(`${uri.replace(/\/$/, "")}/`));
}

function listenParams({ tools, prompts, resources, uris = [] }: SubscriptionFilter): JsonObject {
  return {
    notifications: {
      ...(tools && { toolsListChanged: true }),
      ...(prompts && { promptsListChanged: true }),
      ...(resources && { resourcesListChanged: true }),
      ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
    },
  };
}
