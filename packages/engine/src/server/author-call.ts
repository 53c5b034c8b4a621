import type { JsonObject } from "../jsonrpc/json.js";
import type { Id } from "../jsonrpc/messages.js";
import type { Caller, LogLevel } from "../protocol/caller.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";
import type { Asker } from "./asking/asker.js";
import { createForm } from "./asking/form.js";
import type { Call } from "./call.js";
import type { Exchange } from "./exchange.js";
import { Notices } from "./notices.js";

/** The author's view of an exchange. Everything costly in it is made at the first use. */
export class AuthorCall implements Call {
  readonly #exchange: Exchange;
  readonly #work: { readonly asker: Asker; readonly progressToken: Id | undefined };
  #notices: Notices | undefined;

  /** `work` makes the asker and reads the progress token when they are first needed. */
  constructor(exchange: Exchange, work: { readonly asker: Asker; readonly progressToken: Id | undefined }) {
    this.#exchange = exchange;
    this.#work = work;
  }

  get caller(): Caller {
    return this.#exchange.caller;
  }

  get principal(): string | undefined {
    return this.#exchange.principal;
  }

  get signal(): AbortSignal {
    return this.#exchange.lifetime.signal;
  }

  progress(value: number, message?: string, total?: number): void {
    this.#tell().progress(value, message, total);
  }

  log(level: LogLevel, message: unknown, logger?: string): void {
    this.#tell().log(level, message, logger);
  }

  ask<const Form extends SchemaSource>(
    name: string,
    message: string,
    form: Form,
  ): Promise<InferInput<Form> | undefined> {
    const answer = this.#put(name, message, form);
    // A handler may ask and not wait; the outcome is decided by what is open, so this rejection must not end the process.
    answer.catch(() => undefined);
    return answer as Promise<InferInput<Form> | undefined>;
  }

  async #put(name: string, message: string, source: SchemaSource): Promise<unknown> {
    if (typeof message !== "string") throw new TypeError(`The tool asks "${name}" without words`);
    const { schema, requested } = createForm(source);
    let value: unknown;
    const accepts = async (content: JsonObject): Promise<string | undefined> => {
      const reading = await schema.read(content);
      if (!reading.ok) return reading.faults.join("; ");
      value = reading.value;
      return undefined;
    };
    const question = { method: "elicitation/create", params: { message, requestedSchema: requested } } as const;
    const answer = await this.#work.asker.ask(name, question, accepts);
    if (answer.action !== "accept") return undefined;
    return value;
  }

  #tell(): Notices {
    this.#notices ??= new Notices(this.#exchange, this.#work.progressToken);
    return this.#notices;
  }
}
