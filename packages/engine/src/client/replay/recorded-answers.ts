import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import type { Answers } from "../answers.js";
import type { Question } from "../peer.js";
import { textOf } from "../text.js";
import type { Asked, Conversation, Step } from "./plan.js";

/** A request that is being played, as far as questions need it. */
export interface AskingPlay {
  readonly step: Step;
  /** What the server wanted to know that it did not ask when it was recorded. */
  readonly unexpected: string[];
}

/** Answers what a server asks with what it was told when it was recorded. */
export class RecordedAnswers {
  readonly #conversation: Conversation;
  /** The requests that are open, the newest last. */
  readonly #open: () => readonly AskingPlay[];

  constructor(conversation: Conversation, open: () => readonly AskingPlay[]) {
    this.#conversation = conversation;
    this.#open = open;
  }

  /** What the client of the conversation can be asked, as it said itself or as it was asked. */
  get handlers(): Answers {
    const { capabilities } = this.#conversation;
    const { elicitation, sampling, roots } = capabilities ?? this.#seen();
    const kinds = isObject(elicitation) ? elicitation : undefined;
    const hasForms = kinds !== undefined && (kinds["form"] !== undefined || kinds["url"] === undefined);
    const person = async (question: Question) => (await this.answer(question)) as { action: "accept" };
    return {
      ...(hasForms && {
        onElicit: ({ name, message, requestedSchema, signal }) =>
          person(questionOf(name, "elicitation/create", { message, requestedSchema }, signal)),
      }),
      ...(kinds?.["url"] !== undefined && {
        onVisit: ({ name, message, url, signal }) =>
          person(questionOf(name, "elicitation/create", { message, url, mode: "url" }, signal)),
      }),
      ...(sampling !== undefined && {
        onSample: ({ name, params, signal }) => this.answer(questionOf(name, "sampling/createMessage", params, signal)),
      }),
      ...(roots !== undefined && { roots: () => this.#roots() }),
    };
  }

  /**
   * The recorded answer; where there is none, the person has gone and the model has nothing to say. `play` is the request whose
   * round asks; in a session nobody knows which it is.
   */
  answer(question: Question, play?: AskingPlay): Promise<JsonObject> | JsonObject {
    const { method, params, signal } = question;
    if (method === "roots/list") return { roots: this.#roots() };
    const asked = this.#find(question);
    if (asked === undefined) {
      (play ?? this.#open().at(-1))?.unexpected.push(textOf(params["message"], method));
      return nothing(method, "The recording has no answer to this question");
    }
    asked.isUsed = true;
    if (asked.answer === undefined) return never(signal);
    if ("result" in asked.answer) return asked.answer.result;
    const why = textOf(asked.answer.error["message"], "The client refused");
    // A round has no place for an error.
    if (play) return nothing(method, why);
    throw new Error(why);
  }

  /** The question of this name; else one with these words; else any that was asked in this way. */
  #find({ name, method, params }: Question): Asked | undefined {
    const open = this.#all().filter((asked) => !asked.isUsed && (asked.method === method || asked.method === ""));
    const words = wordsOf(params);
    return (
      open.find(
        (asked) => name !== "" && asked.name === name && (asked.method === "" || wordsOf(asked.params) === words),
      ) ??
      open.find((asked) => name !== "" && asked.name === name) ??
      open.find((asked) => wordsOf(asked.params) === words) ??
      open.find((asked) => asked.name === "" || name === "")
    );
  }

  #all(): Asked[] {
    return this.#conversation.steps.flatMap(({ asked }) => asked);
  }

  /** Asked for as often as a server likes: some remember them, and some do not. */
  #roots(): { uri: string }[] {
    const given = this.#all().findLast(({ method, answer }) => method === "roots/list" && answer && "result" in answer);
    const roots = given?.answer && "result" in given.answer ? given.answer.result["roots"] : [];
    return Array.isArray(roots) ? (roots.filter(isObject) as unknown as { uri: string }[]) : [];
  }

  #seen(): JsonObject {
    const all = this.#all();
    const pages = all.some(({ params }) => params["mode"] === "url");
    return {
      ...(all.some(({ method }) => method === "elicitation/create") && {
        elicitation: { form: {}, ...(pages && { url: {} }) },
      }),
      ...(all.some(({ method }) => method === "sampling/createMessage") && { sampling: {} }),
      ...(all.some(({ method }) => method === "roots/list") && { roots: {} }),
    };
  }
}

const questionOf = (name: string, method: string, params: JsonObject, signal: AbortSignal | undefined): Question => ({
  name,
  method,
  params,
  ...(signal && { signal }),
});

const wordsOf = ({ message, messages, systemPrompt }: JsonObject): string =>
  JSON.stringify([message, messages, systemPrompt]);

function nothing(method: string, why: string): JsonObject {
  if (method === "elicitation/create") return { action: "cancel" };
  throw new Error(why);
}

/** Waits until nobody waits for it any more. */
function never(signal: AbortSignal | undefined): Promise<JsonObject> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
