import type { Exchange } from "../exchange.js";
import { TaskAsker } from "../tasks/task-asker.js";
import type { Asker } from "./asker.js";
import { LiveAsker } from "./live-asker.js";
import { ReplayAsker } from "./replay-asker.js";

/** Gives the asker of a call. Throws `RpcError` for state or answers that cannot be taken. */
export function createAsker(exchange: Exchange): Asker {
  if (exchange.revision.handshake) return new LiveAsker(exchange);
  const asker = new ReplayAsker(exchange);
  return exchange.core.tasks === undefined ? asker : new TaskAsker(exchange, asker);
}
