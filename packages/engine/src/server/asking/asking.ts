import type { Outcome } from "../../protocol/outcome.js";
import type { Exchange } from "../exchange.js";
import type { Asker } from "./asker.js";
import { type AskingKit, loadKit } from "./load-kit.js";

/** The questions of one run of a handler. Few handlers ask, so the asker is made at the first question. */
export class Asking {
  readonly #exchange: Exchange;
  #asker: Asker | undefined;
  /** Something was asked before there was what it takes to ask. */
  #loading: Promise<AskingKit> | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Runs a handler, once the state and the answers that came with the request are found to be right. */
  start(run: () => unknown): unknown {
    const { revision, request } = this.#exchange;
    const { params } = request;
    if (revision.handshake || params === undefined || !("requestState" in params || "inputResponses" in params))
      return run();
    // Checked even when the handler does not ask: forged ones must never pass unnoticed.
    const kit = loadKit();
    if (kit instanceof Promise) return kit.then((loaded) => this.#startWith(loaded, run));
    return this.#startWith(kit, run);
  }

  /** Asks with what it takes to ask. What can be noted at once is, for a handler may ask and not wait. */
  use<Value>(ask: (kit: AskingKit, asker: Asker) => Promise<Value>): Promise<Value> {
    const kit = loadKit();
    if (kit instanceof Promise) this.#loading = kit;
    const answer =
      kit instanceof Promise ? kit.then((loaded) => ask(loaded, this.#askerOf(loaded))) : ask(kit, this.#askerOf(kit));
    // The outcome is decided by what is open, so a rejection that nobody waits for must not end the process.
    answer.catch(() => undefined);
    return answer;
  }

  /** Goes on when all that the handler has asked is noted. What is still unanswered decides, not what it returned or threw. */
  conclude(otherwise: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    if (this.#loading === undefined) return this.unanswered() ?? otherwise();
    return this.#loading.then(() => this.unanswered() ?? otherwise());
  }

  /** The outcome of a run that has open questions. */
  unanswered(): Outcome | undefined {
    const pending = this.#asker?.pending();
    return pending && { kind: "input_required", ...pending };
  }

  #startWith(kit: AskingKit, run: () => unknown): unknown {
    this.#askerOf(kit);
    return this.#exchange.isDone ? undefined : run();
  }

  #askerOf(kit: AskingKit): Asker {
    this.#asker ??= kit.createAsker(this.#exchange);
    return this.#asker;
  }
}
