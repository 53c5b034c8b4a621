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
 * validates, compares or formats the arguments. A schema that names a larger `maxLength`, `maxItems` or `maxProperties` for a property
 * raises the limit of that property.
 */
export function oversizedArgument(
  args: unknown,
  limits: ArgumentLimits,
  schema: () => JsonObject | undefined,
): string | undefined {
  if (!isObject(args)) return findOversized(args, limits, "arguments");
  const names = Object.keys(args);
  if (names.length > limits.argumentItems) return describe("arguments", "properties", limits.argumentItems);
  for (const name of names) {
    if (name.length > limits.argumentLength)
      return describe("arguments", "characters in a name", limits.argumentLength);
    const value = args[name];
    if (findOversized(value, limits, name) === undefined) continue;
    const found = findOversized(value, raisedLimits(schema(), name, limits), name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Without recursion for lists of plain values; messages are parsed with a limit of their depth. */
function findOversized(value: unknown, limits: ArgumentLimits, path: string): string | undefined {
  const { argumentLength, argumentItems } = limits;
  if (typeof value === "string")
    return value.length > argumentLength ? describe(path, "characters", argumentLength) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    if (value.length > argumentItems) return describe(path, "items", argumentItems);
    for (let index = 0; index < value.length; index += 1) {
      const found = findOversized(value[index], limits, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const members = Object.entries(value);
  if (members.length > argumentItems) return describe(path, "properties", argumentItems);
  for (const [name, member] of members) {
    if (name.length > argumentLength) return describe(path, "characters in a name", argumentLength);
    const found = findOversized(member, limits, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of nested properties come from the client. */
const MAX_PATH_LENGTH = 100;

const describe = (path: string, what: string, limit: number): string =>
  `${truncate(path, MAX_PATH_LENGTH)} must have at most ${limit} ${what}`;

/** The limits of one property: those of its schema, where they are larger. */
function raisedLimits(schema: JsonObject | undefined, name: string, limits: ArgumentLimits): ArgumentLimits {
  const properties = schema?.["properties"];
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const source: unknown = property ?? schema;
  let { argumentLength, argumentItems } = limits;
  const collect = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (typeof value === "object") collect(value);
      else if (typeof value !== "number") continue;
      else if (keyword === "maxLength") argumentLength = Math.max(argumentLength, value);
      else if (keyword === "maxItems" || keyword === "maxProperties") argumentItems = Math.max(argumentItems, value);
    }
  };
  collect(source);
  // A reference may lead to any definition.
  if (JSON.stringify(source)?.includes('"$ref"')) collect([schema?.["$defs"], schema?.["definitions"]]);
  return { argumentLength, argumentItems };
}
