import { encodeId, encodeNotification, encodeRequest } from "../../jsonrpc/codec.js";
import { needsStream } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import type { Id } from "../../jsonrpc/messages.js";
import { type Question, ToolError } from "../../protocol/outcome.js";
import { tell } from "../answer.js";
import { sizeFault } from "../answer-size.js";
import { monotonic } from "../clock.js";
import type { Exchange } from "../exchange.js";
import { type Asker, cannotAsk, claimName, type ReadAnswer, requireAnswerer } from "./asker.js";

/** What stands around the params of a question: its id and method, and what ties it to a task. */
const ENVELOPE_BYTES = 300;

/** What the client failed to do when it answers with an error. */
const DEEDS: Readonly<Record<Question["method"], string>> = {
  "elicitation/create": "ask",
  "sampling/createMessage": "sample",
  "roots/list": "list its roots",
};

/** Handshake revisions: sends a request and waits in the session for the answer. The handler runs once. */
export class LiveAsker implements Asker {
  readonly #exchange: Exchange;
  readonly #names = new Set<string>();
  #openQuestions = 0;
  #askingSince = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  async ask<Value>(name: string, question: Question, read: ReadAnswer<Value>): Promise<Value> {
    claimName(this.#names, name);
    requireAnswerer(this.#exchange, question);
    const reading = await read(await this.#send(name, question));
    if ("fault" in reading) throw new ToolError(reading.fault, { code: "BAD_ANSWER" });
    return reading.value;
  }

  /** The handler runs once, so nothing has been worked out before. */
  keep(_name: string, _basis: Json, workOut: () => Promise<JsonObject>): Promise<JsonObject> {
    return workOut();
  }

  pending(): undefined {
    return undefined;
  }

  #send(name: string, question: Question): Promise<Json> {
    const exchange = this.#exchange;
    const { session, claims } = exchange.link;
    const written = this.#write(name, question);
    const params = JSON.stringify(written);
    if (sizeFault(params, exchange.core.settings.limits.messageBytes - ENVELOPE_BYTES) !== undefined) {
      throw new ToolError("The tool asks a question that is too large to send.", { code: "CANNOT_ASK" });
    }
    if (exchange.isDone || session.isClosed) throw noAnswer("nobody waits for this call any more");
    if (claims?.takesStream === false && !session.isHeard && exchange.afterlife === undefined)
      throw needsStream(exchange.request.method);
    if (typeof written["elicitationId"] === "string") session.noteVisit(written["elicitationId"]);
    return new Promise<Json>((resolve, reject) => {
      const settle = (step: () => void) => {
        clearTimeout(timer);
        session.closeQuestion(id);
        keepOpen();
        this.#close();
        step();
      };
      const giveUp = (reason: string, details?: JsonObject) => {
        tell(exchange, encodeNotification("notifications/cancelled", cancelled(id, reason)));
        settle(() => reject(noAnswer(reason, details)));
      };
      const id: Id = session.openQuestion({
        answered: ({ result, error }) =>
          settle(() =>
            error === undefined ? resolve(result as Json) : resolveRefusal(question, error, resolve, reject),
          ),
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
    if (this.#openQuestions === 0) this.#askingSince = monotonic();
    this.#openQuestions += 1;
    this.#exchange.waits(true);
  }

  #close(): void {
    this.#openQuestions -= 1;
    if (this.#openQuestions > 0) return;
    this.#exchange.waits(false);
    this.#exchange.startedAt += monotonic() - this.#askingSince;
    this.#exchange.touch();
  }

  #write(name: string, question: Question): JsonObject {
    try {
      return { ...this.#exchange.revision.writeQuestion(question), _meta: { "toolwright/question": name } };
    } catch (cause) {
      throw cannotAsk(this.#exchange, question, `but ${(cause as Error).message}`);
    }
  }
}

/** "User rejected" is an answer to a form; any other error means that the question could not be put. */
function resolveRefusal(
  { method }: Question,
  error: Json,
  resolve: (answer: Json) => void,
  reject: (reason: ToolError) => void,
): void {
  const { code, message } = isObject(error) ? error : {};
  const reason = typeof message === "string" ? message : "no reason given";
  if (code !== -1) reject(new ToolError(`The client could not ${DEEDS[method]}: ${reason}`, { code: "CANNOT_ASK" }));
  else if (method === "elicitation/create") resolve({ action: "decline" });
  else reject(new ToolError(`The user did not let the client ${DEEDS[method]}: ${reason}`, { code: "DECLINED" }));
}

function noAnswer(reason: string, details: JsonObject = {}): ToolError {
  return new ToolError(`The question was not answered: ${reason}.`, { code: "NO_ANSWER", details });
}

function cancelled(id: Id, reason: string): string {
  return `{"requestId":${encodeId(id)},"reason":${JSON.stringify(reason)}}`;
}
