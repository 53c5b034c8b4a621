import { internalError, RpcError } from "../jsonrpc/errors.js";
import { type Outcome, ToolError, toldOf } from "../protocol/outcome.js";
import { Asking } from "./asking/asking.js";
import { AuthorCall } from "./author-call.js";
import type { Call } from "./call.js";
import type { Exchange } from "./exchange.js";
import { forClient } from "./sanitise-failure.js";
import type { Work } from "./work.js";
import type { WorkKind } from "./work-kind.js";

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
    return error instanceof RpcError ? this.#tell(error) : this.#asking.conclude(() => this.#tell(error));
  }

  #tell(thrown: unknown): Promise<never> | never {
    if (!(thrown instanceof RpcError || thrown instanceof ToolError)) throw this.#unexpected(thrown);
    const told = forClient(this.#exchange, thrown);
    return told instanceof Promise ? told.then(refuse) : refuse(told);
  }

  #unexpected(error: unknown): RpcError {
    const { core, id } = this.#exchange;
    core.settings.log({ level: "error", message: `${this.kind} "${this.name}" failed`, requestId: id, error });
    return internalError(`The ${this.kind} failed unexpectedly: the details are in the server's log`);
  }
}

function refuse(failure: RpcError | ToolError): never {
  if (failure instanceof RpcError) throw failure;
  throw internalError(failure.message, toldOf(failure));
}
