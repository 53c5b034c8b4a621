import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { type Kind, parseJson } from "./kind.js";
import { hintFor } from "./setting-values.js";

/** The kinds of the members of an object, by name. */
type Members = Readonly<Record<string, Kind>>;

/** An object with some of these members. */
export const object = (members: Members): Kind<JsonObject> => ({
  name: `an object with ${Object.keys(members).join(", ")}`,
  schema: {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
  },
  accepts: (value): value is JsonObject => isObject(value) && memberIssue(value, memberOf(members)) === undefined,
  parse: parseJson,
  refusal: (shown, value) =>
    isObject(value)
      ? (memberIssue(value, memberOf(members), Object.keys(members)) ?? "")
      : `must be an object with ${Object.keys(members).join(", ")}, not ${shown}`,
});

const memberOf =
  (members: Members) =>
  (name: string): Kind | undefined =>
    Object.hasOwn(members, name) ? members[name] : undefined;

/** Off, on, or on with an object of options. */
export const toggle = (members: Members): Kind<boolean | JsonObject> => {
  const options = object(members);
  return {
    name: `true, false or ${options.name}`,
    schema: { anyOf: [{ type: "boolean" }, options.schema] },
    accepts: (value): value is boolean | JsonObject => typeof value === "boolean" || options.accepts(value),
    parse: parseJson,
    refusal: (shown, value) =>
      isObject(value)
        ? (options.refusal?.(shown, value) ?? "")
        : `must be true, false or ${options.name}, not ${shown}`,
  };
};

/** An object with members of any name, each of the same kind; `name` says what they are. */
export const record = (name: string, member: Kind): Kind<JsonObject> => ({
  name: `an object with ${name}`,
  schema: { type: "object", additionalProperties: member.schema },
  accepts: (value): value is JsonObject => isObject(value) && memberIssue(value, () => member) === undefined,
  parse: parseJson,
  refusal: (shown, value) =>
    isObject(value) ? (memberIssue(value, () => member) ?? "") : `must be an object with ${name}, not ${shown}`,
});

/** An object whose members are checked by whoever uses it; `name` says what it is. */
export const anyObject = (name: string): Kind<JsonObject> => ({
  name,
  schema: { type: "object" },
  accepts: (value): value is JsonObject => isObject(value),
  parse: parseJson,
});

/** One of several kinds. */
export const either = (...kinds: readonly Kind[]): Kind => ({
  name: nameOf(kinds),
  schema: { anyOf: kinds.map(({ schema }) => schema) },
  accepts: (value): value is Json => kinds.some((kind) => kind.accepts(value)),
  parse: parseJson,
  refusal(shown, value) {
    const meant = kinds.find((kind) => isObject(value) && kind.schema["type"] === "object");
    return meant?.refusal?.(shown, value) ?? `must be ${nameOf(kinds)}, not ${shown}`;
  },
});

const nameOf = (kinds: readonly Kind[]): string =>
  kinds.map(({ name, isList }) => (isList ? `a list, each of it ${name}` : name)).join(" or ");

/** What is wrong with the first wrong member, or undefined. */
function memberIssue(
  value: JsonObject,
  kindOf: (name: string) => Kind | undefined,
  known: readonly string[] = [],
): string | undefined {
  for (const [name, member] of Object.entries(value)) {
    const kind = kindOf(name);
    if (kind === undefined) return `has "${name}", which ${hintFor(name, known)}`;
    if (kind.accepts(member)) continue;
    const shown = JSON.stringify(member);
    return `has "${name}", which ${kind.refusal?.(shown, member) ?? `must be ${kind.name}, not ${shown}`}`;
  }
  return undefined;
}

/** Any JSON value. */
export const anyValue: Kind = {
  name: "a JSON value",
  schema: {},
  accepts: (value): value is Json => value !== undefined,
  parse: parseJson,
};
