import type { Exchange } from "../exchange.js";
import type { Asker } from "./asker.js";
import { LiveAsker } from "./live-asker.js";
import { ReplayAsker } from "./replay-asker.js";

/** Gives the asker of a call. Throws `RpcError` for state or answers that cannot be taken. */
export function createAsker(exchange: Exchange): Asker {
  return exchange.revision.handshake ? new LiveAsker(exchange) : new ReplayAsker(exchange);
}
