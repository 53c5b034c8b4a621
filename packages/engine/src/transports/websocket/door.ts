import type { Log } from "../../server/log.js";
import { type ClientRate, clientOf, peerOf } from "../http/client-rate.js";
import { type Denial, EVERYBODY, type Gate, type Verified } from "../http/gate.js";
import type { Guard } from "../http/guard.js";
import type { NodeExchange } from "../http/node-exchange.js";
import { type Refuse, tellDenial, tellFault, tellRate } from "../http/turn-away.js";

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

/** Answers a request at the door: exactly one of the two is called, now or later. */
export function knock(door: Door, exchange: NodeExchange, no: Refuse, yes: (verified: Verified) => void): void {
  const { path, guard, gate, rate, log } = door;
  if (exchange.twice !== undefined) return no(400, `the header ${exchange.twice} came twice`);
  const refusal = guard.refusal(exchange);
  if (refusal !== undefined) return no(403, refusal);
  if (exchange.path !== path) return no(404, `nothing is here; MCP is spoken at ${path}`);
  if (!isSpoken(exchange.header("sec-websocket-protocol")))
    return no(400, `the sub-protocol is ${PROTOCOL}: offer it, or none`);
  const peerMs = rate?.look(peerOf(exchange)) ?? 0;
  if (peerMs > 0 && !gate?.knows(exchange)) return tellRate(no, peerMs);
  const decide = (admitted: Verified | Denial): void => {
    if (!("status" in admitted)) {
      const waitMs = rate?.take(clientOf(exchange, admitted)) ?? 0;
      return waitMs > 0 ? tellRate(no, waitMs) : yes(admitted);
    }
    // Guessing is bounded like calling.
    rate?.take(peerOf(exchange));
    tellDenial(no, admitted);
  };
  const admitted = gate === undefined ? EVERYBODY : gate.admit(exchange);
  if (!(admitted instanceof Promise)) return decide(admitted);
  admitted.then(decide, (error: unknown) => tellFault(no, log, error));
}

const isSpoken = (offered: string | undefined): boolean =>
  offered === undefined || offered.split(",").some((name) => name.trim() === PROTOCOL);
