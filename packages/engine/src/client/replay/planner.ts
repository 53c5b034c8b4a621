import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY, VERSION_KEY } from "../../revisions/meta-keys.js";
import { textOf } from "../text.js";
import { addAnswers, addQuestions, answerQuestions, toAsked } from "./asked.js";
import { type Asked, type Conversation, type Deed, nameOf, type Plan, type Step } from "./plan.js";
import type { RecordedFrame, Recording } from "./recording.js";

/** Makes a plan of a recording; `session` = of one conversation alone. */
export function planOf(recording: Recording, session?: number): Plan {
  const planner = new Planner();
  for (const frame of recording.frames) if (session === undefined || frame.session === session) planner.read(frame);
  return planner.plan;
}

/** What a request that waits for its answer is to the step that it belongs to. */
interface Waiting {
  readonly step: Step;
  /** The method of a request about the task that the step has become. */
  readonly ofTask?: string;
}

/** Reads frame after frame, and finds out what belongs together. */
class Planner {
  readonly #deeds: Deed[] = [];
  readonly #steps: Step[] = [];
  readonly #unplayable: { session: number; what: string; reason: string }[] = [];
  readonly #conversations = new Map<string, Conversation>();
  /** By place and id: requests of the client, and questions of the server. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #questions = new Map<string, Asked>();
  /** Steps by what ties a later message to them: the state of a round, the id of a task, the token of progress. */
  readonly #rounds = new Map<string, Step>();
  readonly #tasks = new Map<string, Step>();
  readonly #tokens = new Map<string, Step>();
  readonly #open = new Map<string, Step[]>();

