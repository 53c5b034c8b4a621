import {
  insufficientScope,
  invalidParams,
  RpcError,
  schemaMismatch,
  truncate,
  unknownTool,
} from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/messages.js";
import { type Outcome, ToolError, type ToolOutcome } from "../../protocol/outcome.js";
import type { Caller } from "../../protocol/types.js";
import type { Vendor } from "../../schema/portable/vendor-profiles.js";
import type { ValidationResult } from "../../schema/schema.js";
import { CallView } from "../call-view.js";
import type { Catalog } from "../catalog.js";
import { jsonDetails, writeToolError } from "../compat/errors.js";
import { InvalidArgumentsError, type InvalidReading } from "../definitions/invalid-arguments.js";
import type { RegisteredTool } from "../definitions/tool.js";
import { type ArgumentLimits, oversizedArgument } from "../limits/argument-size.js";
import type { Quota } from "../limits/quota.js";
import { redactError } from "../logging/redaction.js";
import { type Method, readCursor } from "../method.js";
import { invoke } from "../pipeline.js";
import { type Invocation, offeredTo, type RequestContext } from "../request-context.js";
import type { ServerState } from "../state.js";
import type { ToolFilter } from "./tool-filter.js";
import {
  errorResult,
  SDK_RESULT,
  suspiciousValue,
  toToolResult,
  toValidatedResult,
  withCorrectionNotice,
} from "./tool-result.js";

/** How the clients of each vendor name themselves. Clients for models of any vendor are treated like Cursor. */
const CLIENT_NAMES: readonly (readonly [Vendor, names: string])[] = [
  ["Anthropic", "claude|anthropic"],
  ["OpenAI", "codex|openai|chatgpt"],
  ["Google", "gemini|google|antigravity"],
  ["VS Code", "visual studio code|vscode|code-oss|github-copilot|copilot"],
  ["Cursor", "cursor|windsurf|cline|roo|kilo|opencode|goose|zed|continue|qwen|amp|droid|factory|crush|kiro|librechat"],
];

/** One group for each vendor. One expression is cheaper than one for each: every list is tested. */
const CLIENT_NAME = new RegExp(`^(?:${CLIENT_NAMES.map(([, names]) => `(${names})`).join("|")})(?![a-z])`, "i");

/** The vendor whose API receives the tools that a client lists; undefined if it is unknown. */
export function getVendor({ info }: Caller): Vendor | undefined {
  const name = info?.["name"];
  const groups = typeof name === "string" ? CLIENT_NAME.exec(name)?.slice(1) : undefined;
  return groups && CLIENT_NAMES[groups.findIndex((group) => group !== undefined)]?.[0];
}

/** Whether arguments are a few plain values within the limits, as most are. Deciding it here is cheaper than measuring all of them. */
function isSmall(args: unknown, { argumentLength, argumentItems }: ArgumentLimits): boolean {
  if (!isObject(args)) return false;
  let count = 0;
  for (const name in args) {
    const value = args[name];
    count += 1;
    if (count > argumentItems || name.length > argumentLength || (typeof value === "object" && value !== null))
      return false;
    if (typeof value === "string" && value.length > argumentLength) return false;
  }
  return true;
}

function formatMessage(name: string, issues: readonly string[], example: InvalidReading["example"]): string {
  const lines = [`Invalid arguments for "${name}":`, ...issues.map((issue) => `- ${issue}`)];
  if (example) lines.push(`Example of a valid call: ${JSON.stringify({ name, arguments: example })}`);
  return lines.join("\n");
}

