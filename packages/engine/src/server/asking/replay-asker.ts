import { invalidParams } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { type Question, ToolError } from "../../protocol/outcome.js";
import type { Exchange } from "../exchange.js";
import { type Asker, claimName, type ReadAnswer, requireAnswerer, Unanswered } from "./asker.js";
import { type CallState, digest, Seal } from "./seal.js";

/** Stateless revision: an answer came with the request, or the call ends and comes back with it. The handler runs again. */
export class ReplayAsker implements Asker {
  readonly #exchange: Exchange;
  readonly #names = new Set<string>();
  readonly #open = new Map<string, Question>();
  readonly #binding: string;
  readonly #state: CallState | undefined;
  readonly #fresh: JsonObject;
  readonly #answers: Record<string, { question: string; answer: Json }>;
  readonly #kept: Record<string, { basis: string; value: JsonObject }>;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    const { requestState, inputResponses, _meta, ...params } = exchange.request.params ?? {};
    if (inputResponses !== undefined && !isObject(inputResponses))
      throw invalidParams("Invalid params: inputResponses must be an object");
    if (requestState !== undefined && typeof requestState !== "string")
      throw invalidParams("Invalid params: requestState must be a string");
    // Absent arguments and empty ones are the same call, and clients change one into the other.
    const { arguments: given = {}, ...rest } = params;
    const call = digest({ ...rest, arguments: given });
    this.#binding = JSON.stringify([exchange.principal ?? null, exchange.request.method, call]);
    this.#state = requestState === undefined ? undefined : this.#seal.open(requestState, this.#binding);
    this.#fresh = inputResponses ?? {};
    this.#answers = { ...this.#state?.answers };
    this.#kept = { ...this.#state?.kept };
    // Kept even where the handler does not come to ask for it in this round, so that nobody is asked again.
    for (const [name, print] of Object.entries(this.#state?.asked ?? {})) {
      if (Object.hasOwn(this.#fresh, name))
        this.#answers[name] = { question: print, answer: this.#fresh[name] as Json };
    }
  }

  async ask<Value>(name: string, question: Question, read: ReadAnswer<Value>): Promise<Value> {
    claimName(this.#names, name);
    requireAnswerer(this.#exchange, question);
    const print = digest(question.params);
    const answer = this.#given(name, print);
    // Nothing is awaited before a question without an answer is noted: a handler may ask and not wait.
    if (answer === undefined) throw this.#note(name, question);
    this.#answers[name] = { question: print, answer };
    const given = read(answer);
    const reading = given instanceof Promise ? await given : given;
    if ("value" in reading) return reading.value;
    delete this.#answers[name];
    throw this.#note(name, question);
  }

  async keep(name: string, basis: Json, workOut: () => Promise<JsonObject>): Promise<JsonObject> {
    const print = digest(basis);
    const known = Object.hasOwn(this.#kept, name) ? this.#kept[name] : undefined;
    if (known?.basis === print) return known.value;
    const openBefore = this.#open.size;
    const value = await workOut();
    // Work that asked on the way, and went on without the answer, has come to nothing that may be kept.
    if (this.#open.size > openBefore) throw new Unanswered(`"${name}" waits for an answer itself`);
    this.#kept[name] = { basis: print, value };
    const bytes = Buffer.byteLength(JSON.stringify(this.#kept));
    const { keptBytes } = this.#exchange.core.settings.limits;
    if (bytes <= keptBytes) return value;
    delete this.#kept[name];
    throw new ToolError(
      `What the call has to remember between rounds has ${bytes} bytes; the limit is ${keptBytes}. Ask for less at once.`,
      { code: "TOO_MUCH_TO_KEEP", details: { limit: "keptBytes", bytes, most: keptBytes } },
    );
  }

  pending(): { questions: ReadonlyMap<string, Question>; state: string } | undefined {
    if (this.#open.size === 0) return undefined;
    const asked = Object.fromEntries([...this.#open].map(([name, { params }]) => [name, digest(params)]));
    const kept = Object.keys(this.#kept).length === 0 ? {} : { kept: this.#kept };
    const next: CallState = { round: this.#round + 1, answers: this.#answers, asked, ...kept };
    return { questions: this.#open, state: this.#seal.close(next, this.#binding) };
  }

  get #seal(): Seal {
    return this.#exchange.core.sealBy((secret) => new Seal(secret));
  }

  get #round(): number {
    return this.#state?.round ?? 0;
  }

  /** Notes a question to be put to the client, and gives what ends the handler. */
  #note(name: string, question: Question): Error {
    const { questionRounds } = this.#exchange.core.settings.limits;
    if (this.#round >= questionRounds) {
      return new ToolError(`The call was given up after ${questionRounds} rounds of questions.`, {
        code: "TOO_MANY_ROUNDS",
        details: { limit: "questionRounds" },
      });
    }
    this.#open.set(name, question);
    return new Unanswered(`"${name}" is still to be answered`);
  }

  #given(name: string, print: string): Json | undefined {
    const known = Object.hasOwn(this.#answers, name) ? this.#answers[name] : undefined;
    if (known !== undefined) return known.question === print ? known.answer : undefined;
    // Without state the client tells no round apart; with it, an answer to what was not asked is no answer.
    return this.#state === undefined && Object.hasOwn(this.#fresh, name) ? this.#fresh[name] : undefined;
  }
}
