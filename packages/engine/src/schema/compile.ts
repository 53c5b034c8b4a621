import type { Json, JsonObject } from "../jsonrpc/json.js";
import { compileArray } from "./compile-array.js";
import { all, compileLogic } from "./compile-logic.js";
import { compileObject } from "./compile-object.js";
import { BARE, compileEnum, compileNumber, compileString } from "./compile-scalar.js";
import { compileUnevaluated } from "./evaluated.js";
import type { Check, Node } from "./node.js";

/** Gives the check of a node, compiled to closures at first use; it allocates nothing for a valid value. */
export function checkOf(node: Node): Check {
  node.check ??= compile(node);
  return node.check;
}

function compile(node: Node): Check {
  if (node.never) return () => false;
  const { schema } = node;
  const checks = [
    ...compileTypes(node),
    ...node.targets().map(compileReference),
    ...compileLogic(node, checkOf),
    ...compileUnevaluated(node, checkOf),
  ];
  if (schema["const"] !== undefined) checks.push(compileEnum([schema["const"]]));
  return all(checks);
}

/** A schema may come back to itself, so what is referred to is compiled when a value first gets there. */
function compileReference(target: Node): Check {
  const { budget } = target;
  return (value) => --budget.left >= 0 && (target.check ?? checkOf(target))(value);
}

function compileTypes(node: Node): Check[] {
  const { schema } = node;
  const types = schema["type"] === undefined ? undefined : ([schema["type"]].flat() as string[]);
  const allowed = schema["enum"] as Json[] | undefined;
  const number = compileNumber(schema);
  const string = compileString(schema);
  const array = compileArray(node, checkOf);
  const object = compileObject(node, checkOf);
  if (types?.length === 1 && !allowed) return [compileType(types[0] as string, number, string, array, object)];
  const checks: Check[] = allowed ? [compileEnum(allowed)] : [];
  if (types || number || string || array || object) checks.push(compileMixed(types, number, string, array, object));
  return checks;
}

type Rule<Value> = ((value: Value) => boolean) | undefined;

/** One type: the common case, and the fastest. */
function compileType(
  type: string,
  number: Rule<number>,
  string: Rule<string>,
  array: Rule<readonly unknown[]>,
  object: Rule<JsonObject>,
): Check {
  switch (type) {
    case "string":
      return string ? (value) => typeof value === "string" && string(value) : BARE.string;
    case "integer":
      return number ? (value) => Number.isInteger(value) && number(value as number) : BARE.integer;
    case "number":
      return number ? (value) => typeof value === "number" && number(value) : BARE.number;
    case "boolean":
      return BARE.boolean;
    case "null":
      return (value) => value === null;
    case "array":
      return array ? (value) => Array.isArray(value) && array(value) : Array.isArray;
    default:
      return object
        ? (value) => typeof value === "object" && value !== null && !Array.isArray(value) && object(value as JsonObject)
        : (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  }
}

/** Several types or none named: each kind of value has its own rule. */
function compileMixed(
  types: readonly string[] | undefined,
  number: Rule<number>,
  string: Rule<string>,
  array: Rule<readonly unknown[]>,
  object: Rule<JsonObject>,
): Check {
  const allows = (type: string) => types === undefined || types.includes(type);
  const [strings, booleans, nulls] = [allows("string"), allows("boolean"), allows("null")];
  const [numbers, integers] = [allows("number"), allows("integer")];
  const [arrays, objects] = [allows("array"), allows("object")];
  return (value) => {
    switch (typeof value) {
      case "string":
        return strings && (string?.(value) ?? true);
      case "number":
        return (numbers || (integers && Number.isInteger(value))) && (number?.(value) ?? true);
      case "boolean":
        return booleans;
      case "object":
        if (value === null) return nulls;
        if (Array.isArray(value)) return arrays && (array?.(value) ?? true);
        return objects && (object?.(value as JsonObject) ?? true);
      default:
        return false;
    }
  };
}
