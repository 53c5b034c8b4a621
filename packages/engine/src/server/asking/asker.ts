import { missingCapability } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { type Question, ToolError } from "../../protocol/outcome.js";
import type { Exchange } from "../exchange.js";

/** What the client answered: the `result` of an elicitation, with the content read only on accept. */
export type Answer =
  | { readonly action: "accept"; readonly content: JsonObject }
  | { readonly action: "decline" | "cancel" };

/** Says what is wrong with the content of an answer, or nothing where it fits the form. */
export type Accepts = (content: JsonObject) => Promise<string | undefined>;

/** The port through which a tool asks; handlers cannot see which implementation stands behind it. */
export interface Asker {
  /** Gives the raw answer. `accepts` says whether an answer fits; one that does not is no answer. */
  ask(name: string, question: Question, accepts: Accepts): Promise<Answer>;
  /** The questions that are still open, and the sealed answers so far; undefined when nothing is. */
  pending(): { readonly questions: ReadonlyMap<string, Question>; readonly state: string } | undefined;
}

/** Refuses to ask a client that cannot be asked: -32021 where the revision has it, else a failure that the model sees. */
export function requireElicitation(exchange: Exchange): void {
  const declared = exchange.caller.capabilities["elicitation"];
  // An empty object means forms; naming other modes only means that there are no forms.
  const isDeclared = isObject(declared) && (Object.keys(declared).length === 0 || "form" in declared);
  if (!exchange.revision.handshake) {
    if (isDeclared) return;
    throw missingCapability({ elicitation: {} });
  }
  if (isDeclared && exchange.link.session.isReady) return;
  if (isDeclared) {
    throw new ToolError("This tool has to ask the user, and this client has not sent notifications/initialized yet.", {
      code: "CANNOT_ASK",
    });
  }
  throw new ToolError("This tool has to ask the user, and this client cannot be asked (it declared no elicitation).", {
    code: "CANNOT_ASK",
  });
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

/** Reads what a client sent as an answer; undefined where it is none. */
export function readAnswer(value: Json): Answer | undefined {
  if (!isObject(value)) return undefined;
  const { action, content } = value;
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept") return undefined;
  return content === undefined || isObject(content) ? { action, content: content ?? {} } : undefined;
}