/** Longer error messages are truncated. */
const MAX_MESSAGE_LENGTH = 65_536;

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
    const { tool, input } = this.#entry;
    const args = this.#arguments;
    const { limits } = this.#ctx.state.settings;
    const oversized = isSmall(args, limits) ? undefined : oversizedArgument(args, limits, () => input.jsonSchema);
    if (oversized !== undefined)
      throw new InvalidArgumentsError({ ok: false, issues: [oversized], example: undefined }, true);
    const normalized = tool.normalizeInput !== undefined && isObject(args) ? tool.normalizeInput(args) : args;
    const reading = input.validate(normalized);
    if (!(reading instanceof Promise)) return this.#run(reading);
    return reading.then((settled) => {
      this.#ctx.throwIfAborted();
      return this.#run(settled);
    });
  }

  onLongRunning(): void {
    this.#ctx.state.tasks?.schedulePromotion(this.#ctx, this.#entry.tool);
  }

  finish(value: unknown): Outcome | Promise<Outcome> {
    const { output } = this.#entry;
    if (typeof value === "string" && output === undefined)
      return this.#complete({ content: value, structured: undefined, isError: false, meta: undefined });
    const result = output === undefined ? toToolResult(value) : toValidatedResult(value, output);
    if (result instanceof Promise) return result.then((settled) => this.#finishResult(value, settled));
    return this.#finishResult(value, result);
  }

  #finishResult(value: unknown, result: ToolOutcome): Outcome {
    if (!this.#entry.quota.isResultChecked) this.#warnIfSuspicious(value, result.structured);
    return this.#complete(result);
  }

  /** Logs a value that JSON would lose. Searched for once for each tool, in the first result that may contain one. */
  #warnIfSuspicious(value: unknown, json: string | undefined): void {
    if (value !== undefined && json?.includes("{}") !== true && json?.startsWith(SDK_RESULT) !== true) return;
    this.#entry.quota.isResultChecked = true;
    const mistake = suspiciousValue(value);
    if (mistake === undefined) return;
    this.#ctx.state.settings.log({ level: "warning", message: `tool "${this.name}" returned ${mistake}` });
  }

  fail(thrown: unknown): Outcome {
    if (thrown instanceof InvalidArgumentsError) return this.#rejectArguments(thrown);
    if (thrown instanceof RpcError || thrown instanceof ToolError) {
      const known = redactError(this.#ctx.state.settings.redaction, thrown);
      if (known instanceof ToolError && known.code === "INVALID_ARGUMENTS") this.#ctx.logRejection(known.message);
      return this.#failure(known);
    }
    const reference = crypto.randomUUID().slice(0, 8);
    this.#logError(`failed (reference ${reference})`, thrown);
    return this.#failure(new ToolError(`The tool failed unexpectedly. Reference: ${reference}`));
  }

  /** The outcome for invalid arguments: by default a tool error, because a model can only correct what it sees. */
  #rejectArguments({ reading, isOversized }: InvalidArgumentsError): Outcome {
    const { issues, example, isExampleExact } = reading;
    const { revision, state } = this.#ctx;
    const { validationErrors, redaction } = state.settings;
    const custom = isOversized ? undefined : this.#customMessage();
    const redacted = (custom === undefined ? issues : [custom]).map((issue) => redaction.text(issue));
    this.#ctx.logRejection(custom === undefined ? `invalid arguments: ${redacted.join("; ")}` : redacted.join("; "));
    // A model may send the example unchanged, so a destructive tool gets one only if it is what the caller meant.
    const isSafe = isExampleExact || this.#entry.tool.annotations?.destructiveHint !== true;
    const shown = isSafe && example ? { example } : {};
    const message = custom === undefined ? formatMessage(this.name, redacted, shown.example) : redacted.join("\n");
    const isRpcError =
      validationErrors === "protocol" || (validationErrors === "by-revision" && revision.invalidArgumentsAreRpcErrors);
    if (isRpcError) throw schemaMismatch(message, { issues: redacted });
    const details = { issues: redacted, ...shown };
    return this.#failure(new ToolError(message, { code: "INVALID_ARGUMENTS", details }), "SCHEMA_MISMATCH");
  }

  /** The tool's own message for invalid arguments; undefined if it has none or fails to create one. */
  #customMessage(): string | undefined {
    try {
      const message: unknown = this.#entry.tool.formatValidationError?.(
        this.#ctx.request.params?.["arguments"] ?? {},
        this.#entry.input.jsonSchema,
      );
      return typeof message === "string" ? message : undefined;
    } catch (error) {
      this.#logError("failed in formatValidationError", error);
      return undefined;
    }
  }

  #failure(known: RpcError | ToolError, kind?: string): Outcome {
    if (known instanceof RpcError) throw known;
    const { revision, state } = this.#ctx;
    const details = this.#detailsOf(known);
    const message = writeToolError(state.settings, revision, known, () => details, kind);
    const result = errorResult(truncate(message, MAX_MESSAGE_LENGTH), details, this.#entry.output !== undefined);
    // The correction notice may be what made the result too large.
    return known.code === "RESULT_TOO_LARGE" ? { kind: "tool", result } : this.#withNotice(result);
  }

  #detailsOf(failure: ToolError): JsonObject {
    try {
      return jsonDetails(failure);
    } catch (error) {
      this.#logError("failed with details that JSON cannot write", error);
      return failure.code === undefined ? {} : { code: failure.code };
    }
  }

  #run(reading: ValidationResult): unknown {
    if (!reading.ok) throw new InvalidArgumentsError(reading);
    if (reading.corrections.length > 0) this.#corrections = reading.corrections;
    return this.#entry.tool.run(reading.value as never, new CallView(this.#ctx));
  }

  /** Truncates a result that is too large for the client. */
  #complete(result: ToolOutcome): Outcome {
    const { results } = this.#ctx.state;
    if (results !== undefined) return this.#withNotice(results.limit(result, this.#ctx, this.#entry));
    return this.#corrections === undefined ? { kind: "tool", result } : this.#withNotice(result);
  }

  /** Adds the notice about corrected arguments, if any were corrected. */
  #withNotice(result: ToolOutcome): Outcome {
    const corrections = this.#corrections;
    return { kind: "tool", result: corrections === undefined ? result : withCorrectionNotice(result, corrections) };
  }

  #logError(issue: string, error: unknown): void {
    const { state, request } = this.#ctx;
    state.settings.log({ level: "error", message: `tool "${this.name}" ${issue}`, requestId: request.id, error });
  }
}

