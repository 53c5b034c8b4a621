import type { Json, JsonObject } from "../jsonrpc/json.js";
import type { Id } from "../jsonrpc/messages.js";
import type { Caller, LogLevel } from "../protocol/caller.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";
import type { Asker } from "./asker.js";
import type { Call } from "./call.js";
import type { Exchange } from "./exchange.js";
import { createForm } from "./form.js";
import { Notices } from "./notices.js";

/** The author's view of an exchange. Everything costly in it is made at the first use. */
export class AuthorCall implements Call {
  readonly #exchange: Exchange;
  readonly #desk: { readonly asker: Asker; readonly progressToken: Id | undefined };
  #notices: Notices | undefined;

  /** `desk` makes the asker and reads the progress token when they are first needed. */
  constructor(exchange: Exchange, desk: { readonly asker: Asker; readonly progressToken: Id | undefined }) {
    this.#exchange = exchange;
    this.#desk = desk;
  }

  get caller(): Caller {
    return this.#exchange.caller;
  }

  get principal(): string | undefined {
    return this.#exchange.principal;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  progress(value: number, message?: string, total?: number): void {
    this.#tell().progress(value, message, total);
  }

  log(level: LogLevel, message: Json, logger?: string): void {
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
    const { schema, requested } = createForm(source);
    let value: unknown;
    const accepts = async (content: JsonObject): Promise<string | undefined> => {
      const reading = await schema.read(content);
      if (!reading.ok) return reading.faults.join("; ");
      value = reading.value;
      return undefined;
    };
    const question = { method: "elicitation/create", params: { message, requestedSchema: requested } } as const;
    const answer = await this.#desk.asker.ask(name, question, accepts);
    if (answer.action !== "accept") return undefined;
    if (value === undefined) await accepts(answer.content);
    return value;
  }

  #tell(): Notices {
    this.#notices ??= new Notices(this.#exchange, this.#desk.progressToken);
    return this.#notices;
  }
}
