import { isObject, type JsonObject } from "../jsonrpc/messages.js";
import type { CacheHint } from "../protocol/outcome.js";
import { type Implementation, LOG_LEVELS, type LogLevel } from "../protocol/types.js";
import { REVISIONS, versionsOf } from "../revisions/negotiation.js";
import type { Revision } from "../revisions/revision.js";
import { type ErrorRules, errorRules } from "./compat/errors.js";
import { snakeCaseRevision } from "./compat/snake-case.js";
import { TOOL_RESULTS } from "./compat/tool-results.js";
import * as check from "./definitions/checks.js";
import type { Definitions, Pack } from "./definitions/pack.js";
import { cacheHint } from "./definitions/resource.js";
import { type ToolOverride, toolOverrides } from "./definitions/tool-override.js";
import { omitUndefined, rejectUnknownOptions } from "./definitions/validation.js";
import {
  type LargeResultsOptions,
  type LargeResultsSettings,
  resolveLargeResultsOptions,
} from "./features/large-results/options.js";
import { resolveTaskOptions, type TaskOptions, type TaskSettings } from "./features/tasks/task-store.js";
import { TOOL_FILTER_CHECKS, type ToolDiscovery, type ToolFilter, toolDiscovery } from "./features/tool-filter.js";
import { type KeepAliveOptions, keepAliveCheck, resolveKeepAlive } from "./keep-alive.js";
import { DEFAULT_LIMITS, type Limits, mergeLimits } from "./limits/limits.js";
import type { CallReport } from "./limits/metrics.js";
import { type CallLimits, type RateOptions, validateCallLimits, validateRate } from "./limits/quota.js";
import type { RecorderOptions } from "./logging/frame-recorder.js";
import { createLogger, type LineLogger, type LogEntry, type Logger } from "./logging/log.js";
import { createRedaction, type Redaction, type RedactOptions } from "./logging/redaction.js";
import type { Middleware } from "./middleware.js";

/** How long and by whom each list may be cached. */
export type ListCache = Readonly<Partial<Record<"tools" | "prompts" | "resources" | "resourceTemplates", CacheHint>>>;

/** The features of the protocol that a server may have. */
const FEATURES = ["tools", "resources", "prompts", "completions", "logging"] as const;

/** How a server speaks the protocol. */
interface ProtocolOptions {
  /** The protocol revisions to serve, such as `["2025-11-25", "2026-07-28"]`. Default: all. */
  readonly revisions?: readonly string[];
  /** The features that the server has, if it defines something for them; without one, its methods are not found. Default: all. */
  readonly features?: readonly (typeof FEATURES)[number][];
  /** Names the server in each result of the stateless revision. Default: true. */
  readonly includeServerInfo?: boolean;
  /** How long and by whom the lists may be cached. Default: not at all. */
  readonly listCache?: ListCache;
  /** Pings clients that have done a handshake, and disconnects those that do not answer. Default: false. */
  readonly keepAlive?: boolean | KeepAliveOptions;
  /**
   * Tells clients that have set a log level about their own calls, what is rejected, and changes of their session, as
   * `notifications/message`. Default: false, then only tools send log messages.
   */
  readonly clientLog?: boolean;
}

/** How a server lists its tools, and how it treats their arguments. */
interface ToolOptions {
  /** Which tools the server offers; `server.select` changes it. Default: all. */
  readonly filter?: ToolFilter;
  /** `progressive` lists three small tools that find, describe and call all others. Default: `full`. */
  readonly discovery?: ToolDiscovery;
  /** Rewrites listed schemas for clients whose vendor rejects them as they are. Default: true. */
  readonly vendorSchemas?: boolean;
  /** What happens with a tool that cannot be registered: `throw` fails the start, `skip` logs a warning. Default: `throw`. */
  readonly onInvalidTool?: "throw" | "skip";
  /** Corrects arguments whose meaning is certain, with a notice in the result. A tool can override it. Default: true. */
  readonly correctArguments?: boolean;
  /** What happens with arguments that a tool does not know. A tool can override it. Default: `reject`. */
  readonly unknownArguments?: "reject" | "allow";
  /** What the server says about tools in place of their definitions, by the names of the tools. Default: nothing. */
  readonly overrides?: Readonly<Record<string, ToolOverride>>;
}

/** The limits of a server, and how often calls may start. */
export interface LimitOptions extends Partial<Limits> {
  /** How often tool calls may start, for all clients together. Default: no limit. */
  readonly rate?: RateOptions;
  /** How often one session may send requests of any kind; more are rejected. Default: no limit. */
  readonly requestRate?: Omit<RateOptions, "over">;
  /** The calls that one principal may run at once and start each second. Without authentication all clients share one quota. */
  readonly perPrincipal?: CallLimits;
}

