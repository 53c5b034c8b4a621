import { baseKindOf, RpcError, truncate } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { type ToolError, toErrorData, toModelHint, toModelMessage } from "../../protocol/outcome.js";
import type { Revision } from "../../revisions/revision.js";
import * as check from "../definitions/checks.js";
import type { ServerSettings } from "../options.js";

/** How errors of one kind are written. What is left out stays as it is. */
interface ErrorRule {
  /** The code of the protocol error. A tool error with a code becomes a protocol error. */
  readonly code?: number;
  /** The message, with placeholders such as `{message}`. */
  readonly message?: string;
  /** The data, with placeholders in its strings; `null` for none. */
  readonly data?: Json;
}

/** The rules by kinds of errors, such as `UNKNOWN_TOOL`. */
export type ErrorRules = Readonly<Record<string, ErrorRule>>;

const RULE_CHECKS: check.Checks<ErrorRule> = {
  code: check.optional(Number.isSafeInteger, "must be an integer"),
  message: check.optional(check.isNonEmptyString, "must be a non-empty string"),
  data: check.anything,
};

const checkRule = check.strictObject(RULE_CHECKS);
const KIND = /^[A-Z][A-Z\d_]*$/;

/** Checks the option `errors`. */
export const errorRules: check.Check = (value, path) => {
  if (value === undefined) return undefined;
  if (!isObject(value)) return `${path} must be an object`;
  return Object.entries(value)
    .map(([kind, rule]) =>
      KIND.test(kind) ? checkRule(rule, `${path}.${kind}`) : `${path}.${kind} must be a kind such as UNKNOWN_TOOL`,
    )
    .find((issue) => issue !== undefined);
};

/** The kinds that belong to another one than their error code says. */
const PARENTS: Readonly<Record<string, string>> = {
  SCHEMA_MISMATCH: "INVALID_ARGUMENTS",
  MESSAGE_TOO_LARGE: "LIMIT_EXCEEDED",
};

/** What messages of protocol errors begin with, before the reason. */
const TITLE = /^(?:Parse error|Invalid request|Invalid params): /;

/** An error that is written as it is: the rules were applied to it. */
class WrittenError extends RpcError {}

/** The error as a revision writes it, changed by the rules for it. */
export function writeError(
  settings: ServerSettings,
  revision: Revision,
  error: RpcError,
  request?: { readonly method?: Json | undefined; readonly params?: Json | undefined },
): JsonObject {
  const written = revision.writeError(error);
  if (error instanceof WrittenError) return written;
  const rule = findRule(settings, revision, baseKindOf(error), error.kind);
  if (rule === undefined) return written;
  const { code = written["code"] as Json, message = error.message } = rule;
  const params = isObject(request?.params) ? request.params : {};
  const values = {
    ...error.data,
    message: error.message,
    reason: error.message.replace(TITLE, ""),
    code: error.kind ?? baseKindOf(error),
    method: shorten(request?.method),
    tool: shorten(params["name"]),
    uri: shorten(params["uri"]),
  };
  const data = rule.data === undefined ? written["data"] : fill(rule.data, values);
  return { code, message: fillText(message, values), ...(data !== undefined && data !== null && { data }) };
}

/** The text of a tool error. Throws `RpcError` if a rule makes it a protocol error; `details` are the data of it. */
export function writeToolError(
  settings: ServerSettings,
  revision: Revision,
  error: ToolError,
  details: () => JsonObject,
  kind = error.code,
): string {
  const rule = findRule(settings, revision, "TOOL_ERROR", kind);
  if (rule === undefined) return toModelMessage(error);
  const hint = error.hint === undefined ? undefined : toModelHint(error.hint);
  const values = { ...error.details, message: error.message, reason: error.message, code: error.code, hint };
  const message = rule.message === undefined ? toModelMessage(error) : fillText(rule.message, values).trimEnd();
  if (rule.code === undefined) return message;
  const data = rule.data === undefined ? details() : fill(rule.data, values);
  throw new WrittenError(rule.code, message, isObject(data) && Object.keys(data).length > 0 ? data : undefined);
}

/** The data of a tool error, without values that JSON cannot write. */
export const jsonDetails = (error: ToolError): JsonObject =>
  JSON.parse(JSON.stringify(toErrorData(error))) as JsonObject;

/** The rule for a kind: what it does not say, the rules for the wider kinds say. Codes of old servers are not for stateless clients. */
function findRule(
  { errors }: ServerSettings,
  revision: Revision,
  base: string | undefined,
  kind: string | undefined,
): ErrorRule | undefined {
  if (errors === undefined || !revision.handshake) return undefined;
  const parent = kind === undefined ? undefined : PARENTS[kind];
  const rules = ["ERROR", base, parent, kind].flatMap((name) => (name === undefined ? [] : (errors[name] ?? [])));
  return rules.length === 0 ? undefined : Object.assign({}, ...rules);
}

/** What a client sent may be as long as a message. */
const shorten = (value: Json | undefined): Json | undefined => (typeof value === "string" ? truncate(value) : value);

type Values = Readonly<Record<string, unknown>>;

const valueOf = (values: Values, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);

const PLACEHOLDER = /\{(\w+)\}/g;

function fill(template: Json, values: Values): Json | undefined {
  if (Array.isArray(template)) return template.map((item) => fill(item, values) ?? null);
  if (isObject(template)) {
    const members = Object.entries(template).map(([name, member]) => [name, fill(member, values)]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as JsonObject;
  }
  if (typeof template !== "string") return template;
  const whole = /^\{(\w+)\}$/.exec(template)?.[1];
  return whole === undefined ? fillText(template, values) : (valueOf(values, whole) as Json | undefined);
}

const fillText = (template: string, values: Values): string =>
  template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = valueOf(values, name);
    if (value === undefined) return "";
    return typeof value === "string" ? value : JSON.stringify(value);
  });
