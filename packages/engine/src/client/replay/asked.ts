import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { textOf } from "../text.js";
import type { Asked, Step } from "./plan.js";

/** A question that has not been answered yet. */
export const toAsked = (name: string, method: string, params: JsonObject): Asked => ({
  name,
  method,
  params,
  answer: undefined,
  isUsed: false,
});

/** Notes what a round wants to know; a task shows its questions again and again. */
export function addQuestions(step: Step, asked: Json | undefined, isTask: boolean): void {
  for (const [name, question] of Object.entries(isObject(asked) ? asked : {})) {
    const isKnown = step.asked.some((one) => one.name === name && (isTask || one.answer === undefined));
    if (!isObject(question) || isKnown) continue;
    const { method, params } = question;
    step.asked.push(toAsked(name, textOf(method), isObject(params) ? params : {}));
  }
}

/** Notes what the client said to it. */
export function answerQuestions(step: Step, answers: Json | undefined): void {
  for (const [name, answer] of Object.entries(isObject(answers) ? answers : {})) {
    const asked = step.asked.findLast((one) => one.name === name);
    if (asked && isObject(answer)) asked.answer = { result: answer };
  }
}

/** Notes answers to questions that the recording does not have. */
export function addAnswers(step: Step, answers: Json | undefined): void {
  for (const [name, answer] of Object.entries(isObject(answers) ? answers : {}))
    if (isObject(answer)) step.asked.push({ ...toAsked(name, "", {}), answer: { result: answer } });
}
