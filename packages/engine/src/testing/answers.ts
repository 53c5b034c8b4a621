import type { JsonObject, Root } from "../index.js";

/** What the person of a test says when a tool asks: the filled-in form, yes to a page, or a refusal. */
export type TestAnswer = JsonObject | "accept" | "decline" | "cancel";

/** What the model of a test says: its words, or a whole sampling result. */
export type TestSample = string | JsonObject;

/** One thing for each name, or a function that makes it. */
export type ByName<Value> = Readonly<Record<string, Value>> | ((name: string, params: JsonObject) => Value);

/** What a test says in answer to what a server asks. */
export interface TestAnswers {
  /** Answers to `call.ask` and `call.visit`, by name, or a function that makes them. */
  readonly answers?: ByName<TestAnswer>;
  /** Answers of the client's model to `call.sample`, by name, or a function that makes them. */
  readonly samples?: ByName<TestSample>;
  /** The client's roots. */
  readonly roots?: readonly Root[];
}

/** What stands under a name. Throws where the test has nothing to say. */
export function answerFrom<Value>(answers: ByName<Value> | undefined, name: string, params: JsonObject): Value {
  const answer = typeof answers === "function" ? answers(name, params) : answers?.[name];
  if (answer === undefined) throw new Error(`The test has no answer to the question "${name}"`);
  return answer;
}

/** Writes the answer to a question, as a client would give it. */
export function writeAnswer(given: TestAnswers, name: string, method: string, params: JsonObject): JsonObject {
  if (method === "roots/list") return { roots: (given.roots ?? []).map((root) => ({ ...root })) };
  if (method === "sampling/createMessage") return writeSample(answerFrom(given.samples, name, params));
  const answer = answerFrom(given.answers, name, params);
  if (typeof answer === "string") return { action: answer };
  return { action: "accept", content: answer };
}

function writeSample(sample: TestSample): JsonObject {
  if (typeof sample !== "string") return sample;
  return { role: "assistant", content: { type: "text", text: sample }, model: "test-model", stopReason: "endTurn" };
}