/** Switches for clients that were written against a server with other rules. The defaults serve every conforming client. */
interface CompatOptions {
  /**
   * `tolerant` serves requests between `initialize` and `notifications/initialized`; `strict` rejects them, but for pings;
   * `strict-ping` rejects pings, too; `off` needs no handshake. Default: `tolerant`.
   */
  readonly lifecycle?: "tolerant" | "strict" | "strict-ping" | "off";
  /** The capabilities that are announced in place of those that the server has. Changes of a list are notified if its `listChanged` is true. */
  readonly capabilities?: JsonObject;
  /** What happens with a request that has no id: it is ignored like a notification, or rejected. Default: `ignore`. */
  readonly missingId?: "ignore" | "reject";
  /**
   * How invalid arguments are reported: `result`, a tool result that the model sees; `protocol`, the error -32602;
   * `by-revision`, as the text of the client's revision says. Default: `result`.
   */
  readonly validationErrors?: "result" | "by-revision" | "protocol";
  /** How errors are written, by their kinds, for revisions with a handshake. Default: as the specification says. */
  readonly errors?: ErrorRules;
  /** Where batches are served: in the revisions that have them (`auto`), `always` or `never`. Default: `auto`. */
  readonly batch?: "auto" | "always" | "never";
  /** Reads `protocol_version` and `client_info` in `initialize`. Default: true. */
  readonly inputAliases?: boolean;
  /**
   * The protocol version in which clients are served that write `initialize` in snake_case: in snake_case, with lists as
   * capabilities, and with batches. Default: they are served as all others.
   */
  readonly snakeCaseVersion?: string;
  /** Serves a method with the name of a tool as a call of that tool; `bare` responds with its structured content alone. Default: false. */
  readonly directToolMethods?: boolean | "bare";
  /** What listed tools have: all that their revision has, or only a name, a description and an input schema. Default: `full`. */
  readonly toolLists?: "full" | "plain";
  /**
   * What tool results have: all that their revision has (`full`), only content and `isError` (`plain`), only content, with `isError`
   * if it is true (`content`), or content that is one `string`. The last two are for revisions with a handshake. Default: `full`.
   */
  readonly toolResults?: (typeof TOOL_RESULTS)[number];
  /** The level at which rejected messages and calls are logged. Default: `warning`. */
  readonly rejectionLevel?: LogLevel;
}

/**
 * The options of `createServer`.
 *
 * @example
 * const options: ServerOptions = { name: "weather", version: "1.0.0", tools: [forecast], limits: { callTimeoutMs: 5_000 } };
 */
export interface ServerOptions extends Implementation, Definitions {
  /** What a model should know before it uses the tools. */
  readonly instructions?: string;
  /** Packs, which are opened when the server starts. */
  readonly packs?: readonly Pack[];
  /** Allows tools, prompts and resources to be added and removed while the server runs; clients are notified. Default: false. */
  readonly dynamic?: boolean;
  /** Functions that run around every request, outermost first. */
  readonly middleware?: readonly Middleware[];
  /** Where the server's own log goes. Default: stderr. */
  readonly log?: Logger;
  /** The key that signs `requestState`; instances that share clients must share it. Default: random. */
  readonly secret?: string | Uint8Array;
  /** Is called after each tool call, prompt, resource read and completion. */
  readonly onCall?: (report: CallReport) => void;
  readonly protocol?: ProtocolOptions;
  readonly toolOptions?: ToolOptions;
  readonly limits?: LimitOptions;
  /** Continues long calls as tasks, for clients that can follow them. Default: false. */
  readonly tasks?: boolean | TaskOptions;
  /** Truncates results that are too large for a model, and keeps the whole to be read in parts. Default: false. */
  readonly largeResults?: boolean | LargeResultsOptions;
  /** Keeps the last messages in memory, for diagnosis. Default: true. */
  readonly recorder?: boolean | RecorderOptions;
  /** What is redacted in logs, recordings and the audit log, in addition to what looks like a secret. */
  readonly redact?: RedactOptions;
  /** Traces and measures requests if the process has loaded OpenTelemetry when the server starts. Default: true. */
  readonly telemetry?: boolean;
  /** Switches for clients that were written against a server with other rules. */
  readonly compat?: CompatOptions;
}

