import { invalidParams, shortened } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import type { Outcome } from "../../protocol/outcome.js";
import { type Completers, choose } from "../complete.js";
import type { Core } from "../core.js";
import { HandlerWork } from "../handler-work.js";
import type { Method } from "./method.js";
import { findPrompt } from "./prompts.js";
import { findTemplate } from "./resources.js";

/** As many as the protocol allows in one answer. */
const MOST_VALUES = 100;

/** `completion/complete` */
export const complete: Method = {
  run(exchange) {
    const params = exchange.request.params ?? {};
    const { ref, argument, context } = params;
    if (!isObject(argument) || typeof argument["name"] !== "string" || typeof argument["value"] !== "string")
      throw invalidParams('Invalid params: "argument" must be an object with the strings name and value');
    const { name, value } = argument as { name: string; value: string };
    const others = readContext(context);
    const { subject, known, completers } = findSubject(exchange.core, ref);
    if (!known.includes(name))
      throw invalidParams(`Unknown argument: ${shortened(name)}; "${subject}" has ${known.join(", ") || "none"}`);
    const completer = Object.hasOwn(completers, name) ? completers[name] : undefined;
    if (completer === undefined) return writeSuggestions([]);
    exchange.begin(
      new HandlerWork(exchange, {
        kind: "completion",
        name: subject,
        timeoutMs: exchange.core.settings.limits.callTimeoutMs,
        run: (call) => (typeof completer === "function" ? completer(value, others, call) : choose(completer, value)),
        write: writeSuggestions,
      }),
    );
    return undefined;
  },
};

interface Subject {
  readonly subject: string;
  readonly known: readonly string[];
  readonly completers: Completers;
}

function findSubject(core: Core, ref: Json | undefined): Subject {
  const { type, name, uri } = isObject(ref) ? ref : ({} as JsonObject);
  if (type === "ref/prompt") {
    const { prompt, fields, completers } = findPrompt(core, name);
    return { subject: prompt.name, known: fields.map((field) => field.name), completers };
  }
  if (type === "ref/resource" && typeof uri === "string") {
    const { template, pattern, completers } = findTemplate(core, uri);
    return { subject: template.uri, known: pattern.variables, completers };
  }
  throw invalidParams(
    'Invalid params: "ref" must be {"type":"ref/prompt","name":…} or {"type":"ref/resource","uri":…}',
  );
}

/** What is already filled in; values that are no text are passed over. */
function readContext(context: Json | undefined): Readonly<Record<string, string>> {
  const given = isObject(context) && isObject(context["arguments"]) ? context["arguments"] : {};
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Throws `TypeError` for what is no list of suggestions. */
function writeSuggestions(given: unknown): Outcome {
  const { values, total, hasMore } = (Array.isArray(given) ? { values: given } : (given ?? {})) as JsonObject;
  // Copied, because holes in a list are passed over by what looks for a fault.
  if (!Array.isArray(values) || [...values].some((value) => typeof value !== "string"))
    throw new TypeError("A completion must give a list of strings");
  const isEndless = total === Number.POSITIVE_INFINITY;
  const counted = typeof total === "number" && total > values.length && !isEndless ? Math.floor(total) : values.length;
  const isUncounted = (isEndless || hasMore === true) && counted === values.length;
  const shown = values.slice(0, MOST_VALUES);
  return {
    kind: "plain",
    body: {
      completion: {
        values: shown,
        ...(!isUncounted && { total: counted }),
        hasMore: isUncounted || counted > shown.length,
      },
    },
  };
}
