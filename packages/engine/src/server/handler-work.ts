import { internalError, RpcError } from "../jsonrpc/errors.js";
import { type Outcome, ToolError } from "../protocol/outcome.js";
import { Asking } from "./asking/asking.js";
import { AuthorCall } from "./author-call.js";
import type { Call } from "./call.js";
import type { Exchange } from "./exchange.js";
import type { Work, WorkKind } from "./work.js";

/** What one run of a prompt, a resource or a completion needs. */
export interface Handler {
  readonly kind: WorkKind;
  readonly name: string;
  readonly timeoutMs: number;
  run(call: Call): unknown;
  /** Turns what the author returned into an outcome; throws `TypeError` that says what is wrong with it. */
  write(value: unknown): Outcome;
}

/** One run of a handler that is no tool: no model sees its failures, so they are errors of the protocol. */
export class HandlerWork implements Work {
  readonly #exchange: Exchange;
  readonly #handler: Handler;
  readonly #asking: Asking;

  constructor(exchange: Exchange, handler: Handler) {
    this.#exchange = exchange;
    this.#handler = handler;
    this.#asking = new Asking(exchange);
  }

  get kind(): WorkKind {
    return this.#handler.kind;
  }

  get name(): string {
    return this.#handler.name;
  }

  get timeoutMs(): number {
    return this.#handler.timeoutMs;
  }

  start(): unknown {
    return this.#asking.start(() => this.#handler.run(new AuthorCall(this.#exchange, this.#asking)));
  }

  finish(value: unknown): Outcome | Promise<Outcome> {
    return this.#asking.conclude(() => this.#handler.write(value));
  }

  fail(error: unknown): Outcome | Promise<Outcome> {
    return this.#asking.conclude(() => this.#refuse(error));
  }

  #refuse(error: unknown): never {
    if (error instanceof RpcError) throw error;
    if (error instanceof ToolError) {
      const { code, details } = error;
      throw internalError(error.message, { ...(code !== undefined && { code }), ...details });
    }
    const { core, id } = this.#exchange;
    core.settings.log({ level: "error", message: `${this.kind} "${this.name}" failed`, requestId: id, error });
    throw internalError(`The ${this.kind} failed unexpectedly: the details are in the server's log`);
  }
}