/** The options with all defaults applied, without groups. */
export interface ServerSettings
  extends Required<Omit<CompatOptions, "errors" | "capabilities" | "snakeCaseVersion">>,
    Required<Omit<ToolOptions, "filter" | "overrides">>,
    Required<Pick<ProtocolOptions, "includeServerInfo" | "listCache" | "clientLog">> {
  readonly errors: ErrorRules | undefined;
  readonly capabilities: JsonObject | undefined;
  readonly features: ReadonlySet<string>;
  readonly overrides: ReadonlyMap<string, ToolOverride>;
  readonly requestRate: RateOptions | undefined;
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly dynamic: boolean;
  /** The filter of the options; the one that applies now is in the registry. */
  readonly toolFilter: ToolFilter | undefined;
  readonly revisions: readonly Revision[];
  readonly newestHandshake: Revision | undefined;
  /** The last of the revisions, if it has the option `snakeCaseVersion`. */
  readonly snakeCase: Revision | undefined;
  readonly keepAlive: Required<KeepAliveOptions> | undefined;
  readonly tasks: TaskSettings | undefined;
  readonly largeResults: LargeResultsSettings | undefined;
  /** One object for the lifetime of the server: `reconfigure` changes it in place. */
  readonly limits: Limits;
  readonly log: Logger;
  /** The one redaction of the server. */
  readonly redaction: Redaction;
}

const PROTOCOL_CHECKS: check.Checks<ProtocolOptions> = {
  revisions: check.arrayOf(check.anything),
  features: check.arrayOf(check.oneOf(...FEATURES)),
  includeServerInfo: check.boolean,
  listCache: check.strictObject({
    tools: cacheHint,
    prompts: cacheHint,
    resources: cacheHint,
    resourceTemplates: cacheHint,
  } satisfies check.Checks<ListCache>),
  keepAlive: keepAliveCheck,
  clientLog: check.boolean,
};

const TOOL_CHECKS: check.Checks<ToolOptions> = {
  filter: check.strictObject(TOOL_FILTER_CHECKS),
  discovery: toolDiscovery,
  vendorSchemas: check.boolean,
  onInvalidTool: check.oneOf("throw", "skip"),
  correctArguments: check.boolean,
  unknownArguments: check.oneOf("reject", "allow"),
  overrides: toolOverrides,
};

const COMPAT_CHECKS: check.Checks<CompatOptions> = {
  lifecycle: check.oneOf("tolerant", "strict", "strict-ping", "off"),
  capabilities: check.optional(isObject, "must be an object"),
  missingId: check.oneOf("ignore", "reject"),
  validationErrors: check.oneOf("result", "by-revision", "protocol"),
  errors: errorRules,
  batch: check.oneOf("auto", "always", "never"),
  inputAliases: check.boolean,
  snakeCaseVersion: check.optional(check.isNonEmptyString, "must be a non-empty string"),
  directToolMethods: check.optional(
    (value) => value === "bare" || typeof value === "boolean",
    "must be true, false or bare",
  ),
  toolLists: check.oneOf("full", "plain"),
  toolResults: check.oneOf(...TOOL_RESULTS),
  rejectionLevel: check.oneOf(...LOG_LEVELS),
};

/** Whoever can guess the secret can forge what it signs. */
const isSecret = (value: unknown): boolean =>
  (typeof value === "string" || value instanceof Uint8Array) && value.length >= 16;
const isPack = (value: unknown): boolean => isObject(value) && typeof value["open"] === "function";

const nonEmptyString = check.required(check.isNonEmptyString, "must be a non-empty string");
const SERVER_CHECKS: check.Checks<ServerOptions> = {
  name: nonEmptyString,
  version: nonEmptyString,
  title: check.string,
  description: check.string,
  websiteUrl: check.string,
  icons: check.icons,
  instructions: check.string,
  tools: check.arrayOf(check.anything),
  prompts: check.arrayOf(check.anything),
  resources: check.arrayOf(check.anything),
  packs: check.arrayOf(check.required(isPack, "is not a pack; call what pack() returns")),
  dynamic: check.boolean,
  middleware: check.arrayOf(check.required(check.isFunction, "must be a function")),
  log: check.optional(check.isFunction, "must be a function"),
  secret: check.optional(isSecret, "must have at least 16 bytes; leave it out for a random one"),
  onCall: check.optional(check.isFunction, "must be a function"),
  protocol: check.strictObject(PROTOCOL_CHECKS),
  toolOptions: check.strictObject(TOOL_CHECKS),
  limits: check.anything,
  tasks: check.anything,
  largeResults: check.anything,
  recorder: check.anything,
  redact: check.strictObject({ names: check.anything, values: check.anything } satisfies check.Checks<RedactOptions>),
  telemetry: check.boolean,
  compat: check.strictObject(COMPAT_CHECKS),
};

