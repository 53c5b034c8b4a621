import { truncate } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/messages.js";

/** The largest values that arguments may contain. */
export interface ArgumentLimits {
  /** Characters of one string, and of one member name. */
  readonly argumentLength: number;
  /** Items of one array, or members of one object. */
  readonly argumentItems: number;
}

/**
 * Describes the first value of some arguments that is too large; undefined if none is. It takes linear time and runs before anything
 * validates, compares or formats the arguments. A schema that names a larger `maxLength`, `maxItems` or `maxProperties` for a value
 * raises the limit of that value.
 */
export function oversizedArgument(
  args: unknown,
  limits: ArgumentLimits,
  schema: () => JsonObject | undefined,
): string | undefined {
  if (findOversized(args, { limits }, "arguments") === undefined) return undefined;
  const root = schema();
  return findOversized(args, { limits, root }, "arguments", root);
}

/** The limits of values whose schema raises none, and the whole schema. */
interface Bounds {
  readonly limits: ArgumentLimits;
  readonly root?: JsonObject | undefined;
}

/** Without recursion for lists of plain values; messages are parsed with a limit of their depth. */
function findOversized(value: unknown, bounds: Bounds, path: string, schema?: unknown): string | undefined {
  const limits = schema === undefined ? bounds.limits : raisedLimits(schema, bounds);
  const { argumentLength, argumentItems } = limits;
  if (typeof value === "string")
    return value.length > argumentLength ? describe(path, "characters", argumentLength) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  // What a reference or a choice leads to is not followed: the limits that it raises apply to all within.
  const isOpen = hasChoice(schema);
  const inside = isOpen ? { limits } : bounds;
  if (Array.isArray(value)) {
    if (value.length > argumentItems) return describe(path, "items", argumentItems);
    const items = isOpen ? undefined : partOf(schema, "items");
    for (let index = 0; index < value.length; index += 1) {
      const found = findOversized(value[index], inside, `${path}[${index}]`, items);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const members = Object.keys(value);
  if (members.length > argumentItems) return describe(path, "properties", argumentItems);
  for (const name of members) {
    if (name.length > argumentLength) return describe(path, "characters in a name", argumentLength);
    const memberPath = path === "arguments" ? name : `${path}.${name}`;
    const part = partOf(partOf(schema, "properties"), name) ?? partOf(schema, "additionalProperties");
    const found = findOversized((value as JsonObject)[name], inside, memberPath, isOpen ? undefined : part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of nested properties come from the client. */
const MAX_PATH_LENGTH = 100;

const describe = (path: string, what: string, limit: number): string =>
  `${truncate(path, MAX_PATH_LENGTH)} must have at most ${limit} ${what}`;

/** Keywords whose subschemas may apply to the same value. */
const CHOICES = ["$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "if", "patternProperties", "prefixItems"];

const hasChoice = (schema: unknown): boolean =>
  isObject(schema) && CHOICES.some((keyword) => schema[keyword] !== undefined);

const partOf = (schema: unknown, name: string): unknown =>
  isObject(schema) && Object.hasOwn(schema, name) ? schema[name] : undefined;

/** The limits of a value: those of its schema, where they are larger. */
function raisedLimits(schema: unknown, { limits, root }: Bounds): ArgumentLimits {
  let { argumentLength, argumentItems } = limits;
  const collect = (node: unknown, isDeep: boolean): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (typeof value === "object" && isDeep) collect(value, true);
      else if (typeof value !== "number") continue;
      else if (keyword === "maxLength") argumentLength = Math.max(argumentLength, value);
      else if (keyword === "maxItems" || keyword === "maxProperties") argumentItems = Math.max(argumentItems, value);
    }
  };
  collect(schema, hasChoice(schema));
  // A reference may lead to any definition.
  if (hasChoice(schema) && JSON.stringify(schema)?.includes('"$ref"'))
    collect([root?.["$defs"], root?.["definitions"]], true);
  return { argumentLength, argumentItems };
}
