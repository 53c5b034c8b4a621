import { capabilityNames, missingCapability } from "../../jsonrpc/errors.js";
import type { Json, JsonObject } from "../../jsonrpc/json.js";
import { type Question, ToolError } from "../../protocol/outcome.js";
import { isDeclared } from "../../revisions/needs.js";
import type { Exchange } from "../exchange.js";
import { askingFault } from "./asking-fault.js";

/** What reading an answer came to: the value in it, or what is wrong with it, as a sentence. */
export type AnswerReading<Value> = { readonly value: Value } | { readonly fault: string };

/** Reads an answer, at once where it can: a question whose answer is none is then noted before the handler goes on. */
export type ReadAnswer<Value> = (answer: Json) => AnswerReading<Value> | Promise<AnswerReading<Value>>;

/** The port through which a handler asks; it cannot see which implementation stands behind it. */
export interface Asker {
  /** Gives the answer as `read` reads it. One that cannot be read is no answer. */
  ask<Value>(name: string, question: Question, read: ReadAnswer<Value>): Promise<Value>;
  /** Gives what was worked out in an earlier run under this name and from the same basis, or works it out now. */
  keep(name: string, basis: Json, workOut: () => Promise<JsonObject>): Promise<JsonObject>;
  /** The questions that are still open, and the sealed answers so far; undefined when nothing is. */
  pending(): { readonly questions: ReadonlyMap<string, Question>; readonly state: string } | undefined;
}

/** Ends a handler of a stateless call whose question has no answer yet. */
export class Unanswered extends Error {}

/** Refuses to ask a client that cannot be asked: -32021 where the revision has it, else a failure that the model sees. */
export function requireAnswerer(exchange: Exchange, question: Question): void {
  const { revision, caller, link } = exchange;
  const reason = askingFault(exchange);
  if (reason !== undefined) throw new TypeError(reason);
  const needs = revision.needs(question);
  const isKnown = isDeclared(caller.capabilities, needs);
  if (!revision.handshake) {
    if (isKnown) return;
    throw missingCapability(needs);
  }
  if (!isKnown)
    throw cannotAsk(
      exchange,
      question,
      `and this client cannot be asked (it declared no ${capabilityNames(needs).join(" and ")})`,
    );
  if (!link.session.isReady)
    throw cannotAsk(exchange, question, "and this client has not sent notifications/initialized yet");
}

/** The failure of a handler that has to ask and cannot. */
export function cannotAsk({ kind }: Exchange, question: Question, reason: string): ToolError {
  return new ToolError(`This ${kind} has to ${purposeOf(question)}, ${reason}.`, { code: "CANNOT_ASK" });
}

function purposeOf({ method, params }: Question): string {
  if (method === "roots/list") return "know the client's roots";
  if (method === "sampling/createMessage") return "use the client's model";
  return params["mode"] === "url" ? "show the user a page" : "ask the user";
}

/** Takes a name for a question; a second one of the same name could not be told from the first. */
export function claimName(names: Set<string>, name: string): void {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
    throw new TypeError(
      `The tool asks under the name ${JSON.stringify(name)}; a name has 1 to 64 characters of A-Z a-z 0-9 _ - .`,
    );
  }
  if (names.has(name))
    throw new TypeError(`The tool asks twice under the name "${name}"; give each question a name of its own`);
  names.add(name);
}
