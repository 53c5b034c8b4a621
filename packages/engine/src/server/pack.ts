import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { createSchema, type InferInput, type Schema, type SchemaSource } from "../schema/schema.js";
import { copy } from "../schema/value.js";
import { builtin } from "./builtin.js";
import type { Host } from "./host.js";
import type { Offers } from "./offers.js";

/** What an open pack brings to a server. */
export interface PackContents extends Offers {
  close?(): void | Promise<void>;
}

/** Tools about one subject, with its settings checked and not yet open. */
export interface Pack {
  readonly name: string;
  /** What may be said of it, as JSON Schema. */
  readonly settings?: JsonObject;
  /** Whether its schemas are known to be right; then a server reads one when it is first used, and none at start. */
  readonly checked?: boolean;
  open(host: Host): Promise<PackContents>;
  /** Says what is wrong with the settings that it was given, without opening it. */
  check?(): Promise<readonly string[]>;
}

/** What `pack` takes. */
export interface PackDefinition<Settings extends SchemaSource> {
  readonly name: string;
  readonly settings?: Settings;
  /** Says that its own tests check its schemas and defaults: a server then starts without a look at them. */
  readonly checked?: boolean;
  /** `host` is the server that opens it, to be told of changes. */
  open(settings: InferInput<Settings>, host: Host): PackContents | Promise<PackContents>;
}

/** Defines a pack: a function from its settings, which are checked, to a pack that a server can open. */
export function pack<const Settings extends SchemaSource>(
  definition: PackDefinition<Settings>,
): (settings?: JsonObject) => Pack {
  const { name, checked = false } = definition;
  const schema = readSettings(definition);
  return (settings = {}) => {
    const read = async (): Promise<unknown> => {
      const reading = await schema.read(settings);
      if (reading.ok) return reading.value;
      const faults = reading.faults.map((fault) => `settings.${settingFault(fault)}`);
      throw new TypeError(`Cannot open pack "${name}": ${faults.join("; ")}`);
    };
    const open = async (host: Host): Promise<PackContents> => {
      const unsaid = checked && Object.keys(settings).length === 0 ? defaultsOf(definition.settings) : undefined;
      return definition.open((unsaid ?? (await read())) as InferInput<Settings>, host);
    };
    return Object.freeze({
      name,
      checked,
      get settings() {
        return schema.json;
      },
      open: (host: Host) => openPack({ name, open }, host),
      async check() {
        const reading = await schema.read(settings);
        return reading.ok ? [] : reading.faults.map(settingFault);
      },
    });
  };
}

/** Opens any pack. Throws an error that names the pack and the reason. */
export async function openPack(closed: Pack, host: Host): Promise<PackContents> {
  const fault = `Cannot open pack "${closed.name}": `;
  let contents: PackContents | undefined;
  try {
    contents = await closed.open(host);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason.startsWith(fault)) throw error;
    throw new Error(fault + reason, { cause: error });
  }
  const lists = [contents?.tools, contents?.prompts, contents?.resources].filter((list) => list !== undefined);
  if (contents === undefined || lists.length === 0 || !lists.every(Array.isArray))
    throw new TypeError(`${fault}open() gave no list of tools, prompts or resources`);
  return contents;
}

/** A pack that has to be closed again. */
export interface OpenedPack {
  readonly name: string;
  readonly contents: PackContents;
}

/** Closes all, last first, and takes them off the list; gives what failed. One that cannot be closed keeps none of the others open. */
export async function closePacks(packs: OpenedPack[]): Promise<Error[]> {
  const failures: Error[] = [];
  for (const { name, contents } of packs.splice(0).reverse()) {
    failures.push(...(await closeOne(`pack "${name}"`, contents)));
  }
  return failures;
}

/** Closes one thing that may be open; gives what failed. */
export async function closeOne(what: string, open: { close?(): unknown } | undefined): Promise<Error[]> {
  try {
    await open?.close?.();
    return [];
  } catch (error) {
    return [new Error(`Cannot close ${what}: ${reasonOf(error)}`, { cause: error })];
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : builtin("node:util").inspect(error);

const settingFault = (fault: string): string => fault.replace("unknown argument", "unknown setting");

/** A default that has properties with defaults of their own is filled in further. */
const isPlain = ({ $ref, properties, default: value }: JsonObject): boolean =>
  $ref === undefined && (properties === undefined || !isObject(value));

/** What holds where nothing is said, of a schema that leaves no more to find out; else undefined. */
function defaultsOf(schema: SchemaSource | undefined): JsonObject | undefined {
  const { type: _, properties, ...more }: JsonObject = (schema ?? {}) as JsonObject;
  if (!isObject(properties) || Object.keys(more).some((keyword) => keyword !== "description")) return undefined;
  const all = Object.entries(properties);
  if (!all.every(([, property]) => isObject(property) && isPlain(property))) return undefined;
  const given = all.flatMap(([key, property]) => {
    const { default: value } = property as JsonObject;
    return value === undefined ? [] : [[key, copy(value)]];
  });
  return Object.fromEntries(given) as JsonObject;
}

function readSettings({ name, settings, checked = false }: Omit<PackDefinition<SchemaSource>, "open">): Schema {
  try {
    const source = settings ?? { type: "object", properties: {} };
    return createSchema(source, { repair: false, unknownKeys: "refuse", root: "object", isChecked: checked });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`Cannot define pack "${name}": ${error.message.replace(/^Cannot/, "cannot")}`, {
      cause: error,
    });
  }
}
