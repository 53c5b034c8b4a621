import type { Log } from "../../server/log.js";
import type { Denial } from "./gate.js";
import type { HttpHeaders, HttpReply } from "./host.js";
import { refuse, refuseOver } from "./refusals.js";

/** Says no, in words and as HTTP numbers it. */
export type Refuse = (status: number, reason: string, headers?: HttpHeaders) => void;

/** How a request is refused; one over the rate says so in its error too. */
export const turnAway =
  (reply: HttpReply): Refuse =>
  (status, reason, headers) => {
    if (status === 429) refuseOver(reply, status, "rate", reason, headers);
    else refuse(reply, status, reason, headers);
  };

/** Says to a client that comes too often when to come again. */
export function tellRate(no: Refuse, waitMs: number): void {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  no(429, `too many requests; try again in ${seconds} s`, { "retry-after": `${seconds}` });
}

/** Says to a client why it is not let in. */
export function tellDenial(no: Refuse, { status, message, challenge, retryAfterMs }: Denial): void {
  const wait = retryAfterMs !== undefined && { "retry-after": `${Math.ceil(retryAfterMs / 1000)}` };
  no(status, message, { ...wait, ...(challenge !== "" && { "www-authenticate": challenge }) });
}

/** Says that something failed, and not what: that stands in the log. */
export function tellFault(no: Refuse, log: Log, error: unknown): void {
  log({ level: "error", message: "a request could not be served", error });
  no(500, "the request could not be served; the details are in the server's log");
}
