import { encodeId, encodeNotification, encodeRequest } from "../jsonrpc/codec.js";
import { invalidParams, missingCapability } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Id } from "../jsonrpc/messages.js";
import { type Question, ToolError } from "../protocol/outcome.js";
import type { Exchange } from "./exchange.js";
import { type CallState, digest } from "./seal.js";

/** What the client answered: the `result` of an elicitation, with the content read only on accept. */
export type Answer =
  | { readonly action: "accept"; readonly content: JsonObject }
  | { readonly action: "decline" | "cancel" };

/** The port through which a tool asks; handlers cannot see which implementation stands behind it. */
export interface Asker {
  /** Gives the raw answer. `accepts` says whether an answer fits; one that does not is no answer. */
  ask(name: string, question: Question, accepts: (content: JsonObject) => Promise<string | undefined>): Promise<Answer>;
  /** The questions that are still open, and the sealed answers so far; undefined when nothing is. */
  pending(): { readonly questions: ReadonlyMap<string, Question>; readonly state: string } | undefined;
}

/** Ends a handler of a stateless call whose question has no answer yet. */
class Unanswered extends Error {}

/** Gives the asker of a call. Throws `RpcError` for state or answers that cannot be taken. */
export function createAsker(exchange: Exchange): Asker {
  return exchange.revision.handshake ? new LiveAsker(exchange) : new ReplayAsker(exchange);
}

/** Refuses to ask a client that cannot be asked: -32021 where the revision has it, else a failure that the model sees. */
function requireElicitation(exchange: Exchange): void {
  const declared = exchange.caller.capabilities["elicitation"];
  // An empty object means forms; naming other modes only means that there are no forms.
  const isDeclared = isObject(declared) && (Object.keys(declared).length === 0 || "form" in declared);
  if (!exchange.revision.handshake) {
    if (isDeclared) return;
    throw missingCapability({ elicitation: {} });
  }
  if (isDeclared && exchange.link.session.isReady) return;
  if (isDeclared) {
    throw new ToolError("This tool has to ask the user, and this client has not sent notifications/initialized yet.", {
      code: "CANNOT_ASK",
    });
  }
  throw new ToolError("This tool has to ask the user, and this client cannot be asked (it declared no elicitation).", {
    code: "CANNOT_ASK",
  });
}

