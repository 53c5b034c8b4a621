import type { Log } from "../../server/log.js";
import { type ClientRate, clientOf, peerOf } from "../http/client-rate.js";
import { type Denial, EVERYBODY, type Gate, type Verified } from "../http/gate.js";
import type { Guard } from "../http/guard.js";
import type { HttpHeaders, HttpReply } from "../http/host.js";
import type { NodeExchange } from "../http/node-exchange.js";
import { refuse, refuseOver } from "../http/refusals.js";

/** The one sub-protocol that is spoken. */
export const PROTOCOL = "mcp";

/** Who decides whether a client is let in. */
export interface Door {
  readonly path: string;
  readonly guard: Guard;
  readonly gate: Gate | undefined;
  readonly rate: ClientRate | undefined;
  readonly log: Log;
}

/** Says no, in words and as HTTP numbers it. */
export type Refuse = (status: number, reason: string, headers?: HttpHeaders) => void;

/** Answers a request at the door: exactly one of the two is called, now or later. */
export function knock(door: Door, exchange: NodeExchange, no: Refuse, yes: (verified: Verified) => void): void {
  const { path, guard, gate, rate, log } = door;
  if (exchange.twice !== undefined) return no(400, `the header ${exchange.twice} came twice`);
  const refusal = guard.refusal(exchange);
  if (refusal !== undefined) return no(403, refusal);
  if (exchange.path !== path) return no(404, `nothing is here; MCP is spoken at ${path}`);
  if (!isSpoken(exchange.header("sec-websocket-protocol")))
    return no(400, `the sub-protocol is ${PROTOCOL}: offer it, or none`);
  const isOver = rate?.isOver(peerOf(exchange)) ?? false;
  if (isOver) return tellRate(no, 1000);
  const decide = (admitted: Verified | Denial): void => {
    if (!("status" in admitted)) {
      const waitMs = rate?.take(clientOf(exchange, admitted)) ?? 0;
      return waitMs > 0 ? tellRate(no, waitMs) : yes(admitted);
    }
    // Guessing is bounded like calling.
    rate?.take(peerOf(exchange));
    const { status, message, challenge } = admitted;
    no(status, message, challenge === "" ? undefined : { "www-authenticate": challenge });
  };
  const admitted = gate === undefined ? EVERYBODY : gate.admit(exchange);
  if (!(admitted instanceof Promise)) return decide(admitted);
  admitted.then(decide, (error: unknown) => {
    log({ level: "error", message: "a request could not be served", error });
    no(500, "the request could not be served; the details are in the server's log");
  });
}

/** Refuses a request; one over the rate says so in its error too. */
export function turnAway(reply: HttpReply, ...[status, reason, headers]: Parameters<Refuse>): void {
  if (status === 429) refuseOver(reply, status, "rate", reason, headers);
  else refuse(reply, status, reason, headers);
}

function tellRate(no: Refuse, waitMs: number): void {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  no(429, `too many requests; try again in ${seconds} s`, { "retry-after": `${seconds}` });
}

const isSpoken = (offered: string | undefined): boolean =>
  offered === undefined || offered.split(",").some((name) => name.trim() === PROTOCOL);