const DEFAULTS = {
  dynamic: false,
  discovery: "full",
  vendorSchemas: true,
  onInvalidTool: "throw",
  correctArguments: true,
  unknownArguments: "reject",
  includeServerInfo: true,
  listCache: {},
  clientLog: false,
  lifecycle: "tolerant",
  capabilities: undefined,
  missingId: "ignore",
  validationErrors: "result",
  errors: undefined,
  batch: "auto",
  inputAliases: true,
  directToolMethods: false,
  toolLists: "full",
  toolResults: "full",
  rejectionLevel: "warning",
} as const satisfies Partial<ServerSettings>;

const ACTION = "create the server";

const optionError = (reason: string, options?: ErrorOptions): TypeError =>
  new TypeError(`Cannot ${ACTION}: ${reason}`, options);

/** Validates the options and applies the defaults. Throws `TypeError` that names the invalid option. */
export function resolveOptions(options: ServerOptions): ServerSettings {
  check.validate(ACTION, options, SERVER_CHECKS);
  const { name, version, title, description, websiteUrl, icons, instructions, dynamic = DEFAULTS.dynamic } = options;
  const { revisions: versions, features = FEATURES, keepAlive, ...protocol } = options.protocol ?? {};
  const { filter: toolFilter, overrides = {}, ...toolOptions } = options.toolOptions ?? {};
  const published = chooseRevisions(versions);
  const newestHandshake = published.find(({ handshake }) => handshake);
  const { snakeCaseVersion, ...compat } = options.compat ?? {};
  const snakeCase =
    snakeCaseVersion && newestHandshake ? snakeCaseRevision(newestHandshake, snakeCaseVersion) : undefined;
  const redaction = createRedactionFrom(options.redact);
  return Object.freeze({
    ...DEFAULTS,
    ...omitUndefined(protocol),
    ...omitUndefined(toolOptions),
    ...omitUndefined(compat),
    info: Object.freeze(omitUndefined({ name, version, title, description, websiteUrl, icons })),
    instructions,
    dynamic,
    revisions: snakeCase === undefined ? published : [...published, snakeCase],
    features: new Set(features),
    overrides: new Map(Object.entries(overrides)),
    clientLog: options.protocol?.clientLog === true && features.includes("logging"),
    requestRate: options.limits?.requestRate,
    newestHandshake,
    snakeCase,
    keepAlive: resolveKeepAlive(keepAlive),
    toolFilter,
    tasks: resolveTaskOptions(options.tasks),
    largeResults: resolveLargeResultsOptions(options.largeResults),
    limits: { ...resolveLimits(ACTION, options.limits) },
    log: options.log === undefined ? createLogger({ redaction }) : guardLog(options.log, redaction),
    redaction,
  });
}

/** Validates the limits and applies the defaults. Throws `TypeError` that names the invalid limit, and what cannot be done. */
export function resolveLimits(action: string, options: LimitOptions = {}): Limits {
  const { rate, requestRate, perPrincipal, ...limits } = options;
  rejectUnknownOptions(
    action,
    options,
    { ...DEFAULT_LIMITS, rate: true, requestRate: true, perPrincipal: true },
    "limits",
  );
  if (perPrincipal !== undefined)
    rejectUnknownOptions(action, perPrincipal, { calls: true, rate: true }, "limits.perPrincipal");
  const issue =
    (rate && validateRate("limits.rate", rate)) ??
    (requestRate && validateRate("limits.requestRate", requestRate)) ??
    (perPrincipal && validateCallLimits(perPrincipal, "limits.perPrincipal."));
  if (issue !== undefined) throw new TypeError(`Cannot ${action}: ${issue}`);
  return mergeLimits(action, DEFAULT_LIMITS, limits);
}

/** Guards a log of the author: if it throws, the request that is logged does not fail. */
function guardLog(log: Logger, redaction: Redaction): Logger {
  const safe = (entry: LogEntry): void => {
    try {
      if ("level" in log) (log as LineLogger)(entry, redaction);
      else log(entry);
    } catch (error) {
      createLogger({ redaction })({ level: "error", message: "the server's log failed", error });
    }
  };
  return safe;
}

function createRedactionFrom(options: RedactOptions = {}): Redaction {
  try {
    return createRedaction(options);
  } catch (error) {
    throw optionError((error as Error).message, { cause: error });
  }
}

function chooseRevisions(versions: readonly string[] | undefined): readonly Revision[] {
  if (versions === undefined) return REVISIONS;
  const unknown = versions.find((version) => !versionsOf(REVISIONS).includes(version));
  if (unknown !== undefined) {
    throw optionError(`unknown revision ${unknown}; expected one of ${versionsOf(REVISIONS).join(", ")}`);
  }
  if (versions.length === 0) throw optionError("protocol.revisions must name at least one revision");
  return REVISIONS.filter(({ version }) => versions.includes(version));
}
