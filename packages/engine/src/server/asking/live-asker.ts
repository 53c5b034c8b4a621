import { encodeId, encodeNotification, encodeRequest } from "../../jsonrpc/codec.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import type { Id } from "../../jsonrpc/messages.js";
import { type Question, ToolError } from "../../protocol/outcome.js";
import { sizeFault } from "../answer-size.js";
import type { Exchange } from "../exchange.js";
import { type Accepts, type Answer, type Asker, claimName, readAnswer, requireElicitation } from "./asker.js";

/** Handshake revisions: sends a request and waits in the session for the answer. The handler runs once. */
export class LiveAsker implements Asker {
  readonly #exchange: Exchange;
  readonly #names = new Set<string>();
  #openQuestions = 0;
  #askingSince = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  async ask(name: string, question: Question, accepts: Accepts): Promise<Answer> {
    claimName(this.#names, name);
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
    const params = JSON.stringify(this.#write(name, question));
    if (sizeFault(params, exchange.core.settings.limits.messageBytes) !== undefined) {
      throw new ToolError("The tool asks a question that is too large to send.", { code: "CANNOT_ASK" });
    }
    if (exchange.isDone || session.isClosed) throw noAnswer("nobody waits for this call any more");
    return new Promise<Json>((resolve, reject) => {
      const settle = (step: () => void) => {
        clearTimeout(timer);
        session.closeQuestion(id);
        keepOpen();
        this.#close();
        step();
      };
      const giveUp = (reason: string, details?: JsonObject) => {
        exchange.link.send(encodeNotification("notifications/cancelled", cancelled(id, reason)));
        settle(() => reject(noAnswer(reason, details)));
      };
      const id: Id = session.openQuestion({
        answered: ({ result, error }) =>
          settle(() => (error === undefined ? resolve(result as Json) : resolveRefusal(error, resolve, reject))),
        abandoned: (reason) => settle(() => reject(noAnswer(reason))),
      });
      const { questionTimeoutMs } = exchange.core.settings.limits;
      const timer = setTimeout(
        () => giveUp(`no answer within ${questionTimeoutMs} ms`, { limit: "questionTimeoutMs" }),
        questionTimeoutMs,
      );
      this.#open();
      const keepOpen = exchange.lifetime.whenOver(() => giveUp("the call is over"));
      exchange.send(encodeRequest(id, question.method, params));
    });
  }

  /** A question went out: until all are closed, the time is the client's. */
  #open(): void {
    if (this.#openQuestions === 0) this.#askingSince = performance.now();
    this.#openQuestions += 1;
    this.#exchange.isAsking = true;
  }

  #close(): void {
    this.#openQuestions -= 1;
    if (this.#openQuestions > 0) return;
    this.#exchange.isAsking = false;
    this.#exchange.startedAt += performance.now() - this.#askingSince;
    this.#exchange.touch();
  }

  #write(name: string, question: Question): JsonObject {
    try {
      return { ...this.#exchange.revision.writeQuestion(question), _meta: { "toolwright/question": name } };
    } catch (cause) {
      throw new ToolError(`This tool has to ask the user, but ${(cause as Error).message}.`, { code: "CANNOT_ASK" });
    }
  }
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

function noAnswer(reason: string, details: JsonObject = {}): ToolError {
  return new ToolError(`The question was not answered: ${reason}.`, { code: "NO_ANSWER", details });
}

function cancelled(id: Id, reason: string): string {
  return `{"requestId":${encodeId(id)},"reason":${JSON.stringify(reason)}}`;
}