type Tools = Catalog<RegisteredTool>;

/** Whether a server has tools. Methods of features that it does not have do not exist. */
export const hasTools = ({ declared }: ServerState): boolean => declared.has("tools");

/** `tools/list` */
export const listTools: Method = {
  isOffered: hasTools,
  handle(ctx) {
    const { state, revision, request, caller } = ctx;
    const { listed } = offeredTo(ctx);
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
    const { params } = ctx.request;
    if (params === undefined) throw invalidParams("Invalid params: Missing tool call parameters");
    const { name } = params;
    if (typeof name !== "string") throw invalidParams('Invalid params: "name" must be a string');
    const { tools } = offeredTo(ctx);
    const entry = tools.byName.get(name);
    if (entry === undefined) throw unknownToolError(ctx, tools, name);
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

function unknownToolError({ state }: RequestContext, tools: Tools, name: string): Error {
  const { all, toolFilter: selection } = state.registry;
  const entry = tools === state.registry.tools ? all.byName.get(name) : undefined;
  const isOff = entry !== undefined;
  const hint = isOff ? ` is switched off on this server${whyOff(entry, selection)}` : "";
  const message = `Unknown tool: ${truncate(name)}${hint}`;
  const nearest = isOff ? undefined : tools.nearestName(name);
  return unknownTool(message, nearest === undefined ? undefined : { didYouMean: nearest });
}

/** Why a tool is not available, or how to enable it. Tools that change something stay off even if they are named. */
function whyOff({ tool }: RegisteredTool, { readOnly, hint }: ToolFilter = {}): string {
  if (readOnly === true && tool.annotations?.readOnlyHint !== true)
    return ", which offers only tools that change nothing";
  return hint === undefined ? "" : `; ${hint}`;
}

/** The list as the client's vendor takes it. */
async function listForVendor({ state, revision, request, caller }: RequestContext, listed: Tools): Promise<Outcome> {
  const cursor = readCursor(request);
  const { adaptToolList } = await import("./vendor-schemas.js");
  return adaptToolList(getVendor(caller), listed, state.settings.log).page(revision, cursor, state.serverInfoMeta);
}
