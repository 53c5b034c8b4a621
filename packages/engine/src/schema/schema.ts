import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { prepareNodes } from "./closed.js";
import { type Document, definitionFault, readDocument } from "./document.js";
import { acceptsObjectsOnly } from "./kinds.js";
import { type Node, rootNode } from "./node.js";
import { createPlainReader } from "./read-plain.js";
import { createStandardReader } from "./read-standard.js";
import type { Reading, SchemaOptions } from "./reading.js";
import { isStandardSchema, type StandardSchema, toJsonSchema } from "./standard.js";

export type { InferInput } from "./infer.js";
export type { Reading, SchemaOptions } from "./reading.js";
export { isStandardSchema } from "./standard.js";

/** What authors describe values with: a Standard Schema, or a JSON Schema written out. */
export type SchemaSource = StandardSchema | { readonly [keyword: string]: unknown };

/** One description of a value, whatever it was written in: shown to clients, and used to read what they send. */
export interface Schema {
  /** The JSON Schema to show to clients. A Standard Schema is converted when this is first asked for. */
  readonly json: JsonObject;
  /** Checks a value and, where that is switched on, repairs it. A right one is read at once, unless a Standard Schema takes its time. */
  read(value: unknown): Reading | Promise<Reading>;
}

/** Builds a schema; throws a TypeError that says what is wrong with the definition. */
export function createSchema(source: SchemaSource, options: SchemaOptions): Schema {
  if (isStandardSchema(source)) return createStandardSchema(source, options);
  if (!isObject(source)) throw definitionFault("", "it is neither a Standard Schema nor a JSON Schema object");
  const document = options.isChecked === true ? undefined : readDocument(source);
  if (document !== undefined && options.root === "object" && document.root["type"] !== "object") throw notAnObject();
  let prepared: Node | undefined;
  const root = () => (prepared ??= prepareRoot(document ?? readDocument(source), options));
  // Only references can lead in circles; all else that is worked out about a schema can wait until it is used.
  if (document !== undefined && (document.targets.size > 0 || document.dynamicTargets.size > 0)) root();
  return {
    get json() {
      return root().closed ? { ...source, additionalProperties: false } : source;
    },
    read: createPlainReader(root, options.repair),
  };
}

function createStandardSchema(source: StandardSchema, options: SchemaOptions): Schema {
  const side = options.side ?? "input";
  if (!source["~standard"].jsonSchema && !options.json) toJsonSchema(source, side);
  const converted = new Map<Side, Converted>();
  const convert = (wanted: Side): Converted => {
    const made = converted.get(wanted) ?? convertStandard(source, options, wanted);
    converted.set(wanted, made);
    return made;
  };
  return {
    get json() {
      return convert(side).json;
    },
    read: createStandardReader(source, () => convert("input").root, options.repair),
  };
}

type Side = "input" | "output";

interface Converted {
  readonly root: Node;
  readonly json: JsonObject;
}

/** Converts one side of a Standard Schema to JSON Schema and reads that. */
function convertStandard(source: StandardSchema, options: SchemaOptions, side: Side): Converted {
  const written = options.json ?? toJsonSchema(source, side);
  const root = prepareRoot(readDocument(written), options);
  const json: JsonObject = { ...written };
  if (!options.json && json["$schema"] === "https://json-schema.org/draft/2020-12/schema") delete json["$schema"];
  if (root.closed) json["additionalProperties"] = false;
  // Libraries write a choice between objects, or a reference to one, without saying that it is one, but MCP wants it said.
  if (json["type"] === undefined && acceptsObjectsOnly(root)) return { root, json: { type: "object", ...json } };
  if (options.root === "any" || json["type"] === "object") return { root, json };
  throw notAnObject();
}

function prepareRoot(document: Document, options: SchemaOptions): Node {
  const root = rootNode(document);
  prepareNodes(root, options.unknownKeys);
  return root;
}

function notAnObject(): TypeError {
  return definitionFault("", 'its root must be of type "object"');
}
