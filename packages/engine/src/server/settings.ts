import type { LogLevel } from "../protocol/caller.js";
import type { Implementation } from "../protocol/description.js";
import type { CacheHint } from "../protocol/outcome.js";
import type { Revision } from "../revisions/revision.js";
import { REVISIONS, versionsOf } from "../revisions/select.js";
import { type KeepAliveOptions, readKeepAlive } from "./keep-alive.js";
import { refuseUnknown } from "./known-members.js";
import type { Layer } from "./layers/layer.js";
import { createLimits, type Limits } from "./limits.js";
import { createLog, type Log, type LogEntry } from "./log.js";
import type { CallReport } from "./meters/observe.js";
import type { RateOptions } from "./meters/rate.js";
import type { CallLimits } from "./meters/share.js";
import type { Offers } from "./offers.js";
import type { Pack } from "./pack.js";
import type { RecorderOptions } from "./recorder.js";
import { createRedaction, type Redaction, type RedactOptions } from "./redact.js";
import { cacheFault } from "./resource.js";
import { createResultsSettings, type ResultsOptions, type ResultsSettings } from "./results/options.js";
import { readTaskOptions, type TaskOptions, type TaskSettings } from "./tasks/options.js";

/** Which published numbering of errors a server keeps for clients that were written against it. */
export type LegacyCodes = "paiml" | "rag" | "ancplua";

/** How long and by whom each list may be kept. */
export type ListCache = Readonly<Partial<Record<"tools" | "prompts" | "resources" | "resourceTemplates", CacheHint>>>;

/** What `createServer` takes. */
export interface ServerOptions extends Implementation, Offers {
  /** What a model should know before it uses the tools. */
  readonly instructions?: string;
  readonly packs?: readonly Pack[];
  /** Tools, prompts and resources may come and go while the server runs, and clients are told. */
  readonly dynamic?: boolean;
  /** How long and by whom the lists may be kept; by nobody by default. */
  readonly listCache?: ListCache;
  /** The protocol revisions to serve; all of them by default. */
  readonly revisions?: readonly string[];
  /** `tolerant` serves between `initialize` and `notifications/initialized`; `strict` refuses; `off` needs no handshake. */
  readonly lifecycle?: "tolerant" | "strict" | "off";
  /** How wrong arguments are told: as a result that the model sees, as a protocol error, or as the revision's text has it. */
  readonly validationErrors?: "result" | "by-revision" | "protocol";
  readonly legacyCodes?: LegacyCodes;
  /** Where batches are served: in the revisions that have them, everywhere, or nowhere. */
  readonly batch?: "auto" | "always" | "never";
  /** Reads `protocol_version`, `client_info` and the like on `initialize`; on by default. */
  readonly inputAliases?: boolean;
  /** Serves a method named like a tool as a call of that tool. */
  readonly directToolMethods?: boolean;
  /** Mends arguments whose meaning is certain, and says so in the result; on by default. */
  readonly repair?: boolean;
  /** What happens to arguments that a tool does not know; refused by default. */
  readonly unknownArguments?: "refuse" | "allow";
  /** Names the server in each result of the stateless revision; on by default. */
  readonly identify?: boolean;
  /** The key that signs `requestState`; instances that share clients must share it. Random by default. */
  readonly secret?: string | Uint8Array;
  /** Lets calls that take long go on as tasks, with clients that can follow them; off by default. */
  readonly tasks?: boolean | TaskOptions;
  /** Cuts results that are too large for a model, and keeps the whole to be read in parts; off by default. */
  readonly results?: boolean | ResultsOptions;
  readonly limits?: Partial<Limits>;
  /** A token bucket for tool calls; none by default. */
  readonly rate?: RateOptions;
  /** What the calls of one principal may use at once and each second; where nobody is told apart, everybody is one. */
  readonly perPrincipal?: CallLimits;
  /** Pings clients with a handshake, and gives up those that do not answer; off by default. */
  readonly keepAlive?: boolean | KeepAliveOptions;
  /** What stands around every request, outermost first; see the guide on layers. */
  readonly layers?: readonly Layer[];
  /** Traces and measures requests where the process has loaded OpenTelemetry when the server starts; on by default. */
  readonly telemetry?: boolean;
  /** Keeps the last messages in memory, for whoever looks for a fault; on by default. */
  readonly recorder?: boolean | RecorderOptions;
  /** Hears of each finished tool call. */
  readonly observe?: (report: CallReport) => void;
  /** Where the server's own log goes; stderr by default. */
  readonly log?: Log;
  /** What is blanked in logs, recordings and the audit log, besides what is named like a secret or looks like one. */
  readonly redact?: RedactOptions;
  /** Keeps stacks, paths of the host, SQL and the environment out of the failures that clients hear of; on by default. */
  readonly sanitise?: boolean;
}

/** The options with every default in place. */
export interface Settings {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly dynamic: boolean;
  readonly listCache: ListCache;
  readonly revisions: readonly Revision[];
  readonly newestHandshake: Revision | undefined;
  readonly lifecycle: "tolerant" | "strict" | "off";
  readonly validationErrors: "result" | "by-revision" | "protocol";
  readonly legacyCodes: LegacyCodes | undefined;
  readonly batch: "auto" | "always" | "never";
  readonly inputAliases: boolean;
  readonly directToolMethods: boolean;
  readonly repair: boolean;
  readonly unknownArguments: "refuse" | "allow";
  readonly identify: boolean;
  readonly tasks: TaskSettings | undefined;
  readonly results: ResultsSettings | undefined;
  /** One object for the life of the server: `reconfigure` changes it in place. */
  readonly limits: Limits;
  readonly keepAlive: Required<KeepAliveOptions> | undefined;
  readonly log: Log;
  /** The one redaction of the server. */
  readonly redaction: Redaction;
  readonly sanitise: boolean;
}

