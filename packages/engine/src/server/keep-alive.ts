import { encodeRequest } from "../jsonrpc/codec.js";
import { monotonic } from "./clock.js";
import { LONGEST_WAIT_MS } from "./limits.js";
import type { Session } from "./session.js";

/** How a server looks whether its clients are still there. */
export interface KeepAliveOptions {
  /** How long after an answer the next ping goes out; 30 s by default. */
  readonly everyMs?: number;
  /** How long a client may take to answer; 30 s by default. */
  readonly timeoutMs?: number;
}

const DEFAULTS: Required<KeepAliveOptions> = { everyMs: 30_000, timeoutMs: 30_000 };

/** Checks the option and fills in the defaults; undefined = nobody is pinged. Throws `TypeError` that names the fault. */
export function readKeepAlive(given: boolean | KeepAliveOptions | undefined): Required<KeepAliveOptions> | undefined {
  if (given === undefined || given === false) return undefined;
  const settings = { ...DEFAULTS };
  for (const [name, value] of Object.entries(given === true ? {} : given)) {
    if (!Object.hasOwn(DEFAULTS, name)) throw new TypeError(`Cannot create the server: keepAlive.${name} is unknown`);
    if (!(typeof value === "number" && value > 0))
      throw new TypeError(`Cannot create the server: keepAlive.${name} must be a positive number`);
    settings[name as keyof KeepAliveOptions] = Math.min(value, LONGEST_WAIT_MS);
  }
  return settings;
}

/**
 * Pings the client of a session again and again, and gives it up when it does not answer; any answer is a sign of life. Only
 * clients with a handshake can be pinged. The returned function ends it.
 */
export function keepAlive(
  session: Session,
  push: (message: string) => void,
  { everyMs, timeoutMs }: Required<KeepAliveOptions>,
  giveUp: () => void,
): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(ping, everyMs).unref();
  };
  const ping = (): void => {
    // A client that cannot hear the question is not to blame for its silence.
    if (!session.isHeard) return wait();
    const answered = (): void => {
      clearTimeout(timer);
      wait();
    };
    const id = session.openQuestion({ answered, abandoned: () => clearTimeout(timer) });
    const since = monotonic();
    timer = setTimeout(() => {
      if (session.usedAt < since) return giveUp();
      // It is there, and may have lost the ping with its stream.
      session.closeQuestion(id);
      wait();
    }, timeoutMs).unref();
    push(encodeRequest(id, "ping", "{}"));
  };
  wait();
  return () => clearTimeout(timer);
}
