import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import type { Question } from "../../protocol/outcome.js";
import type { Reading, SchemaSource } from "../../schema/schema.js";
import type { AnswerReading, Asker } from "./asker.js";
import { createForm, type Form } from "./form.js";

/** What a person did with a question; the content is there on accept alone. */
type Reaction = { readonly action: "accept"; readonly content: JsonObject } | { readonly action: "decline" | "cancel" };

/** What is said of an answer that is none of the three. */
export const UNREADABLE = Object.freeze({ fault: "The client's answer could not be read." });

/** Puts a form to a person and gives what they entered; undefined where they declined. */
export async function askForm(asker: Asker, name: string, message: string, source: SchemaSource): Promise<unknown> {
  if (typeof message !== "string") throw new TypeError(`The tool asks "${name}" without words`);
  const form = createForm(source);
  const question: Question = { method: "elicitation/create", params: { message, requestedSchema: form.requested } };
  return asker.ask(name, question, (answer) => readForm(form, answer));
}

/** Reads how a person reacted; undefined where the answer does not say it. */
export function readReaction(answer: Json): Reaction | undefined {
  if (!isObject(answer)) return undefined;
  const { action, content } = answer;
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept") return undefined;
  return content === undefined || isObject(content) ? { action, content: content ?? {} } : undefined;
}

function readForm(form: Form, answer: Json): AnswerReading<unknown> | Promise<AnswerReading<unknown>> {
  const reaction = readReaction(answer);
  if (reaction === undefined) return UNREADABLE;
  if (reaction.action !== "accept") return { value: undefined };
  const reading = form.read(reaction.content);
  return reading instanceof Promise ? reading.then(judge) : judge(reading);
}

function judge(reading: Reading): AnswerReading<unknown> {
  if (reading.ok) return { value: reading.value };
  return { fault: `The answer does not fit the form: ${reading.faults.join("; ")}` };
}