  get plan(): Plan {
    return { deeds: this.#deeds, steps: this.#steps, unplayable: this.#unplayable };
  }

  read(frame: RecordedFrame): void {
    const { message, from } = frame;
    if (message === undefined) this.#readRest(frame);
    else if (typeof message["method"] === "string") {
      const { id, method } = message;
      const params = isObject(message["params"]) ? message["params"] : {};
      if (from === "server") this.#hear(frame, id, method, params);
      else if (id === undefined) this.#notice(frame, method, params);
      else this.#request(frame, id, method, params);
    } else if (from === "client") this.#reply(frame, message);
    else this.#answer(frame, message);
  }

  /** What was too long to keep may still say what it answers. */
  #readRest({ place, session, from, cut, text }: RecordedFrame): void {
    if (from === "client") {
      const [, method = "a message"] = /"method":"([^"\\]{1,100})"/.exec(text) ?? [];
      const reason = cut === undefined ? "it is no message" : `it had ${cut} characters, which were too many to keep`;
      this.#unplayable.push({ session, what: cut === undefined ? "a text" : method, reason });
      return;
    }
    const [, id] = /^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(?:result|error)"/.exec(text) ?? [];
    // A recording keeps an id that JSON would round as a text.
    const read = (known: string): Json => (Math.abs(Number(known)) >= 2 ** 53 ? known : (JSON.parse(known) as Json));
    const waiting = id === undefined ? undefined : this.#take(place, read(id));
    if (waiting && cut !== undefined) this.#settle(waiting.step, { cut });
  }

  #request(frame: RecordedFrame, id: Json, method: string, params: JsonObject): void {
    const { place, session } = frame;
    const { _meta, inputResponses, requestState, ...plain } = params;
    const meta = isObject(_meta) ? _meta : {};
    const { taskId } = params;
    const task = method.startsWith("tasks/") && typeof taskId === "string" ? this.#tasks.get(taskId) : undefined;
    const begun = typeof requestState === "string" ? this.#rounds.get(requestState) : undefined;
    const known = task ?? begun;
    if (task && method === "tasks/cancel") this.#cancel(task);
    if (known) {
      answerQuestions(known, inputResponses);
      this.#waiting.set(keyOf(place, id), { step: known, ...(task && { ofTask: method }) });
      return;
    }
    const conversation = this.#conversationOf(place, method, params, meta);
    const { progressToken } = meta;
    const own = without(meta, VERSION_KEY, CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY, "progressToken");
    const step: Step = {
      conversation,
      session,
      method,
      name: nameOf(method, params),
      params: { ...plain, ...(Object.keys(own).length > 0 && { _meta: own }) },
      wantsProgress: progressToken !== undefined,
      asked: [],
      outcome: undefined,
      cancelledAfter: undefined,
      isTask: plain["task"] !== undefined,
      reports: 0,
    };
    this.#steps.push(step);
    // What was answered in a round that the recording does not have is known all the same.
    addAnswers(step, inputResponses);
    this.#waiting.set(keyOf(place, id), { step });
    if (progressToken !== undefined) this.#tokens.set(keyOf(place, progressToken), step);
    if (method === "initialize") return;
    if (method.startsWith("tasks/")) {
      this.#steps.pop();
      this.#unplayable.push({ session, what: method, reason: "the ids of tasks are others each time" });
      return;
    }
    conversation.steps.push(step);
    this.#openAt(place).push(step);
    this.#deeds.push({ kind: "send", step });
  }

  #notice({ place }: RecordedFrame, method: string, params: JsonObject): void {
    if (method === "notifications/cancelled") {
      const cancelled = this.#waiting.get(keyOf(place, params["requestId"] ?? null));
      if (cancelled) this.#cancel(cancelled.step);
      return;
    }
    const conversation = this.#conversations.get(place);
    if (conversation === undefined || method === "notifications/initialized") return;
    this.#deeds.push({ kind: "notify", conversation, method, params });
  }

  #hear({ place }: RecordedFrame, id: Json | undefined, method: string, params: JsonObject): void {
    if (id === undefined) {
      const step =
        method === "notifications/progress" && this.#tokens.get(keyOf(place, params["progressToken"] ?? null));
      if (step) step.reports += 1;
      return;
    }
    if (method === "ping") return;
    const meta = params["_meta"];
    const asked = toAsked(textOf(isObject(meta) ? meta["toolwright/question"] : undefined), method, params);
    this.#questions.set(keyOf(place, id), asked);
    // Nothing says whose question it is; the request that came last is the one that can ask.
    this.#openAt(place).at(-1)?.asked.push(asked);
  }

  #reply({ place }: RecordedFrame, { id, result, error }: JsonObject): void {
    const asked = this.#questions.get(keyOf(place, id ?? null));
    if (asked === undefined) return;
    if (isObject(result)) asked.answer = { result };
    else if (isObject(error)) asked.answer = { error };
  }

  #answer({ place }: RecordedFrame, message: JsonObject): void {
    const waiting = this.#take(place, message["id"] ?? null);
    if (waiting === undefined) return;
    const { step, ofTask } = waiting;
    const { result, error } = message;
    if (ofTask === "tasks/update" || ofTask === "tasks/cancel") return;
    if (isObject(error)) this.#settle(step, { error });
    else if (!isObject(result)) return;
    else if (ofTask === "tasks/get") this.#readTask(step, result);
    else if (result["resultType"] === "input_required") {
      addQuestions(step, result["inputRequests"], false);
      if (typeof result["requestState"] === "string") this.#rounds.set(result["requestState"], step);
    } else this.#readResult(step, result);
  }

  #readResult(step: Step, result: JsonObject): void {
    const task = result["resultType"] === "task" ? result : result["task"];
    if (step.method === "tools/call" && isObject(task) && typeof task["taskId"] === "string") {
      step.isTask = true;
      this.#tasks.set(task["taskId"], step);
    } else this.#settle(step, { result });
  }

  /** The states of a task on its way say nothing; its end is what the call came to. */
  #readTask(step: Step, result: JsonObject): void {
    addQuestions(step, result["inputRequests"], true);
    const { status, result: end, error } = result;
    if (status === "completed" && isObject(end)) this.#settle(step, { result: end });
    else if (isObject(error)) this.#settle(step, { error });
  }

  #settle(step: Step, outcome: NonNullable<Step["outcome"]>): void {
    const { conversation } = step;
    if (step.outcome !== undefined || step.cancelledAfter !== undefined) return;
    step.outcome = outcome;
    for (const open of this.#open.values()) if (open.includes(step)) open.splice(open.indexOf(step), 1);
    if (step.method !== "initialize") this.#deeds.push({ kind: "settle", step });
    else if ("result" in outcome && conversation.opening === undefined) {
      conversation.opening = step;
      conversation.revision = textOf(outcome.result["protocolVersion"], conversation.revision);
      this.#deeds.push({ kind: "open", conversation });
    }
  }

  #cancel(step: Step): void {
    if (step.outcome !== undefined || step.cancelledAfter !== undefined) return;
    step.cancelledAfter = step.reports;
    this.#deeds.push({ kind: "cancel", step });
  }

  /** Requests that stand alone belong together where the same client said them, over however many connections. */
  #conversationOf(place: string, method: string, params: JsonObject, meta: JsonObject): Conversation {
    const version = meta[VERSION_KEY];
    const isAlone = typeof version === "string";
    const [capabilities, info] = isAlone
      ? [meta[CAPABILITIES_KEY], meta[CLIENT_KEY]]
      : [params["capabilities"], params["clientInfo"]];
    const key = isAlone ? JSON.stringify([version, capabilities, info]) : place;
    const known = this.#conversations.get(key);
    if (known) return known;
    const isOpening = method === "initialize";
    const made: Conversation = {
      revision: isAlone ? version : undefined,
      handshake: !isAlone,
      capabilities: (isAlone || isOpening) && isObject(capabilities) ? capabilities : undefined,
      info: (isAlone || isOpening) && isObject(info) ? info : undefined,
      opening: undefined,
      steps: [],
    };
    this.#conversations.set(key, made);
    return made;
  }

  #take(place: string, id: Json): Waiting | undefined {
    const key = keyOf(place, id);
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    return waiting;
  }

  #openAt(place: string): Step[] {
    const open = this.#open.get(place) ?? [];
    this.#open.set(place, open);
    return open;
  }
}

const keyOf = (place: string, id: Json): string => `${place} ${JSON.stringify(id)}`;

function without(value: JsonObject, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !members.includes(name)));
}
