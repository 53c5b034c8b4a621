import type { Json, JsonObject } from "@toolwright/engine";
import type { Code } from "./code.js";
import { keyOf, metaOf, paramsOf } from "./messages.js";

interface Question {
  readonly code: Code;
  /** The id that the code gave it. */
  readonly id: Json;
  readonly token: Json | undefined;
}

/** What code asks the client. Two codes may use the same ids, so the client sees ids of ours. */
export class Questions {
  readonly #open = new Map<number, Question>();
  #number = 0;

  /** The question as the client is to see it. */
  ask(code: Code, request: JsonObject): JsonObject {
    this.#number += 1;
    const { progressToken: token } = metaOf(request);
    this.#open.set(this.#number, { code, id: request["id"] ?? null, token });
    if (token === undefined) return { ...request, id: this.#number };
    const params = { ...paramsOf(request), _meta: { ...metaOf(request), progressToken: this.#number } };
    return { ...request, id: this.#number, params };
  }

  /** Brings an answer to whoever asked. */
  answer(answer: JsonObject): void {
    const question = this.#take(answer["id"]);
    question?.code.say(JSON.stringify({ ...answer, id: question.id }));
  }

  /** Brings the news of how far the client is to whoever asked; false where no question is meant. */
  progress(message: JsonObject): boolean {
    const params = paramsOf(message);
    const question = this.#open.get(Number(params["progressToken"]));
    if (question?.token === undefined) return false;
    question.code.say(JSON.stringify({ ...message, params: { ...params, progressToken: question.token } }));
    return true;
  }

  /** The code no longer wants to know: the message as the client is to see it; undefined where no question is meant. */
  cancel(code: Code, message: JsonObject): JsonObject | undefined {
    const params = paramsOf(message);
    const found = [...this.#open].find(
      ([, question]) => question.code === code && keyOf(question.id) === keyOf(params["requestId"]),
    );
    if (found === undefined) return undefined;
    this.#open.delete(found[0]);
    return { ...message, params: { ...params, requestId: found[0] } };
  }

  /** The ids of what code has asked and will never hear. */
  forget(code: Code): readonly number[] {
    const ids = [...this.#open].filter(([, question]) => question.code === code).map(([id]) => id);
    for (const id of ids) this.#open.delete(id);
    return ids;
  }

  #take(id: Json | undefined): Question | undefined {
    const question = typeof id === "number" ? this.#open.get(id) : undefined;
    if (question) this.#open.delete(id as number);
    return question;
  }
}
