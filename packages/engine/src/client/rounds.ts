import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { patienceFor } from "./patience.js";
import { pause } from "./pause.js";
import type { Answer } from "./peer.js";
import { textOf } from "./text.js";

/** No server needs more rounds to ask what it wants to know. */
const MOST_ROUNDS = 256;
const REST_MS = 250;

/** Sends a request until it is answered for good: what the server wants to know first goes along with the next try. */
export async function converse(
  request: (params: JsonObject) => Promise<JsonObject>,
  params: JsonObject,
  answer: Answer,
  signal?: AbortSignal,
): Promise<JsonObject> {
  let result = await request(params);
  for (let rounds = 0; result["resultType"] === "input_required"; rounds += 1) {
    if (rounds === MOST_ROUNDS) throw new Error(`Gave up: the server has asked in ${rounds} rounds and wants to go on`);
    const { inputRequests, requestState } = result;
    // A server that asks nothing wants to be left alone for a moment.
    if (!isObject(inputRequests)) await pause(REST_MS, signal);
    const inputResponses = await answerAll(inputRequests, answer, signal);
    result = await request({ ...params, inputResponses, ...(requestState !== undefined && { requestState }) });
  }
  return result;
}

/** The answers to all questions of one round, by their names. */
export async function answerAll(
  asked: Json | undefined,
  answer: Answer,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  const questions = isObject(asked) ? Object.entries(asked) : [];
  const answers = questions.map(async ([name, asking]): Promise<[string, JsonObject]> => {
    const { method, params } = isObject(asking) ? asking : ({} as JsonObject);
    const question = { name, method: textOf(method), params: isObject(params) ? params : {} };
    const given = await answer(signal === undefined ? question : { ...question, signal });
    if (given === undefined)
      throw new Error(`Cannot answer the question "${name}": nothing is known of ${textOf(method, "it")}`);
    return [name, given];
  });
  const patience = patienceFor("", { signal });
  try {
    return Object.fromEntries(await Promise.race([Promise.all(answers), patience.lost]));
  } finally {
    patience.end();
  }
}
