import type { Outcome } from "../../protocol/outcome.js";
import type { Exchange } from "../exchange.js";
import { createAsker } from "./ask.js";
import type { Asker } from "./asker.js";

/** The questions of one run of a handler. Few handlers ask, so the asker is made at the first question. */
export class Asking {
  readonly #exchange: Exchange;
  #asker: Asker | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    const { revision, request } = exchange;
    const { params } = request;
    // State and answers are checked even when the handler does not ask: forged ones must never pass unnoticed.
    if (!revision.handshake && params !== undefined && ("requestState" in params || "inputResponses" in params))
      this.#asker = createAsker(exchange);
  }

  get asker(): Asker {
    this.#asker ??= createAsker(this.#exchange);
    return this.#asker;
  }

  /** What is still unanswered decides the outcome, not what the handler returned or threw. */
  unanswered(): Outcome | undefined {
    const pending = this.#asker?.pending();
    return pending && { kind: "input_required", ...pending };
  }
}