const OPTIONS: Readonly<Record<keyof ServerOptions, true>> = {
  name: true,
  version: true,
  title: true,
  description: true,
  websiteUrl: true,
  icons: true,
  instructions: true,
  tools: true,
  prompts: true,
  resources: true,
  packs: true,
  dynamic: true,
  listCache: true,
  revisions: true,
  lifecycle: true,
  validationErrors: true,
  legacyCodes: true,
  batch: true,
  inputAliases: true,
  directToolMethods: true,
  repair: true,
  unknownArguments: true,
  identify: true,
  secret: true,
  tasks: true,
  results: true,
  limits: true,
  rate: true,
  perPrincipal: true,
  keepAlive: true,
  layers: true,
  telemetry: true,
  recorder: true,
  observe: true,
  log: true,
  redact: true,
  sanitise: true,
};

/** Checks the options and fills in the defaults. Throws `TypeError` that names the option at fault. */
export function createSettings(options: ServerOptions): Settings {
  refuseUnknown("create the server", options, OPTIONS);
  for (const member of ["name", "version"] as const) {
    if (typeof options[member] !== "string" || options[member] === "") {
      throw new TypeError(`Cannot create the server: ${member} must be a non-empty string`);
    }
  }
  const revisions = chooseRevisions(options.revisions);
  const redaction = readRedact(options.redact);
  const { name, version, title, description, websiteUrl, icons } = options;
  return Object.freeze({
    info: Object.freeze({
      name,
      version,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(websiteUrl !== undefined && { websiteUrl }),
      ...(icons !== undefined && { icons }),
    }),
    instructions: options.instructions,
    dynamic: options.dynamic ?? false,
    listCache: checkListCache(options.listCache),
    revisions,
    newestHandshake: revisions.find(({ handshake }) => handshake),
    lifecycle: oneOf("lifecycle", options.lifecycle, ["tolerant", "strict", "off"]),
    validationErrors: oneOf("validationErrors", options.validationErrors, ["result", "by-revision", "protocol"]),
    legacyCodes: options.legacyCodes && oneOf("legacyCodes", options.legacyCodes, ["paiml", "rag", "ancplua"]),
    batch: oneOf("batch", options.batch, ["auto", "always", "never"]),
    inputAliases: options.inputAliases ?? true,
    directToolMethods: options.directToolMethods ?? false,
    repair: options.repair ?? true,
    unknownArguments: oneOf("unknownArguments", options.unknownArguments, ["refuse", "allow"]),
    identify: options.identify ?? true,
    tasks: readTaskOptions(options.tasks),
    results: createResultsSettings(options.results),
    limits: { ...createLimits(options.limits) },
    keepAlive: readKeepAlive(options.keepAlive),
    log: options.log === undefined ? createLog({ redaction }) : safely(options.log, redaction),
    redaction,
    sanitise: options.sanitise ?? true,
  });
}

function checkListCache(given: ListCache = {}): ListCache {
  refuseUnknown("create the server", given, { tools: true, prompts: true, resources: true, resourceTemplates: true });
  for (const [list, hint] of Object.entries(given)) {
    const fault = cacheFault(hint);
    if (fault !== undefined) throw new TypeError(`Cannot create the server: listCache.${list}: ${fault}`);
  }
  return given;
}

/** A log that fails must not fail what it logs. */
function safely(log: Log, redaction: Redaction): Log {
  const safe = (entry: LogEntry): void => {
    try {
      log(entry);
    } catch (error) {
      createLog({ redaction })({ level: "error", message: "the server's log failed", error });
    }
  };
  return log.isOn === undefined ? safe : Object.assign(safe, { isOn: (level: LogLevel) => log.isOn?.(level) === true });
}

function readRedact(given: RedactOptions = {}): Redaction {
  refuseUnknown("create the server", given, { names: true, values: true });
  try {
    return createRedaction(given);
  } catch (error) {
    throw new TypeError(`Cannot create the server: ${(error as Error).message}`, { cause: error });
  }
}

function oneOf<Value extends string>(
  option: string,
  given: Value | undefined,
  allowed: readonly [Value, ...Value[]],
): Value {
  if (given === undefined) return allowed[0];
  if (!allowed.includes(given)) {
    throw new TypeError(`Cannot create the server: ${option} must be one of ${allowed.join(", ")}, not ${given}`);
  }
  return given;
}

function chooseRevisions(versions: readonly string[] | undefined): readonly Revision[] {
  if (versions === undefined) return REVISIONS;
  const unknown = versions.find((version) => !versionsOf(REVISIONS).includes(version));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot create the server: revision ${unknown} is unknown; known are ${versionsOf(REVISIONS).join(", ")}`,
    );
  }
  if (versions.length === 0) throw new TypeError("Cannot create the server: revisions must name at least one");
  return REVISIONS.filter(({ version }) => versions.includes(version));
}
