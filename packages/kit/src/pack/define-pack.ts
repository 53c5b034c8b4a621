import type {
  PackContents as EngineContents,
  PackHost as EnginePackHost,
  InferInput,
  JsonObject,
  SchemaSource,
} from "@toolwright/engine";
import type { Command } from "../cli/command.js";
import type { FilePolicy } from "../files/file-policy.js";
import type { Page } from "../pages/index.js";

/** What a server provides to a pack: the methods of the engine, and what the configuration says for all packs. */
export interface PackHost extends EnginePackHost {
  /** The folder in which packs keep what should outlive the server. */
  readonly stateFolder: string;
  /** What the tools of all packs may read and change. */
  readonly files: FilePolicy;
  /** The current time. */
  readonly now: () => Date;
  /** Whether a pack that is switched on provides the tool, even if the tool filter leaves it out at the moment. */
  toolIsOn(name: string): boolean;
  /** The file from which the settings were read, if any. */
  readonly configurationFile?: string | undefined;
}

/** What the commands of a pack work with. They run in a process of their own, without a server. */
export type CommandHost = Pick<PackHost, "stateFolder" | "files" | "now" | "log" | "configurationFile">;

/** What an open pack provides. */
export interface PackContents extends EngineContents {
  /** Pages of the dashboard. */
  readonly pages?: readonly Page[];
}

/** The options of `definePack`. */
export interface PackOptions<Settings extends SchemaSource> {
  /** Lower-case letters, digits and dashes. It is the key of the settings, `packs.<name>`. */
  readonly name: string;
  /** What the pack is for, in one line. */
  readonly summary: string;
  /** The schema of the settings: JSON Schema or a Standard Schema. Names are in camelCase. */
  readonly settings?: Settings;
  /**
   * The names of the tools by toolset, so that the command line can validate `--tools` and `--toolsets` without opening the pack.
   * Tools that are unknown before the pack is open are left out.
   */
  readonly toolsets?: Readonly<Record<string, readonly string[]>>;
  /** The tools that are available only if `--tools`, `--toolsets` or `--all-tools` names them. */
  readonly optionalTools?: readonly string[];
  /** The tools that others replace. They are in no toolset, and are listed only if `--tools` names them. */
  readonly replacedTools?: readonly string[];
  /** Commands of the command line, by name. Each is loaded when it is needed. */
  readonly commands?: Readonly<Record<string, () => Promise<Command>>>;
  /** The tests of the pack validate its schemas, so that a server compiles them on first use and not at start. */
  readonly prevalidated?: boolean;
  /** Opens the pack with valid settings, with defaults filled in. */
  open(settings: InferInput<Settings>, host: PackHost): PackContents | Promise<PackContents>;
}

/** A pack: one value that brings tools, resources, prompts, settings, commands and dashboard pages. */
export interface PackDefinition extends Omit<PackOptions<SchemaSource>, "open" | "settings"> {
  readonly settings: SchemaSource;
  open(settings: never, host: PackHost): PackContents | Promise<PackContents>;
}

const NO_SETTINGS = { type: "object", properties: {} } as const satisfies JsonObject;
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Defines a pack.
 *
 * @example
 * export default definePack({
 *   name: "notes",
 *   summary: "Notes in a folder",
 *   settings: { type: "object", properties: { folder: { type: "string", default: "notes" } } },
 *   open: ({ folder }, host) => ({ tools: [readNote(folder, host.files)] }),
 * });
 */
export function definePack<const Settings extends SchemaSource = typeof NO_SETTINGS>(
  options: PackOptions<Settings>,
): PackDefinition {
  const { name } = options;
  if (typeof name !== "string" || !NAME.test(name))
    throw new TypeError(
      `Cannot define pack ${JSON.stringify(name)}: a name has lower-case letters, digits and dashes, such as "my-notes"`,
    );
  if (typeof options.open !== "function") throw new TypeError(`Cannot define pack "${name}": open must be a function`);
  return Object.freeze({ ...options, settings: options.settings ?? NO_SETTINGS, [IS_PACK]: true });
}

/** Registered globally: a pack of an outside author may come from another copy of this module. */
const IS_PACK = Symbol.for("toolwright.pack");

/** Whether a value was made by `definePack`. */
export const isPackDefinition = (value: unknown): value is PackDefinition =>
  typeof value === "object" && value !== null && IS_PACK in value;
