import { insufficientScope, invalidParams, RpcError, truncate } from "../../jsonrpc/errors.js";
import { encodeResult, isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { Content } from "../../protocol/content.js";
import { type Outcome, ToolError, type ToolOutcome } from "../../protocol/outcome.js";
import type { Caller } from "../../protocol/types.js";
import type { Vendor } from "../../schema/portable/vendor-profiles.js";
import type { ValidationResult } from "../../schema/schema.js";
import { CallView } from "../call-view.js";
import type { Catalog } from "../catalog.js";
import { compatError } from "../compat/error-codes.js";
import type { RegisteredTool, Tool } from "../definitions/tool.js";
import type { Quota } from "../limits/quota.js";
import { redactError } from "../logging/redaction.js";
import { type Method, readCursor } from "../method.js";
import { invoke } from "../pipeline.js";
import type { Invocation, RequestContext } from "../request-context.js";
import { lazy } from "../runtime.js";
import type { ServerState } from "../state.js";
import type { ResultContext } from "./large-results/large-results.js";
import {
  errorResult,
  suspiciousValue,
  toContentResult,
  toStructuredResult,
  toToolResult,
  withCorrectionNotice,
} from "./tool-result.js";
import type * as VendorSchemas from "./vendor-schemas.js";

/** How the clients of each vendor name themselves. Clients for models of any vendor are treated like Cursor. */
const CLIENT_NAMES: readonly (readonly [Vendor, names: string])[] = [
  ["Anthropic", "claude|anthropic"],
  ["OpenAI", "codex|openai|chatgpt"],
  ["Google", "gemini|google|antigravity"],
  ["VS Code", "visual studio code|vscode|code-oss|github-copilot|copilot"],
  ["Cursor", "cursor|windsurf|cline|roo|kilo|opencode|goose|zed|continue|qwen|amp|droid|factory|crush|kiro|librechat"],
];

/** One group for each vendor. */
const CLIENT_NAME = new RegExp(`^(?:${CLIENT_NAMES.map(([, names]) => `(${names})`).join("|")})(?![a-z])`, "i");

/** The vendor whose API receives the tools that a client lists; undefined if it is unknown. */
export function getVendor({ info }: Caller): Vendor | undefined {
  const name = info?.["name"];
  const groups = typeof name === "string" ? CLIENT_NAME.exec(name)?.slice(1) : undefined;
  return groups && CLIENT_NAMES[groups.findIndex((group) => group !== undefined)]?.[0];
}

/** Loads the code that adapts tool lists to vendors, with the first list for a client of one. */
const loadVendorSchemas: () => typeof VendorSchemas | Promise<typeof VendorSchemas> = lazy(
  () => import("./vendor-schemas.js"),
);

/** The validation result of invalid arguments. */
type InvalidReading = Extract<ValidationResult, { ok: false }>;

/** Thrown for arguments that an asynchronous schema rejects after the call has started. */
class InvalidArgumentsError extends Error {
  readonly reading: InvalidReading;

  constructor(reading: InvalidReading) {
    super("the arguments are invalid");
    this.reading = reading;
  }
}

/**
 * Creates the outcome for invalid arguments: by default a tool error, because a model can only correct what it sees.
 * A message that the tool has created itself replaces the default one.
 */
function invalidArgumentsOutcome(
  context: RequestContext,
  { tool: { name, annotations }, output }: RegisteredTool,
  { issues, example: suggestion, isExampleExact }: InvalidReading,
  hasCustomMessage: boolean,
): Outcome {
  // A model may send the example unchanged, so a destructive tool gets one only if it is what the caller meant.
  const example = isExampleExact || annotations?.destructiveHint !== true ? suggestion : undefined;
  const { validationErrors, errorCodes } = context.state.settings;
  const message = hasCustomMessage ? issues.join("\n") : formatMessage(name, issues, example);
  const legacyError = context.revision.handshake ? compatError(errorCodes, "INVALID_ARGUMENTS", message) : undefined;
  if (legacyError) throw legacyError;
  const isRpcError =
    validationErrors === "protocol" ||
    (validationErrors === "by-revision" && context.revision.invalidArgumentsAreRpcErrors);
  if (isRpcError) throw invalidParams(message, { faults: [...issues] });
  const details = { code: "INVALID_ARGUMENTS", faults: [...issues], ...(example && { example }) };
  return { kind: "tool", result: errorResult(message, details, output !== undefined) };
}

function formatMessage(name: string, issues: readonly string[], example: InvalidReading["example"]): string {
  const lines = [`Invalid arguments for "${name}":`, ...issues.map((issue) => `- ${issue}`)];
  if (example) lines.push(`Example of a valid call: ${JSON.stringify({ name, arguments: example })}`);
  return lines.join("\n");
}

/** Longer error messages are truncated. */
const MAX_MESSAGE_LENGTH = 65_536;

/** What a correction notice or the members of a task may add to a response. */
const ENVELOPE_BYTES = 4096;

/** One run of a tool: starts it, and turns its result or error into an outcome. */
class ToolInvocation implements Invocation {
  readonly kind = "tool";
  readonly name: string;
  readonly quota: Quota;
  readonly #ctx: RequestContext;
  readonly #entry: RegisteredTool;
  readonly #arguments: unknown;
  #corrections: readonly string[] | undefined;

  constructor(ctx: RequestContext, entry: RegisteredTool, args: unknown) {
    this.#ctx = ctx;
    this.#entry = entry;
    this.#arguments = args;
    this.name = entry.tool.name;
    this.quota = entry.quota;
  }

  get timeoutMs(): number {
    return this.#entry.timeoutMs;
  }

  /** Validates the arguments and runs the tool. */
  start(): unknown {
    const reading = this.#entry.input.validate(this.#arguments);
    if (!(reading instanceof Promise)) return this.#run(reading);
    return reading.then((settled) => {
      this.#ctx.throwIfAborted();
      return this.#run(settled);
    });
  }

  onLongRunning(): void {
    const { tasks } = this.#ctx.state;
    tasks?.schedulePromotion(this.#ctx, this.#entry.tool, () => this.#ctx.input?.inputRequired() !== undefined);
  }

  finish(value: unknown): Outcome | Promise<Outcome> {
    const { output } = this.#entry;
    if (typeof value === "string" && output === undefined)
      return this.#complete({ content: value, structured: undefined, isError: false, meta: undefined });
    this.#warnIfSuspicious(value);
    if (output === undefined) return this.#complete(toToolResult(value));
    const result = value instanceof Content ? toToolResult(value) : toStructuredResult(value);
    // The value is validated as the client will read it, after the conversion to JSON.
    const reading = output.validate(result.structured === undefined ? undefined : JSON.parse(result.structured));
    return reading instanceof Promise
      ? reading.then((read) => this.#check(read, value, result))
      : this.#check(reading, value, result);
  }

  /** Logs a value that JSON would lose, once for each tool. */
  #warnIfSuspicious(value: unknown): void {
    const { quota } = this.#entry;
    if (quota.hasWarned) return;
    const mistake = suspiciousValue(value);
    if (mistake === undefined) return;
    quota.hasWarned = true;
    this.#ctx.state.settings.log({ level: "warning", message: `tool "${this.name}" returned ${mistake}` });
  }

  fail(thrown: unknown): Outcome {
    if (thrown instanceof InvalidArgumentsError) return this.#rejectArguments(thrown.reading);
    if (!(thrown instanceof RpcError || thrown instanceof ToolError)) return this.#failure(this.#unexpected(thrown));
    return this.#failure(redactError(this.#ctx.state.settings.redaction, thrown));
  }

  #rejectArguments(reading: InvalidReading): Outcome {
    const { redaction } = this.#ctx.state.settings;
    const custom = this.#customMessage(this.#entry.tool);
    const issues = (custom === undefined ? reading.issues : [custom]).map((issue) => redaction.text(issue));
    return invalidArgumentsOutcome(this.#ctx, this.#entry, { ...reading, issues }, custom !== undefined);
  }

  /** The tool's own message for invalid arguments; undefined if it has none or fails to create one. */
  #customMessage(tool: Tool): string | undefined {
    try {
      const message: unknown = tool.formatValidationError?.(this.#ctx.request.params?.["arguments"] ?? {});
      return typeof message === "string" ? message : undefined;
    } catch (error) {
      this.#ctx.state.settings.log({
        level: "error",
        message: `tool "${this.name}" failed in formatValidationError`,
        error,
      });
      return undefined;
    }
  }

  #failure(known: RpcError | ToolError): Outcome {
    if (known instanceof RpcError) throw known;
    const { errorCodes } = this.#ctx.state.settings;
    const rpcError = this.#ctx.revision.handshake
      ? compatError(errorCodes, known.code ?? "FAILED", known.message)
      : undefined;
    if (rpcError) throw rpcError;
    const details = this.#detailsOf(known);
    const result = errorResult(truncateMessage(known.message), details, this.#entry.output !== undefined);
    // The correction notice may be what made the result too large.
    return known.code === "RESULT_TOO_LARGE" ? { kind: "tool", result } : this.#withNotice(result);
  }

  #detailsOf({ code, details }: ToolError): JsonObject {
    const known = code === undefined ? {} : { code };
    try {
      return { ...known, ...(JSON.parse(JSON.stringify(details)) as JsonObject) };
    } catch (error) {
      this.#ctx.state.settings.log({
        level: "error",
        message: `tool "${this.name}" failed with details that JSON cannot write`,
        error,
      });
      return known;
    }
  }

  #run(reading: ValidationResult): unknown {
    if (!reading.ok) throw new InvalidArgumentsError(reading);
    if (reading.corrections.length > 0) this.#corrections = reading.corrections;
    return this.#entry.tool.run(reading.value as never, new CallView(this.#ctx));
  }

  #check(reading: ValidationResult, value: unknown, result: ToolOutcome): Outcome {
    if (!reading.ok)
      throw new TypeError(`The result does not match the tool's output schema: ${reading.issues.join("; ")}`);
    // A schema may remove, add or change members, so its output is what counts.
    const read = reading.value as Json | undefined;
    if (!(value instanceof Content)) return this.#complete(toStructuredResult(read));
    return this.#complete(JSON.stringify(read) === result.structured ? result : toContentResult(value.blocks, read));
  }

  /** Truncates a result that is too large for the client. */
  #complete(result: ToolOutcome): Outcome {
    const { results } = this.#ctx.state;
    if (results === undefined || !results.mayExceed(result, this.#entry.budgetBytes))
      return this.#corrections === undefined ? { kind: "tool", result } : this.#withNotice(result);
    return this.#withNotice(results.truncate(result, this.#resultContext(result)));
  }

  /** Adds the notice about corrected arguments, if any were corrected. */
  #withNotice(result: ToolOutcome): Outcome {
    const corrections = this.#corrections;
    return { kind: "tool", result: corrections === undefined ? result : withCorrectionNotice(result, corrections) };
  }

  #resultContext({ structured }: ToolOutcome): ResultContext {
    const { state, revision, id, principal } = this.#ctx;
    const { tool, output, budgetBytes } = this.#entry;
    return {
      tool: tool.name,
      principal,
      budgetBytes,
      validatesOutput: () => output !== undefined && revision.writeStructuredContent(structured) !== undefined,
      responseBytes: (result) =>
        Buffer.byteLength(encodeResult(id, revision.writeResult({ kind: "tool", result }, state.serverInfoMeta))) +
        ENVELOPE_BYTES,
    };
  }

  #unexpected(error: unknown): ToolError {
    const reference = crypto.randomUUID().slice(0, 8);
    const { state, request } = this.#ctx;
    state.settings.log({
      level: "error",
      message: `tool "${this.name}" failed (reference ${reference})`,
      requestId: request.id,
      error,
    });
    return new ToolError(`The tool failed unexpectedly. Reference: ${reference}`);
  }
}

