import type { Implementation } from "../protocol/description.js";
import type { CacheHint } from "../protocol/outcome.js";
import type { KeepAliveOptions } from "./keep-alive.js";
import type { Layer } from "./layers/layer.js";
import type { Limits } from "./limits.js";
import type { Discovery, Selection } from "./lists/selection.js";
import type { Log } from "./log.js";
import type { CallReport } from "./meters/observe.js";
import type { RateOptions } from "./meters/rate.js";
import type { CallLimits } from "./meters/share.js";
import type { Offers } from "./offers.js";
import type { Pack } from "./pack.js";
import type { RecorderOptions } from "./recorder.js";
import type { RedactOptions } from "./redact.js";
import type { ResultsOptions } from "./results/options.js";
import type { TaskOptions } from "./tasks/options.js";

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
  /** Which of its tools the server offers; all by default. `server.select` changes it. */
  readonly selection?: Selection;
  /** `progressive` lists three small tools, which find, describe and call all others; all tools are listed by default. */
  readonly discovery?: Discovery;
  /** Rewrites listed schemas for clients whose vendor refuses them as they are; on by default. */
  readonly profiles?: boolean;
  /** What a tool that cannot be registered does: it fails the start, or is left out with a warning. */
  readonly badTools?: "refuse" | "set-aside";
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

/** The names of all options. */
export const OPTIONS: Readonly<Record<keyof ServerOptions, true>> = {
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
  selection: true,
  discovery: true,
  profiles: true,
  badTools: true,
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
