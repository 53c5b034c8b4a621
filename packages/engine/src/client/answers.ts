import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { Root } from "../server/call.js";
import type { Answer, Question } from "./peer.js";
import { textOf } from "./text.js";

/** A form that the server wants to have filled in. */
export interface FormQuestion {
  /** What the server calls the question; "" where it has no name. */
  readonly name: string;
  readonly message: string;
  /** A flat JSON Schema of the form. */
  readonly requestedSchema: JsonObject;
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal | undefined;
}

/** A page that the server wants to have opened. */
export interface PageQuestion extends Omit<FormQuestion, "requestedSchema"> {
  readonly url: string;
}

/** What the person said: yes, with the filled-in form where there was one, or no. */
export interface PersonAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: JsonObject;
}

/** What the server wants from the client's model. */
export interface SampleQuestion {
  readonly name: string;
  /** The whole request: `messages`, `maxTokens`, `systemPrompt` and more. */
  readonly params: JsonObject;
  readonly signal: AbortSignal | undefined;
}

/** What the model said, as the protocol has it: `role`, `content`, `model`, `stopReason`. */
export type ModelAnswer = JsonObject;

type Later<Value> = Value | Promise<Value>;

/** Who answers what a server asks, in both eras. What there is no handler for is not offered to the server. */
export interface Answers {
  readonly onElicit?: (question: FormQuestion) => Later<PersonAnswer>;
  readonly onVisit?: (question: PageQuestion) => Later<PersonAnswer>;
  readonly onSample?: (question: SampleQuestion) => Later<ModelAnswer>;
  readonly roots?: readonly Root[] | (() => Later<readonly Root[]>);
}

/** What a client with these handlers can do, as it tells servers. */
export function capabilitiesOf({ onElicit, onVisit, onSample, roots }: Answers): JsonObject {
  const elicitation = { ...(onElicit && { form: {} }), ...(onVisit && { url: {} }) };
  return {
    ...((onElicit ?? onVisit) && { elicitation }),
    ...(onSample && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

/** Brings each question to the handler that is there for it. */
export function answerWith(answers: Answers): Answer {
  return async (question) => {
    if (question.method === "elicitation/create") return ask(answers, question);
    const { onSample, roots } = answers;
    const { name, params, signal } = question;
    if (question.method === "sampling/createMessage" && onSample) return onSample({ name, params, signal });
    if (question.method !== "roots/list" || roots === undefined) return undefined;
    const found = typeof roots === "function" ? await roots() : roots;
    return { roots: found.map((root) => ({ ...root })) };
  };
}

async function ask(
  { onElicit, onVisit }: Answers,
  { name, params, signal }: Question,
): Promise<JsonObject | undefined> {
  const message = textOf(params["message"]);
  const { url, mode, requestedSchema } = params;
  const given =
    mode === "url"
      ? onVisit?.({ name, message, url: textOf(url), signal })
      : onElicit?.({ name, message, requestedSchema: isObject(requestedSchema) ? requestedSchema : {}, signal });
  const answer = await given;
  if (!answer) return undefined;
  const { action, content } = answer;
  return { action, ...(action === "accept" && content !== undefined && { content }) };
}