/** The message as text: some code puts other values into `message`. */
function truncateMessage(message: unknown): string {
  const text = typeof message === "string" ? message : (JSON.stringify(message) ?? "");
  return text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH)}…`;
}

type Tools = Catalog<RegisteredTool>;

/** Whether a server has tools. Methods of features that it does not have do not exist. */
export const hasTools = ({ declared }: ServerState): boolean => declared.has("tools");

/** `tools/list` */
export const listTools: Method = {
  isOffered: hasTools,
  handle(ctx) {
    const { state, connection, revision, request, caller } = ctx;
    const { toolFilter } = connection;
    const { listed } = toolFilter === undefined ? state.registry : toolFilter.apply(state.registry);
    // A list of which clients share a copy must be the same for all of them.
    if (state.settings.vendorSchemas && (getVendor(caller) !== undefined || listed.cache.scope === "public"))
      return listForVendor(ctx, listed);
    return listed.page(revision, readCursor(request), state.serverInfoMeta);
  },
};

/** `tools/call` */
export const callTool: Method = {
  isOffered: hasTools,
  handle(ctx) {
    const params: JsonObject = ctx.request.params ?? {};
    const { name } = params;
    if (typeof name !== "string") throw invalidParams('Invalid params: "name" must be a string');
    const { toolFilter } = ctx.connection;
    const { registry } = ctx.state;
    const { tools } = toolFilter === undefined ? registry : toolFilter.apply(registry);
    const entry = tools.byName.get(name);
    if (entry === undefined) throw unknownTool(ctx, tools, name);
    if (entry.tool.scopes !== undefined) requireScopes(ctx, entry.tool.name, entry.tool.scopes);
    const args = params["arguments"] ?? {};
    // Some clients send the arguments as JSON in a string; the schema parses it if corrections are enabled.
    if (!isObject(args) && !(entry.correctsArguments && typeof args === "string")) {
      throw invalidParams('Invalid params: "arguments" must be an object');
    }
    const invocation = new ToolInvocation(ctx, entry, args);
    const rejected = ctx.state.tasks?.start(ctx, entry.tool);
    if (rejected === undefined) return invoke(ctx, invocation);
    return rejected instanceof Promise ? rejected.then((outcome) => outcome ?? invoke(ctx, invocation)) : rejected;
  },
};

/** Throws `RpcError` if the client lacks a scope that the tool requires. */
function requireScopes({ connection }: RequestContext, name: string, scopes: readonly string[]): void {
  const granted = connection.scopes;
  if (granted === undefined || scopes.every((scope) => granted.has(scope))) return;
  throw insufficientScope(`The tool ${name}`, scopes);
}

function unknownTool({ state, revision }: RequestContext, tools: Tools, name: string): Error {
  const { all, toolFilter: selection } = state.registry;
  const isOff = tools === state.registry.tools && all.byName.get(name) !== undefined;
  const hint = isOff
    ? ` is switched off on this server${selection?.hint === undefined ? "" : `; ${selection.hint}`}`
    : "";
  const message = `Unknown tool: ${truncate(name)}${hint}`;
  const legacy = revision.handshake ? compatError(state.settings.errorCodes, "UNKNOWN_TOOL", message) : undefined;
  const nearest = isOff ? undefined : tools.nearestName(name);
  return legacy ?? invalidParams(message, nearest === undefined ? undefined : { didYouMean: nearest });
}

/** The list as the client's vendor takes it. */
function listForVendor(ctx: RequestContext, listed: Tools): Outcome | Promise<Outcome> {
  const { state, revision, request, caller } = ctx;
  const cursor = readCursor(request);
  const page = ({ adaptToolList }: Exclude<ReturnType<typeof loadVendorSchemas>, Promise<unknown>>): Outcome =>
    adaptToolList(getVendor(caller), listed, state.settings.log).page(revision, cursor, state.serverInfoMeta);
  const profiles = loadVendorSchemas();
  return profiles instanceof Promise ? profiles.then(page) : page(profiles);
}
