import { invalidParams, truncate } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import type { Outcome } from "../../protocol/outcome.js";
import { matchSuggestions } from "../definitions/completion.js";
import { oversizedArgument } from "../limits/argument-size.js";
import type { Method } from "../method.js";
import type { RequestContext } from "../request-context.js";
import { invokeHandler } from "./invoke-handler.js";
import { findPrompt } from "./prompts.js";
import { findTemplate } from "./resources.js";

/** The protocol allows this many values in one response. */
const MAX_VALUES = 100;

/** `completion/complete` */
export const complete: Method = {
  handle(ctx) {
    const params = ctx.request.params ?? {};
    const { ref, argument, context } = params;
    if (!isObject(argument) || typeof argument["name"] !== "string" || typeof argument["value"] !== "string")
      throw invalidParams('Invalid params: "argument" must be an object with the strings name and value');
    const { name, value } = argument as { name: string; value: string };
    const others = readContext(context);
    const oversized = oversizedArgument({ ...others, value }, ctx.state.settings.limits, () => undefined);
    if (oversized !== undefined) throw invalidParams(`Invalid params: ${oversized}`);
    const { subject, known, completers } = findSubject(ctx, ref);
    if (!known.includes(name))
      throw invalidParams(`Unknown argument: ${truncate(name)}; "${subject}" has ${known.join(", ") || "none"}`);
    const completer = Object.hasOwn(completers, name) ? completers[name] : undefined;
    if (completer === undefined) return toCompletionResult([]);
    return invokeHandler(ctx, {
      kind: "completion",
      name: subject,
      run: (call) =>
        typeof completer === "function" ? completer(value, others, call) : matchSuggestions(completer, value),
      write: toCompletionResult,
    });
  },
};

/** The prompt or template that a request names. Throws `RpcError` if there is none. */
function findSubject(ctx: RequestContext, ref: Json | undefined) {
  const { type, name, uri } = isObject(ref) ? ref : ({} as JsonObject);
  if (type === "ref/prompt") {
    const { prompt, promptArguments: fields, completers } = findPrompt(ctx, name);
    return { subject: prompt.name, known: fields.map((field) => field.name), completers };
  }
  if (type === "ref/resource" && typeof uri === "string") {
    const { template, pattern, completers } = findTemplate(ctx, uri);
    return { subject: template.uri, known: pattern.variables, completers };
  }
  throw invalidParams(
    'Invalid params: "ref" must be {"type":"ref/prompt","name":…} or {"type":"ref/resource","uri":…}',
  );
}

/** The arguments that are already filled in; values that are not strings are ignored. */
function readContext(context: Json | undefined): Readonly<Record<string, string>> {
  const args = isObject(context) && isObject(context["arguments"]) ? context["arguments"] : {};
  return Object.fromEntries(
    Object.entries(args).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Throws `TypeError` if the handler did not return suggestions. */
function toCompletionResult(value: unknown): Outcome {
  const { values, total, hasMore } = (Array.isArray(value) ? { values: value } : (value ?? {})) as JsonObject;
  // Copied, because `some` skips the holes of a sparse array.
  if (!Array.isArray(values) || [...values].some((item) => typeof item !== "string"))
    throw new TypeError("A completion must return an array of strings");
  const shown = values.slice(0, MAX_VALUES);
  let count: number | undefined = hasMore === true ? undefined : values.length;
  if (typeof total === "number" && Number.isSafeInteger(total) && total > values.length) count = total;
  const counted = count === undefined ? { hasMore: true } : { total: count, hasMore: count > shown.length };
  return { kind: "plain", body: { completion: { values: shown, ...counted } } };
}
