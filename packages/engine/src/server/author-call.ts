import type { Caller, LogLevel } from "../protocol/caller.js";
import { readTrace, type Trace } from "../protocol/trace.js";
import { metaOf } from "../revisions/revision.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";
import type { Asking } from "./asking/asking.js";
import { canAsk } from "./asking/can.js";
import type { Call, HttpContext, Possibility, Root, Sample, SampleRequest } from "./call.js";
import type { Exchange } from "./exchange.js";
import { Notices } from "./notices.js";

/** The author's view of an exchange. Everything costly in it is made at the first use. */
export class AuthorCall implements Call {
  readonly #exchange: Exchange;
  readonly #asking: Asking;
  #notices: Notices | undefined;
  #roots: Promise<readonly Root[]> | undefined;

  constructor(exchange: Exchange, asking: Asking) {
    this.#exchange = exchange;
    this.#asking = asking;
  }

  get caller(): Caller {
    return this.#exchange.caller;
  }

  get principal(): string | undefined {
    return this.#exchange.principal;
  }

  get scopes(): ReadonlySet<string> | undefined {
    return this.#exchange.link.scopes;
  }

  get http(): HttpContext | undefined {
    const { headers } = this.#exchange.link;
    return headers && { headers };
  }

  get signal(): AbortSignal {
    return this.#exchange.lifetime.signal;
  }

  get trace(): Trace | undefined {
    return readTrace(metaOf(this.#exchange.request));
  }

  progress(value: number, message?: string, total?: number): void {
    this.#tell().progress(value, message, total);
  }

  log(level: LogLevel, message: unknown, logger?: string): void {
    this.#tell().log(level, message, logger);
  }

  can(what: Possibility): boolean {
    return canAsk(this.#exchange, what);
  }

  ask<const Form extends SchemaSource>(
    name: string,
    message: string,
    form: Form,
  ): Promise<InferInput<Form> | undefined> {
    return this.#asking.use(
      (kit, asker) => kit.askForm(asker, name, message, form) as Promise<InferInput<Form> | undefined>,
    );
  }

  visit(name: string, message: string, url: string, { id }: { readonly id?: string } = {}): Promise<boolean> {
    return this.#asking.use((kit, asker) => kit.askVisit(asker, name, message, url, id));
  }

  sample(name: string, request: SampleRequest): Promise<Sample> {
    return this.#asking.use((kit, asker) => kit.sample({ exchange: this.#exchange, asker, call: this }, name, request));
  }

  roots(): Promise<readonly Root[]> {
    // Asked once in a call: what a handler decided by them must not change under it.
    this.#roots ??= this.#asking.use((kit, asker) => kit.askRoots(this.#exchange, asker));
    return this.#roots;
  }

  #tell(): Notices {
    this.#notices ??= new Notices(this.#exchange);
    return this.#notices;
  }
}

// Authors take methods apart from their call, as in `run(input, { progress })`: each keeps the call that it came from.
for (const name of ["progress", "log", "can", "ask", "visit", "sample", "roots"] as const) {
  const method: (...given: never[]) => unknown = AuthorCall.prototype[name];
  Object.defineProperty(AuthorCall.prototype, name, {
    get(): typeof method {
      return method.bind(this);
    },
  });
}
