import { isObject, type JsonObject } from "../../jsonrpc/messages.js";
import type { InferInput, SchemaSource } from "../../schema/schema.js";
import type { ServerMetrics } from "../limits/metrics.js";
import type { LogEntry } from "../logging/log.js";
import type { Redaction } from "../logging/redaction.js";
import { getBuiltinModule } from "../runtime.js";
import * as check from "./checks.js";
import { compileSchema } from "./compile-schema.js";
import type { Prompt } from "./prompt.js";
import type { Resource, ResourceTemplate } from "./resource.js";
import type { Tool } from "./tool.js";
import { atCaller, requireDefinition } from "./validation.js";

/** The tools, prompts and resources of a server or a pack. */
export interface Definitions {
  readonly tools?: readonly Tool[];
  readonly prompts?: readonly Prompt[];
  readonly resources?: readonly (Resource | ResourceTemplate)[];
}

/** The running server as a pack sees it. */
export interface PackHost {
  readonly name: string;
  readonly version: string;
  /** Statistics about its calls. */
  readonly metrics: ServerMetrics;
  /** Removes secrets from log output and recordings. */
  readonly redaction: Redaction;
  /** The available tools, in list order. */
  readonly tools: readonly Tool[];
  /** Notifies clients that have subscribed to the resource, or to a parent of it, of a change. */
  notifyResourceUpdated(uri: string): void;
  /** Notifies clients that resource templates list other resources than before. Needs `dynamic: true`. */
  notifyResourceListChanged(): void;
  /** Adds a tool and notifies clients. Needs `dynamic: true`, like all methods that add or remove. */
  addTool(tool: Tool): void;
  /** Removes a tool and notifies clients. */
  removeTool(name: string): void;
  addPrompt(prompt: Prompt): void;
  removePrompt(name: string): void;
  addResource(resource: Resource | ResourceTemplate): void;
  /** Removes the resource or resource template with this URI. */
  removeResource(uri: string): void;
  /** Notifies the client that received the URL elicitation with this id that the interaction is complete. */
  completeElicitation(id: string): void;
  /** Writes to the log of the server. */
  log(entry: LogEntry): void;
}

/** What an open pack provides to a server. */
export interface PackContents extends Definitions {
  close?(): void | Promise<void>;
}

/** A configured pack that a server can open. */
export interface Pack {
  readonly name: string;
  /** The JSON Schema of its settings. */
  readonly settings?: JsonObject;
  /** Its definitions are known to be valid, so that a server compiles their schemas on first use and not at start. */
  readonly prevalidated?: boolean;
  open(host: PackHost): Promise<PackContents>;
  /** Describes what is wrong with its settings, without opening it. */
  validateSettings?(): Promise<readonly string[]>;
}

/** The options of `pack`. */
export interface PackDefinition<Settings extends SchemaSource> {
  readonly name: string;
  readonly settings?: Settings;
  /** The tests of the pack validate its schemas and defaults, so that a server does not have to at start. */
  readonly prevalidated?: boolean;
  /** `host` is the server that opens the pack. */
  open(settings: InferInput<Settings>, host: PackHost): PackContents | Promise<PackContents>;
}

const PACK_CHECKS: check.Checks<PackDefinition<SchemaSource>> = {
  name: check.requiredString,
  settings: check.anything,
  prevalidated: check.boolean,
  open: check.requiredFunction,
};

/**
 * Defines a pack: a function that takes settings and returns a pack for a server.
 *
 * @example
 * const notes = pack({
 *   name: "notes",
 *   settings: z.object({ folder: z.string() }),
 *   open: ({ folder }) => ({ tools: createNoteTools(folder) }),
 * });
 * createServer({ name: "my-server", version: "1.0.0", packs: [notes({ folder: "./notes" })] });
 */
export function pack<const Settings extends SchemaSource>(
  definition: PackDefinition<Settings>,
): (settings?: JsonObject) => Pack {
  return atCaller(pack, () => {
    requireDefinition("pack", definition);
    const { name, prevalidated = false } = definition;
    check.validate(`define pack "${name}"`, definition, PACK_CHECKS);
    const source = definition.settings ?? { type: "object", properties: {} };
    const options = { correct: false, unknownProperties: "reject", root: "object", isTrusted: prevalidated } as const;
    const schema = compileSchema(source, options, {
      action: `define pack "${name}"`,
      label: "the schema",
      isConvertedLazily: true,
    });
    return (settings = {}) => {
      const open = async (host: PackHost): Promise<PackContents> => {
        const isDefault = prevalidated && Object.keys(settings).length === 0;
        const defaults = isDefault ? collectDefaults(source as JsonObject) : undefined;
        const parsed = defaults ? ({ ok: true, value: defaults } as const) : await schema.validate(settings);
        if (parsed.ok) return definition.open(parsed.value as InferInput<Settings>, host);
        const issues = parsed.issues.map((issue) => `settings.${toSettingIssue(issue)}`);
        throw new TypeError(`Cannot open pack "${name}": ${issues.join("; ")}`);
      };
      return Object.freeze({
        name,
        prevalidated,
        get settings() {
          return schema.jsonSchema;
        },
        open: (host: PackHost) => openPack({ name, open }, host),
        async validateSettings() {
          const parsed = await schema.validate(settings);
          return parsed.ok ? [] : parsed.issues.map(toSettingIssue);
        },
      });
    };
  });
}

/** Opens a pack. Throws an error that names the pack and the reason. */
export async function openPack(definition: Pack, host: PackHost): Promise<PackContents> {
  const prefix = `Cannot open pack "${definition.name}": `;
  let contents: PackContents | undefined;
  try {
    contents = await definition.open(host);
  } catch (error) {
    const reason = errorMessage(error);
    if (reason.startsWith(prefix)) throw error;
    throw new Error(prefix + reason, { cause: error });
  }
  const lists = [contents?.tools, contents?.prompts, contents?.resources].filter((list) => list !== undefined);
  if (contents === undefined || lists.length === 0 || !lists.every(Array.isArray))
    throw new TypeError(`${prefix}open() must return an array of tools, prompts or resources`);
  return contents;
}

/** Closes something that may be open. Returns the error, if any, with this label. */
export async function tryClose(label: string, closable: { close?(): unknown } | undefined): Promise<Error[]> {
  try {
    await closable?.close?.();
    return [];
  } catch (error) {
    return [new Error(`Cannot close ${label}: ${errorMessage(error)}`, { cause: error })];
  }
}

const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : getBuiltinModule("node:util").inspect(error);

const toSettingIssue = (issue: string): string => issue.replace("unknown argument", "unknown setting");

/**
 * The defaults of a schema with simple properties, undefined for any other schema. They are collected without compiling the
 * schema, which would take milliseconds at start.
 */
function collectDefaults(schema: JsonObject): JsonObject | undefined {
  const { properties } = schema;
  const isSimple = Object.keys(schema).every((keyword) => ["type", "properties", "description"].includes(keyword));
  if (!isSimple || !isObject(properties)) return undefined;
  const defaults: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    const { $ref, properties: members, default: value } = isObject(property) ? property : {};
    // An object may get further defaults from its own properties.
    if (!isObject(property) || $ref !== undefined || (members !== undefined && isObject(value))) return undefined;
    if (value !== undefined) defaults[name] = structuredClone(value);
  }
  return defaults;
}
