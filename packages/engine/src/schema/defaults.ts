import { isObject, type Json } from "../jsonrpc/messages.js";
import { deepCopy, getOwn, setOwn, shallowCopy } from "./json-value.js";
import { MAX_REFERENCES, type SchemaNode, someDescendant } from "./schema-node.js";

/** Returns a valid value with the defaults of absent properties added; the same value if there is nothing to add. */
export type ApplyDefaults = (value: unknown) => unknown;

/** Compiles the defaults of a schema; undefined = it declares none, so most values need no extra pass. */
export function compileDefaults(root: SchemaNode): ApplyDefaults | undefined {
  const apply = compileNodeDefaults(root);
  if (apply === undefined) return undefined;
  return (value) => {
    root.budget.remaining = MAX_REFERENCES;
    const result = apply(value);
    // A default may violate another keyword, such as maxProperties; the value then stays as it was.
    return result === value || root.accepts(result) ? result : value;
  };
}

function compileNodeDefaults(node: SchemaNode): ApplyDefaults | undefined {
  if (!someDescendant(node, ({ schema }) => schema["default"] !== undefined)) return undefined;
  const steps = [
    ...node.refTargets().map(compileReference),
    ...node.subschemas("allOf").map(compileNodeDefaults),
    ...node.choices().map(compileBranches),
    compileProperties(node),
    compileItems(node),
  ].filter((step) => step !== undefined);
  return (value) => {
    let result = value;
    for (const step of steps) result = step(result);
    return result;
  };
}

/** Schemas may be recursive, so the target is compiled when a value first reaches it. */
function compileReference(target: SchemaNode): ApplyDefaults {
  let apply: ApplyDefaults | undefined;
  return (value) => (apply ??= compileNodeDefaults(target) ?? ((same) => same))(value);
}

function compileProperties(node: SchemaNode): ApplyDefaults | undefined {
  const properties = node.namedSubschemas("properties").map(([name, property]) => {
    const apply = compileNodeDefaults(property);
    const value = defaultOf(property);
    // The defaults in a default would never end where a property leads back to its own object.
    const isRecursive = someDescendant(property, (other) => other === node);
    return { name, apply, value: value === undefined || !apply || isRecursive ? value : (apply(value) as Json) };
  });
  const relevant = properties.filter(({ apply, value }) => apply !== undefined || value !== undefined);
  const additional = node.subschema("additionalProperties");
  const applyAdditional = additional && compileNodeDefaults(additional);
  if (relevant.length === 0 && !applyAdditional) return undefined;
  const named = new Set(properties.map(({ name }) => name));
  return (value) => {
    if (!isObject(value)) return value;
    let result = value;
    const set = (name: string, item: unknown): void => {
      if (result === value) result = shallowCopy(value);
      setOwn(result, name, item as Json);
    };
    for (const { name, apply, value: defaultValue } of relevant) {
      const item = getOwn(value, name);
      const applied = item !== undefined && apply ? apply(item) : item;
      if (applied !== item) set(name, applied);
      else if (item === undefined && defaultValue !== undefined) set(name, deepCopy(defaultValue));
    }
    for (const name of applyAdditional ? Object.keys(value) : []) {
      const applied = named.has(name) ? value[name] : applyAdditional?.(value[name]);
      if (applied !== value[name]) set(name, applied);
    }
    return result;
  };
}

/** JSON Schema allows a default that its own schema rejects; such a default is only an annotation. */
function defaultOf(property: SchemaNode): Json | undefined {
  const declared = [property, ...property.refTargets()].map(({ schema }) => schema["default"]);
  const value = declared.find((candidate) => candidate !== undefined);
  return value !== undefined && property.accepts(value) ? value : undefined;
}

function compileItems(node: SchemaNode): ApplyDefaults | undefined {
  const items = node.subschema("items");
  const apply = items && compileNodeDefaults(items);
  if (!apply) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const result = value.map(apply);
    return result.some((item, index) => item !== value[index]) ? result : value;
  };
}

/** A choice has the defaults of the first branch that accepts the value. */
function compileBranches(branches: readonly SchemaNode[]): ApplyDefaults {
  const choices = branches.map((branch) => ({ branch, apply: compileNodeDefaults(branch) }));
  return (value) => {
    const apply = choices.find(({ branch }) => branch.accepts(value))?.apply;
    return apply ? apply(value) : value;
  };
}