/** Handshake revisions: sends a request and waits in the session for the answer. The handler runs once. */
class LiveAsker implements Asker {
  readonly #exchange: Exchange;
  readonly #names = new Set<string>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  async ask(
    name: string,
    question: Question,
    accepts: (content: JsonObject) => Promise<string | undefined>,
  ): Promise<Answer> {
    refuseTwice(this.#names, name);
    requireElicitation(this.#exchange);
    const answer = readAnswer(await this.#send(name, question));
    if (answer === undefined) throw new ToolError("The client's answer could not be read.", { code: "BAD_ANSWER" });
    const fault = answer.action === "accept" ? await accepts(answer.content) : undefined;
    if (fault !== undefined) throw new ToolError(`The answer does not fit the form: ${fault}`, { code: "BAD_ANSWER" });
    return answer;
  }

  pending(): undefined {
    return undefined;
  }

  #send(name: string, question: Question): Promise<Json> {
    const exchange = this.#exchange;
    const { session } = exchange.link;
    const params = this.#write(name, question);
    if (exchange.isDone || session.isClosed) throw noAnswer("nobody waits for this call any more");
    return new Promise<Json>((resolve, reject) => {
      const settle = (step: () => void) => {
        clearTimeout(timer);
        session.closeQuestion(id);
        exchange.signal.removeEventListener("abort", onAbort);
        exchange.questionsOpen -= 1;
        exchange.touch();
        step();
      };
      const giveUp = (reason: string) => {
        exchange.link.send(encodeNotification("notifications/cancelled", cancelled(id, reason)));
        settle(() => reject(noAnswer(reason)));
      };
      const onAbort = () => giveUp("the call was cancelled");
      const id: Id = session.openQuestion({
        answered: ({ result, error }) =>
          settle(() => (error === undefined ? resolve(result as Json) : resolveRefusal(error, resolve, reject))),
        abandoned: (reason) => settle(() => reject(noAnswer(reason))),
      });
      const { questionTimeoutMs } = exchange.core.settings.limits;
      const timer = setTimeout(() => giveUp(`no answer within ${questionTimeoutMs} ms`), questionTimeoutMs);
      exchange.questionsOpen += 1;
      exchange.signal.addEventListener("abort", onAbort, { once: true });
      exchange.send(encodeRequest(id, question.method, JSON.stringify(params)));
    });
  }

  #write(name: string, question: Question): JsonObject {
    try {
      return { ...this.#exchange.revision.writeQuestion(question), _meta: { "toolwright/question": name } };
    } catch (cause) {
      throw new ToolError(`This tool has to ask the user, but ${(cause as Error).message}.`, { code: "CANNOT_ASK" });
    }
  }
}

/** Stateless revision: an answer came with the request, or the call ends and comes back with it. The handler runs again. */
class ReplayAsker implements Asker {
  readonly #exchange: Exchange;
  readonly #names = new Set<string>();
  readonly #open = new Map<string, Question>();
  readonly #binding: string;
  readonly #state: CallState | undefined;
  readonly #fresh: JsonObject;
  readonly #answers: Record<string, { question: string; answer: Json }>;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    const { requestState, inputResponses, _meta, ...params } = exchange.request.params ?? {};
    if (inputResponses !== undefined && !isObject(inputResponses))
      throw invalidParams("Invalid params: inputResponses must be an object");
    if (requestState !== undefined && typeof requestState !== "string")
      throw invalidParams("Invalid params: requestState must be a string");
    this.#binding = JSON.stringify([exchange.principal ?? null, exchange.request.method, digest(params)]);
    this.#state = requestState === undefined ? undefined : exchange.core.seal.open(requestState, this.#binding);
    this.#fresh = inputResponses ?? {};
    this.#answers = { ...this.#state?.answers };
  }

  async ask(
    name: string,
    question: Question,
    accepts: (content: JsonObject) => Promise<string | undefined>,
  ): Promise<Answer> {
    refuseTwice(this.#names, name);
    requireElicitation(this.#exchange);
    const print = digest(question.params);
    const answer = await this.#find(name, print, accepts);
    if (answer === undefined) {
      this.#refuseRound();
      this.#open.set(name, question);
      throw new Unanswered(`"${name}" is still to be answered`);
    }
    this.#answers[name] = { question: print, answer };
    return answer;
  }

  pending(): { questions: ReadonlyMap<string, Question>; state: string } | undefined {
    if (this.#open.size === 0) return undefined;
    const asked = Object.fromEntries([...this.#open].map(([name, { params }]) => [name, digest(params)]));
    const next = { round: this.#round + 1, answers: this.#answers, asked };
    return { questions: this.#open, state: this.#exchange.core.seal.close(next, this.#binding) };
  }

  get #round(): number {
    return this.#state?.round ?? 0;
  }

  #refuseRound(): void {
    const { questionRounds } = this.#exchange.core.settings.limits;
    if (this.#round < questionRounds) return;
    throw new ToolError(`The call was given up after ${questionRounds} rounds of questions.`, {
      code: "TOO_MANY_ROUNDS",
    });
  }

  async #find(
    name: string,
    print: string,
    accepts: (content: JsonObject) => Promise<string | undefined>,
  ): Promise<Answer | undefined> {
    const known = Object.hasOwn(this.#answers, name) ? this.#answers[name] : undefined;
    if (known?.question === print) return readAnswer(known.answer);
    // Without state the client tells no round apart; with it, an answer to another text is no answer.
    if (!Object.hasOwn(this.#fresh, name) || (this.#state !== undefined && this.#state.asked[name] !== print))
      return undefined;
    const answer = readAnswer(this.#fresh[name] as Json);
    if (answer?.action === "accept" && (await accepts(answer.content)) !== undefined) return undefined;
    return answer;
  }
}

function refuseTwice(names: Set<string>, name: string): void {
  if (names.has(name))
    throw new TypeError(`The tool asks twice under the name "${name}"; give each question a name of its own`);
  names.add(name);
}

function readAnswer(value: Json): Answer | undefined {
  if (!isObject(value)) return undefined;
  const { action, content } = value;
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept") return undefined;
  return { action, content: isObject(content) ? content : {} };
}

/** "User rejected" is an answer; any other error means that the question could not be put. */
function resolveRefusal(error: Json, resolve: (answer: Json) => void, reject: (reason: ToolError) => void): void {
  const { code, message } = isObject(error) ? error : {};
  if (code === -1) resolve({ action: "decline" });
  else
    reject(
      new ToolError(`The client could not ask: ${typeof message === "string" ? message : "no reason given"}`, {
        code: "CANNOT_ASK",
      }),
    );
}

function noAnswer(reason: string): ToolError {
  return new ToolError(`The question was not answered: ${reason}.`, { code: "NO_ANSWER" });
}

function cancelled(id: Id, reason: string): string {
  return `{"requestId":${encodeId(id)},"reason":${JSON.stringify(reason)}}`;
}
