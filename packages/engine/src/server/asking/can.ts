import type { Question } from "../../protocol/outcome.js";
import { isDeclared } from "../../revisions/needs.js";
import type { Possibility } from "../call.js";
import type { Exchange } from "../exchange.js";
import { showsPages } from "../tool-ui.js";
import { askingFault } from "./asking-fault.js";

const sampling = { messages: [], maxTokens: 1 };

/** The least that is asked for with each. */
const LEAST: Readonly<Record<Exclude<Possibility, "show">, Question>> = {
  ask: { method: "elicitation/create", params: { message: "", requestedSchema: { type: "object", properties: {} } } },
  visit: { method: "elicitation/create", params: { mode: "url", message: "", url: "" } },
  sample: { method: "sampling/createMessage", params: sampling },
  sampleWithTools: { method: "sampling/createMessage", params: { ...sampling, tools: [] } },
  roots: { method: "roots/list", params: {} },
};

/** Whether the client of a call can be asked for something. */
export function canAsk(exchange: Exchange, what: Possibility): boolean {
  const { revision, caller, link } = exchange;
  if (what === "show") return showsPages(caller.capabilities);
  const question = Object.hasOwn(LEAST, what) ? LEAST[what] : undefined;
  if (question === undefined)
    throw new TypeError(`"${what as string}" is nothing to ask for; there are ${Object.keys(LEAST).join(", ")}, show`);
  if (askingFault(exchange) !== undefined || (revision.handshake && !link.session.isReady)) return false;
  if (!isDeclared(caller.capabilities, revision.needs(question))) return false;
  try {
    revision.writeQuestion(question);
    return true;
  } catch {
    return false; // Its revision has no words for it.
  }
}
