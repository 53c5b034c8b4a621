import type { Json, JsonObject } from "../../jsonrpc/json.js";
import { type Question, ToolError } from "../../protocol/outcome.js";
import { sizeFault } from "../answer-size.js";
import { type Asker, cannotAsk, type ReadAnswer, Unanswered } from "../asking/asker.js";
import type { Exchange } from "../exchange.js";
import type { Afterlife } from "../work.js";

/**
 * Stateless revision, on a server with tasks: while the call is a plain one, it asks as plain ones do; once it goes on as a
 * task, what was not answered before is asked through the task, and the handler waits.
 */
export class TaskAsker implements Asker {
  readonly #exchange: Exchange;
  readonly #plain: Asker;

  constructor(exchange: Exchange, plain: Asker) {
    this.#exchange = exchange;
    this.#plain = plain;
  }

  async ask<Value>(name: string, question: Question, read: ReadAnswer<Value>): Promise<Value> {
    try {
      return await this.#plain.ask(name, question, read);
    } catch (error) {
      // Looked up only now: the call may have become a task while an answer was being read.
      const task = this.#task;
      if (task === undefined || !(error instanceof Unanswered)) throw error;
      return this.#askThrough(task, name, question, read);
    }
  }

  async keep(name: string, basis: Json, workOut: () => Promise<JsonObject>): Promise<JsonObject> {
    let made: JsonObject | undefined;
    try {
      return await this.#plain.keep(name, basis, async () => {
        made = await workOut();
        return made;
      });
    } catch (error) {
      // In a task the handler does not run again, so nothing has to be remembered.
      if (made === undefined || this.#task === undefined) throw error;
      return made;
    }
  }

  pending(): ReturnType<Asker["pending"]> {
    return this.#task === undefined ? this.#plain.pending() : undefined;
  }

  get #task(): Afterlife | undefined {
    const { afterlife } = this.#exchange;
    return afterlife?.isHeard === false ? afterlife : undefined;
  }

  /** An answer that cannot be read is asked for again: the client may have had another form in mind. */
  async #askThrough<Value>(task: Afterlife, name: string, question: Question, read: ReadAnswer<Value>): Promise<Value> {
    const { messageBytes, questionRounds } = this.#exchange.core.settings.limits;
    if (sizeFault(JSON.stringify(question.params), messageBytes / 2) !== undefined)
      throw cannotAsk(this.#exchange, question, "and the question is too large to send");
    let fault = "";
    for (let round = 0; round < questionRounds; round += 1) {
      const reading = await read(await task.ask(name, question));
      if ("value" in reading) return reading.value;
      fault = reading.fault;
    }
    throw new ToolError(fault, { code: "BAD_ANSWER", details: { limit: "questionRounds" } });
  }
}
