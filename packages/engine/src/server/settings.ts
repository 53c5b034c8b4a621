import type { LogLevel } from "../protocol/caller.js";
import type { Implementation } from "../protocol/description.js";
import type { Revision } from "../revisions/revision.js";
import { REVISIONS, versionsOf } from "../revisions/select.js";
import { describedFault } from "./described.js";
import { type KeepAliveOptions, readKeepAlive } from "./keep-alive.js";
import { refuseUnknown } from "./known-members.js";
import { createLimits, type Limits } from "./limits.js";
import { checkSelection, type Discovery, type Selection } from "./lists/selection.js";
import { createLog, type LineLog, type Log, type LogEntry } from "./log.js";
import { createRedaction, type Redaction, type RedactOptions } from "./redact.js";
import { cacheFault } from "./resource.js";
import { createResultsSettings, type ResultsSettings } from "./results/options.js";
import { type LegacyCodes, type ListCache, OPTIONS, type ServerOptions } from "./server-options.js";
import { readTaskOptions, type TaskSettings } from "./tasks/options.js";

/** The options with every default in place. */
export interface Settings {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly dynamic: boolean;
  /** What the options said; what holds now is in the offering. */
  readonly selection: Selection | undefined;
  readonly discovery: Discovery;
  readonly profiles: boolean;
  readonly badTools: "refuse" | "set-aside";
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

const fault = (reason: string, options?: ErrorOptions): TypeError =>
  new TypeError(`Cannot create the server: ${reason}`, options);

/** Checks the options and fills in the defaults. Throws `TypeError` that names the option at fault. */
export function createSettings(options: ServerOptions): Settings {
  refuseUnknown("create the server", options, OPTIONS);
  for (const member of ["name", "version"] as const) {
    if (typeof options[member] !== "string" || options[member] === "")
      throw fault(`${member} must be a non-empty string`);
  }
  const odd = describedFault(options);
  if (odd !== undefined) throw fault(odd);
  for (const member of ["tools", "prompts", "resources", "packs", "layers", "revisions"] as const) {
    if (!Array.isArray(options[member] ?? [])) throw fault(`${member} must be an array`);
  }
  if (options.layers?.some((layer) => typeof layer !== "function")) throw fault("each layer must be a function");
  if (options.packs?.some((pack) => typeof pack?.open !== "function"))
    throw fault("packs has something that is no pack; what pack() gives has to be called");
  for (const member of ["log", "observe"] as const) {
    if (typeof (options[member] ?? fault) !== "function") throw fault(`${member} must be a function`);
  }
  // Whoever can guess it can forge what it signs.
  const { secret } = options;
  const isKey = typeof secret === "string" || secret instanceof Uint8Array;
  if (secret !== undefined && !(isKey && secret.length >= 16))
    throw fault("secret must have at least 16 bytes; leave it out for a random one");
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
    selection: options.selection && checkSelection("create the server", options.selection),
    discovery: oneOf("discovery", options.discovery, ["full", "progressive"]),
    profiles: options.profiles ?? true,
    badTools: oneOf("badTools", options.badTools, ["refuse", "set-aside"]),
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
    const reason = cacheFault(hint);
    if (reason !== undefined) throw fault(`listCache.${list}: ${reason}`);
  }
  return given;
}

/** A log that fails must not fail what it logs. */
function safely(log: Log, redaction: Redaction): Log {
  const safe = (entry: LogEntry): void => {
    try {
      // A function of one's own may show whatever else it is given.
      if ("level" in log) (log as LineLog)(entry, redaction);
      else log(entry);
    } catch (error) {
      createLog({ redaction })({ level: "error", message: "the server's log failed", error });
    }
  };
  const isOn = (level: LogLevel): boolean => {
    try {
      return log.isOn?.(level) === true;
    } catch {
      // What is wrong with it is told with the line.
      return true;
    }
  };
  return log.isOn === undefined ? safe : Object.assign(safe, { isOn });
}

function readRedact(given: RedactOptions = {}): Redaction {
  refuseUnknown("create the server", given, { names: true, values: true });
  try {
    return createRedaction(given);
  } catch (error) {
    throw fault((error as Error).message, { cause: error });
  }
}

function oneOf<Value extends string>(
  option: string,
  given: Value | undefined,
  allowed: readonly [Value, ...Value[]],
): Value {
  if (given === undefined) return allowed[0];
  if (!allowed.includes(given)) {
    throw fault(`${option} must be one of ${allowed.join(", ")}, not ${given}`);
  }
  return given;
}

function chooseRevisions(versions: readonly string[] | undefined): readonly Revision[] {
  if (versions === undefined) return REVISIONS;
  const unknown = versions.find((version) => !versionsOf(REVISIONS).includes(version));
  if (unknown !== undefined) {
    throw fault(`revision ${unknown} is unknown; known are ${versionsOf(REVISIONS).join(", ")}`);
  }
  if (versions.length === 0) throw fault("revisions must name at least one");
  return REVISIONS.filter(({ version }) => versions.includes(version));
}
