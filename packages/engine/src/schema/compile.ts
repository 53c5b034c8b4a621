import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { unevaluatedItems, unevaluatedKeys } from "./applicable-schemas.js";
import { allOf, anyOf, BARE_TYPES, compileArray, compileEnum, compileNumber, compileString } from "./compile-types.js";
import { compileDefaults } from "./defaults.js";
import { getOwn } from "./json-value.js";
import type { Validate } from "./schema.js";
import { MAX_REFERENCES, type SchemaNode, type Validator } from "./schema-node.js";

/** Shared by all results without corrections, so that they allocate no list. */
export const NO_CORRECTIONS: readonly string[] = Object.freeze([]);

/** Creates the validator of a plain JSON Schema, which is compiled when the first value arrives. */
export function createJsonSchemaValidator(getRoot: () => SchemaNode, correct: boolean): Validate {
  let compiled: ReturnType<typeof compileRoot> | undefined;
  return (value) => {
    const { root, check, applyDefaults } = (compiled ??= compileRoot(getRoot()));
    root.budget.remaining = MAX_REFERENCES;
    const isValid = check(value);
    if (root.budget.remaining < 0)
      return { ok: false, issues: ["too complex to validate: nest fewer objects or arrays"], example: undefined };
    if (isValid) return { ok: true, value: applyDefaults ? applyDefaults(value) : value, corrections: NO_CORRECTIONS };
    // Loaded on demand: a third of this folder, which a server starts without.
    return import("./invalid-value.js").then(async ({ handleInvalidValue }) => {
      const validate = (other: unknown) => {
        root.budget.remaining = MAX_REFERENCES;
        return check(other) ? { value: other } : { issues: [] };
      };
      const result = await handleInvalidValue({ value, result: { issues: [] }, validate, correct, root });
      return result.ok && applyDefaults ? { ...result, value: applyDefaults(result.value) } : result;
    });
  };
}

function compileRoot(root: SchemaNode) {
  // Compiling validates the defaults.
  root.budget.remaining = MAX_REFERENCES;
  return { root, check: root.validator, applyDefaults: compileDefaults(root) };
}

/** Compiles a node to closures. Call `node.validator` instead, which does this once per node. */
export function compileNode(node: SchemaNode): Validator {
  if (node.isFalse) return () => false;
  const { type, enum: values, const: value } = node.schema;
  return allOf([
    ...(value === undefined ? [] : [compileEnum([value])]),
    ...(values === undefined ? [] : [compileEnum(values as Json[])]),
    ...(type === undefined ? compileUntyped(node) : [compileTypes([type].flat() as string[], node)]),
    ...node.refTargets().map(compileReference),
    ...compileApplicators(node),
    ...compileUnevaluated(node),
  ]);
}

/** Schemas may be recursive, so the target is compiled when a value first reaches it. */
function compileReference(target: SchemaNode): Validator {
  const { budget } = target;
  let check: Validator | undefined;
  return (value) => --budget.remaining >= 0 && (check ??= target.validator)(value);
}

const TYPE_COMPILERS: Readonly<Record<string, (node: SchemaNode) => Validator>> = {
  number: ({ schema }) => compileNumber(schema, "number"),
  integer: ({ schema }) => compileNumber(schema, "integer"),
  string: ({ schema }) => compileString(schema),
  array: compileArray,
  object: compileObject,
};

function compileTypes(types: readonly string[], node: SchemaNode): Validator {
  return anyOf(types.map((type) => TYPE_COMPILERS[type]?.(node) ?? (BARE_TYPES[type] as Validator)));
}

/** Without `type`, the keywords of a type apply to values of that type; other values are valid. */
function compileUntyped(node: SchemaNode): Validator[] {
  return ["number", "string", "array", "object"].flatMap((type) => {
    const isOfType = BARE_TYPES[type] as Validator;
    const check = compileTypes([type], node);
    return check === isOfType ? [] : [(value) => !isOfType(value) || check(value)];
  });
}

/** Compiles the keywords whose subschemas apply to the same value. */
function compileApplicators(node: SchemaNode): Validator[] {
  const compile = (keyword: string) => node.subschemas(keyword).map((subschema) => subschema.validator);
  const checks = compile("allOf");
  if (node.schema["anyOf"] !== undefined) checks.push(anyOf(compile("anyOf")));
  if (node.schema["oneOf"] !== undefined) checks.push(oneOf(compile("oneOf")));
  const not = node.subschema("not")?.validator;
  if (not) checks.push((value) => !not(value));
  const condition = node.subschema("if")?.validator;
  const [then, otherwise] = [node.subschema("then")?.validator, node.subschema("else")?.validator];
  if (condition && (then ?? otherwise)) checks.push((value) => (condition(value) ? then : otherwise)?.(value) ?? true);
  return checks;
}

function oneOf(checks: readonly Validator[]): Validator {
  return (value) => {
    let count = 0;
    for (const check of checks) if (check(value) && ++count > 1) return false;
    return count === 1;
  };
}

type ObjectValidator = (value: JsonObject) => boolean;

