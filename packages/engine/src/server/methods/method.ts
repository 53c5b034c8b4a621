import type { Outcome } from "../../protocol/outcome.js";
import type { Core } from "../core.js";
import type { Exchange } from "../exchange.js";

/** How one MCP method is served. */
export interface Method {
  /** Whether this server has the feature at all; without it the method does not exist. */
  isOffered?(core: Core): boolean;
  /** Gives the outcome, now or later; undefined = the exchange answers by itself. Throws `RpcError` to refuse. */
  run(exchange: Exchange): Outcome | Promise<Outcome> | undefined;
}
