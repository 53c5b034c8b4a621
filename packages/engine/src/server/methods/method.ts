import { invalidParams } from "../../jsonrpc/errors.js";
import type { Request } from "../../jsonrpc/messages.js";
import type { Outcome } from "../../protocol/outcome.js";
import type { Core } from "../core.js";
import type { Exchange } from "../exchange.js";

/** A request as methods see it that need nothing else. */
export type Asked = Pick<Exchange, "core" | "link" | "revision" | "request" | "caller">;

/** What all methods have in common. */
interface Offered {
  /** Whether this server has the feature at all; without it the method does not exist. */
  isOffered?(core: Core): boolean;
}

/** A method that is answered from what is there, so that no exchange is made for it. */
export interface QuickMethod extends Offered {
  /** A promise only where something has to be loaded first. Throws `RpcError` to refuse. */
  answer(asked: Asked): Outcome | Promise<Outcome>;
  readonly run?: undefined;
}

/** A method that may take its time. */
export interface Method extends Offered {
  readonly answer?: undefined;
  /** Gives the outcome, now or later; undefined = the exchange answers by itself. Throws `RpcError` to refuse. */
  run(exchange: Exchange): Outcome | undefined | Promise<Outcome | undefined>;
}

/** The cursor of a list request. Throws `RpcError` for one that is no text. */
export function readCursor({ params }: Request): string | undefined {
  const cursor = params?.["cursor"];
  if (cursor !== undefined && typeof cursor !== "string")
    throw invalidParams("Invalid params: cursor must be a string");
  return cursor;
}