/** Compiles `type: object` with the object keywords. `compileProperties` checks the type, so it comes first. */
function compileObject(node: SchemaNode): Validator {
  const others = [...compileOtherProperties(node), ...compilePropertyCounts(node), ...compileDependents(node)];
  return allOf([compileProperties(node), ...(others as Validator[])]);
}

const acceptAll: Validator = () => true;

/** Compiles `properties`, `required` and the check for unknown keys, which almost every schema has. */
function compileProperties(node: SchemaNode): Validator {
  const properties = new Map(node.namedSubschemas("properties"));
  const required = new Set(node.required);
  const closed = node.isClosed;
  const names = [...required, ...[...properties.keys()].filter((name) => !required.has(name))];
  const requiredCount = required.size;
  const count = names.length;
  if (count === 0 && !closed) return BARE_TYPES["object"] as Validator;
  const checks = names.map((name) => properties.get(name)?.validator ?? acceptAll);
  const bareTypes = checks.map((check) => Object.keys(BARE_TYPES).find((type) => BARE_TYPES[type] === check));
  const known = new Set(properties.keys());
  // Every object inherits `toString` and the like, so such names are only looked up as own properties.
  const hasInheritedName = names.some((name) => name in Object.prototype);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    let present = 0;
    for (let index = 0; index < count; index++) {
      const name = names[index] as string;
      const item = hasInheritedName ? getOwn(value, name) : (value as JsonObject)[name];
      if (item === undefined) {
        if (index < requiredCount) return false;
        continue;
      }
      present++;
      // Half of all properties have a bare type, and an inline test takes half the time of a call.
      switch (bareTypes[index]) {
        case "string":
          if (typeof item !== "string") return false;
          break;
        case "number":
          if (typeof item !== "number") return false;
          break;
        case "integer":
          if (!Number.isInteger(item)) return false;
          break;
        case "boolean":
          if (typeof item !== "boolean") return false;
          break;
        default:
          if (!(checks[index] as Validator)(item)) return false;
      }
    }
    if (!closed) return true;
    // Counting is cheaper than looking up every key; only if the counts differ, the keys are compared.
    let keys = 0;
    for (const key in value) if (++keys > count && !known.has(key) && Object.hasOwn(value, key)) return false;
    return (keys === present && known.size === count) || Object.keys(value).every((key) => known.has(key));
  };
}

/** Compiles `patternProperties` and `additionalProperties`. */
function compileOtherProperties(node: SchemaNode): ObjectValidator[] {
  const patterns = node.patternProperties().map(([pattern, property]) => ({ pattern, check: property.validator }));
  const additional = node.subschema("additionalProperties");
  if (patterns.length === 0 && (additional === undefined || node.isClosed)) return [];
  const named = new Set(node.propertyNames());
  const checkAdditional = additional?.validator ?? acceptAll;
  const check: ObjectValidator = (value) => {
    for (const key of Object.keys(value)) {
      let matched = named.has(key);
      for (const { pattern, check: checkMatch } of patterns) {
        if (!pattern.test(key)) continue;
        if (!checkMatch(value[key])) return false;
        matched = true;
      }
      if (!matched && !checkAdditional(value[key])) return false;
    }
    return true;
  };
  return [check];
}

/** Compiles `propertyNames`, `minProperties` and `maxProperties`. */
function compilePropertyCounts(node: SchemaNode): ObjectValidator[] {
  const checks: ObjectValidator[] = [];
  const names = node.subschema("propertyNames")?.validator;
  if (names) checks.push((value) => Object.keys(value).every(names));
  const { minProperties = 0, maxProperties = Infinity } = node.schema as Record<string, number>;
  if (minProperties > 0 || maxProperties < Infinity) {
    checks.push((value) => {
      const count = Object.keys(value).length;
      return count >= minProperties && count <= maxProperties;
    });
  }
  return checks;
}

function compileDependents(node: SchemaNode): ObjectValidator[] {
  const required = Object.entries((node.schema["dependentRequired"] ?? {}) as Record<string, string[]>);
  return [
    ...required.map(([name, needed]): ObjectValidator => {
      return (value) => !Object.hasOwn(value, name) || needed.every((key) => Object.hasOwn(value, key));
    }),
    ...node.namedSubschemas("dependentSchemas").map(([name, { validator }]): ObjectValidator => {
      return (value) => !Object.hasOwn(value, name) || validator(value);
    }),
  ];
}

/** Compiles `unevaluatedProperties` and `unevaluatedItems`, which apply to what no other keyword has evaluated. */
function compileUnevaluated(node: SchemaNode): Validator[] {
  const checks: Validator[] = [];
  const properties = node.subschema("unevaluatedProperties")?.validator;
  if (properties)
    checks.push((value) => !isObject(value) || unevaluatedKeys(node, value).every((key) => properties(value[key])));
  const items = node.subschema("unevaluatedItems")?.validator;
  if (items) checks.push((value) => !Array.isArray(value) || unevaluatedItems(node, value).every(items));
  return checks;
}
