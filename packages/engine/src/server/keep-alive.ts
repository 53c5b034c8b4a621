import { encodeRequest } from "../jsonrpc/messages.js";
import * as check from "./definitions/checks.js";
import { omitUndefined } from "./definitions/validation.js";
import { MAX_TIMER_MS } from "./limits/limits.js";
import type { ServerSettings } from "./options.js";
import { monotonicNow } from "./runtime.js";
import type { Session } from "./session.js";

/** How a server checks that its clients are still there. */
export interface KeepAliveOptions {
  /** Time between a response and the next ping; 30 s by default. */
  readonly intervalMs?: number;
  /** How long a client may take to respond; 30 s by default. */
  readonly timeoutMs?: number;
}

const DEFAULTS: Required<KeepAliveOptions> = { intervalMs: 30_000, timeoutMs: 30_000 };

/** Validates the option, if it is an object. */
export const keepAliveCheck: check.Check = (value, path) =>
  typeof value === "boolean"
    ? undefined
    : check.strictObject({ intervalMs: check.positiveNumber, timeoutMs: check.positiveNumber })(value, path);

/** Applies the defaults; undefined = no pings. */
export function resolveKeepAlive(option: boolean | KeepAliveOptions = false): Required<KeepAliveOptions> | undefined {
  if (option === false) return undefined;
  const { intervalMs, timeoutMs } = { ...DEFAULTS, ...(option === true ? {} : omitUndefined(option)) };
  return { intervalMs: Math.min(intervalMs, MAX_TIMER_MS), timeoutMs: Math.min(timeoutMs, MAX_TIMER_MS) };
}

/**
 * Pings the client of a session at an interval, if the server is configured so, and ends the session when it does not respond. Only
 * clients with a handshake can be pinged. The returned function stops it.
 */
export function startKeepAlive(
  session: Session,
  { keepAlive, log }: ServerSettings,
  push: (message: string) => void,
): (() => void) | undefined {
  if (keepAlive === undefined) return undefined;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(ping, keepAlive.intervalMs).unref();
  };
  const ping = (): void => {
    // A client without an open stream cannot receive the ping.
    if (!session.isReachable) return wait();
    const onResponse = (): void => {
      clearTimeout(timer);
      wait();
    };
    const id = session.addPendingRequest({ onResponse, onAbandoned: () => clearTimeout(timer) });
    const since = monotonicNow();
    timer = setTimeout(() => {
      if (session.lastSeenAt < since) return disconnect();
      // The client was seen since; the ping may have been lost with its stream.
      session.removePendingRequest(id);
      wait();
    }, keepAlive.timeoutMs).unref();
    push(encodeRequest(id, "ping", "{}"));
  };
  const disconnect = (): void => {
    log({ level: "notice", message: "a client did not respond to a ping and was disconnected" });
    session.close();
    session.options.disconnect?.();
  };
  wait();
  return () => clearTimeout(timer);
}
