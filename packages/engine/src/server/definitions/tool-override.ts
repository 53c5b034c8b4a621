import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { Content, text } from "../../protocol/content.js";
import type { Schema, ValidationResult } from "../../schema/schema.js";
import type { Call } from "../call.js";
import * as check from "./checks.js";
import { InvalidArgumentsError } from "./invalid-arguments.js";
import type { Tool, ToolValue } from "./tool.js";

/** How a server presents a tool in place of what the tool says about itself. */
export interface ToolOverride {
  /** The name under which it is listed; its own name stays an alias. */
  readonly name?: string;
  readonly description?: string;
  /** A JSON Schema in place of its own. Arguments that match it must match that of the tool, too, which adds its defaults. */
  readonly input?: JsonObject;
  /** The members of the result that are returned, in this order; one name: the value of that member is returned. A report in words stays. */
  readonly result?: string | readonly string[];
}

/** A slash is not portable, but older servers have names with one. */
const OVERRIDE_NAME = /^[A-Za-z0-9_./-]{1,128}$/;

const OVERRIDE_CHECKS: check.Checks<ToolOverride> = {
  name: check.optional(
    (value) => check.isString(value) && OVERRIDE_NAME.test(value),
    "must have 1 to 128 characters of A-Z a-z 0-9 _ - . /",
  ),
  description: check.optional(check.isNonEmptyString, "must be a non-empty string"),
  input: check.optional(isObject, "must be a JSON Schema"),
  result: check.optional(
    (value) => check.isNonEmptyString(value) || check.isArrayOf(value, check.isNonEmptyString),
    "must be the name of a member, or an array of names",
  ),
};

const checkOverride = check.strictObject(OVERRIDE_CHECKS);

/** Checks the overrides of a server, by the names of the tools. */
export const toolOverrides: check.Check = (value, path) => {
  if (value === undefined) return undefined;
  if (!isObject(value)) return `${path} must be an object`;
  return Object.entries(value)
    .map(([name, override]) => checkOverride(override, `${path}.${name}`))
    .find((issue) => issue !== undefined);
};

/** The tool as a server presents it. `input`: its own schema. */
export function overrideTool(tool: Tool, override: ToolOverride, input: Schema): Tool {
  const { name = tool.name, description = tool.description, result } = override;
  const aliases = name === tool.name ? tool.aliases : [tool.name, ...(tool.aliases ?? [])];
  const { output, normalizeInput, ...rest } = tool;
  return {
    ...rest,
    name,
    description,
    ...(aliases !== undefined && { aliases: aliases.filter((alias) => alias !== name) }),
    // Listed as it is; arguments that it does not mention are validated by the schema of the tool.
    ...(override.input !== undefined && { input: override.input, unknownArguments: "allow" }),
    ...(override.input === undefined && normalizeInput !== undefined && { normalizeInput }),
    ...(output !== undefined && result === undefined && { output }),
    async run(args: JsonObject, call: Call) {
      const own = override.input === undefined ? args : await toOwnArguments(tool, input, args);
      const value: unknown = await tool.run(own as never, call);
      return (result === undefined ? value : selectMembers(value, result)) as ToolValue;
    },
  };
}

async function toOwnArguments(tool: Tool, input: Schema, args: JsonObject): Promise<unknown> {
  const reading: ValidationResult = await input.validate(tool.normalizeInput?.(args) ?? args);
  if (reading.ok) return reading.value;
  throw new InvalidArgumentsError(reading);
}

/** The selected members of a result. A result that has none of them is returned as it is. */
function selectMembers(value: unknown, names: string | readonly string[]): unknown {
  const members = value instanceof Content ? value.structured : value;
  if (!isObject(members)) return value;
  if (typeof names === "string") return members[names] ?? value;
  const selected = Object.fromEntries(
    names.flatMap((name) => (name in members ? [[name, members[name] as Json]] : [])),
  );
  if (!(value instanceof Content)) return selected;
  return new Content(isReport(value) ? value.blocks : [text(JSON.stringify(selected))], selected);
}

/** Whether the content says more than the structured content in JSON, and so cannot be replaced by it. */
const isReport = ({ blocks }: Content): boolean =>
  blocks.length !== 1 || typeof blocks[0]?.["text"] !== "string" || !/^\s*[{[]/.test(blocks[0]["text"]);
