import { limitExceeded } from "../../jsonrpc/errors.js";
import type { Connection } from "../connection.js";
import type { Limits } from "./limits.js";
import { budgetHolder, SharedBudget } from "./shared-budget.js";

/** Requests up to this many characters are not counted: the limits of calls bound them. */
export const SMALL_REQUEST = 16 * 1024;

/** What a parsed array or object takes in memory besides its text, and what one more item of it takes. */
const CONTAINER_BYTES = 48;
const ITEM_BYTES = 16;

/** Counts what clients make the server keep: large requests that are being served, sessions, subscriptions. */
export class KeptBytes {
  readonly #budget: SharedBudget;

  constructor(limits: Pick<Limits, "keptBytes">) {
    this.#budget = new SharedBudget(() => limits.keptBytes);
  }

  /** Counts bytes of a client. Returns the function that releases them, once. Throws `RpcError` if the client keeps too much. */
  hold(connection: Pick<Connection, "principal" | "address" | "session">, bytes: number): () => void {
    const holder = budgetHolder(connection);
    if (!this.#budget.tryAdd(holder, bytes))
      throw limitExceeded("keptBytes", "the server keeps too much for this client; try again when less is open", {
        retryable: true,
      });
    let isHeld = true;
    return () => {
      if (isHeld) this.#budget.remove(holder, bytes);
      isHeld = false;
    };
  }
}

/** Estimates what a text takes in memory once it is parsed: many small arrays take much more than their text. */
export function parsedBytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // A comma, an opening bracket, an opening brace.
    if (code === 44) bytes += ITEM_BYTES;
    else if (code === 91 || code === 123) bytes += CONTAINER_BYTES;
  }
  return bytes;
}
