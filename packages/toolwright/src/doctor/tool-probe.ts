import type { JsonObject } from "@toolwright/engine";
import { asObject, textOf } from "./wire/connection.js";

/** A tool to call with invalid arguments. */
export interface Probe {
  readonly tool: string;
  /** Arguments that its schema probably accepts. */
  readonly valid: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** The same with one value of a wrong type; undefined if no property has a type. */
  readonly wrong: { readonly name: string; readonly args: Readonly<Record<string, unknown>> } | undefined;
}

/** The server does not list the tool that the user has named. */
export class UnknownTool extends Error {
  readonly tool: string;
  readonly known: readonly string[];

  constructor(tool: string, known: readonly string[]) {
    super(`There is no tool "${tool}"`);
    this.name = "UnknownTool";
    this.tool = tool;
    this.known = known;
  }
}

/** Chooses the tool to call: one that is marked as read-only, or the one that the user has named. */
export function chooseProbe(tools: readonly JsonObject[], allowedTool: string | undefined): Probe | undefined {
  const allowed = tools.filter((tool) => (allowedTool === undefined ? isReadOnly(tool) : tool["name"] === allowedTool));
  const [best] = allowed.toSorted((left, right) => rank(right) - rank(left));
  return best && describe(best);
}

const hintsOf = (tool: JsonObject): JsonObject => asObject(tool["annotations"]) ?? {};
const isReadOnly = (tool: JsonObject): boolean =>
  hintsOf(tool)["readOnlyHint"] === true && hintsOf(tool)["destructiveHint"] !== true;

/** Prefers tools whose arguments can be invalid, and that access no external systems. */
function rank(tool: JsonObject): number {
  const { required, wrong } = describe(tool);
  const isClosed = hintsOf(tool)["openWorldHint"] === false;
  return (required.length > 0 ? 4 : 0) + (wrong === undefined ? 0 : 2) + (isClosed ? 1 : 0);
}

function describe(tool: JsonObject): Probe {
  const schema = asObject(tool["inputSchema"]) ?? {};
  const properties = asObject(schema["properties"]) ?? {};
  const required = [schema["required"]].flat().filter((name): name is string => typeof name === "string");
  const valid = Object.fromEntries(required.map((name) => [name, validValueFor(asObject(properties[name]) ?? {})]));
  const typed = [...required, ...Object.keys(properties)].find(
    (name) => invalidValueFor(asObject(properties[name])?.["type"]) !== undefined,
  );
  const wrong = typed === undefined ? undefined : invalidValueFor(asObject(properties[typed])?.["type"]);
  return {
    tool: textOf(tool["name"]),
    valid,
    required,
    wrong: typed === undefined ? undefined : { name: typed, args: { ...valid, [typed]: wrong } },
  };
}

const TEXT = "toolwright-doctor";

/** A value that a schema probably accepts. */
function validValueFor(schema: JsonObject): unknown {
  if ("const" in schema) return schema["const"];
  if ("default" in schema) return schema["default"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  const [type] = [schema["type"]].flat();
  if (type === "number" || type === "integer") return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
  if (type === "boolean") return false;
  if (type === "array") {
    const least = typeof schema["minItems"] === "number" ? Math.min(schema["minItems"], 10) : 0;
    return Array.from({ length: least }, () => validValueFor(asObject(schema["items"]) ?? {}));
  }
  if (type === "object") return {};
  if (schema["format"] === "uri") return "https://toolwright-doctor.invalid/";
  return TEXT.padEnd(typeof schema["minLength"] === "number" ? Math.min(schema["minLength"], 1000) : 0, "-");
}

/** A value that no argument correction can convert. */
function invalidValueFor(type: unknown): unknown {
  if (type === "number" || type === "integer") return "not a number";
  if (type === "string") return { unexpected: ["object"] };
  if (type === "boolean") return "neither";
  if (type === "array") return { unexpected: "object" };
  return type === "object" ? 7 : undefined;
}
