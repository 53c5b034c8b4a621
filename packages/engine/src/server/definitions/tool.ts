import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import type { Content } from "../../protocol/content.js";
import type { Icon, ToolAnnotations, ToolDescription } from "../../protocol/types.js";
import { type InferInput, isStandardSchema, type Schema, type SchemaSource } from "../../schema/schema.js";
import type { Call } from "../call.js";
import type { CatalogKind } from "../catalog.js";
import { byteLimitIssue } from "../features/large-results/options.js";
import { hasHeaderAnnotations, headerAnnotationIssue } from "../features/mirrored-headers.js";
import { Quota, type RateOptions, validateCallLimits } from "../limits/quota.js";
import type { ServerSettings } from "../options.js";
import { createToolMeta, type ToolUi, toolUi } from "./app.js";
import * as check from "./checks.js";
import { compileSchema } from "./compile-schema.js";
import { overrideTool } from "./tool-override.js";
import { atCaller, omitUndefined, requireDefinition } from "./validation.js";

/** What a tool may return: text, a JSON-serializable value, content blocks, or nothing. */
export type ToolValue = string | Content | Json | object | undefined | void;

/** The options of `tool`. */
export interface ToolDefinition<In extends SchemaSource, Out extends SchemaSource> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** A Standard Schema (zod, Valibot, …) or a JSON Schema; omitted for a tool without arguments. */
  readonly input?: In;
  /** The schema of the returned value, which is validated against it. */
  readonly output?: Out;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /** The toolset that the tool is enabled and disabled with; the name of its pack by default. */
  readonly toolset?: string;
  /** The app that hosts show with the results. */
  readonly ui?: ToolUi;
  /** Other names that `tools/call` accepts. They are not listed. */
  readonly aliases?: readonly string[];
  /** The tool that replaces this one: this one is listed only if the filter names it, and can be called wherever that tool can. */
  readonly replacedBy?: string;
  /** The OAuth scopes that a client needs. Applies to transports that authenticate clients by token. */
  readonly scopes?: readonly string[];
  /** How long a call may run without reporting progress, in milliseconds. */
  readonly timeoutMs?: number;
  /** How many calls run concurrently; further calls wait. The limit of the server by default. */
  readonly calls?: number;
  /** A rate limit for its calls; none by default. */
  readonly rate?: RateOptions;
  /** Runs as a task if the client supports tasks; `"required"`: never without one. The server needs `tasks`. */
  readonly taskSupport?: "optional" | "required";
  /** Overrides `largeResults.budgetBytes` of the server; `Infinity`: only the message size limits a result. */
  readonly budgetBytes?: number;
  /** Overrides `correctArguments` of the server; always off for tools with `destructiveHint`. */
  readonly correctArguments?: boolean;
  /** Overrides `unknownArguments` of the server. */
  readonly unknownArguments?: "reject" | "allow";
  /** Rewrites the arguments before they are validated, such as those of an earlier version. Must not throw. */
  normalizeInput?(input: JsonObject): unknown;
  /** Creates the message for arguments that do not match the listed schema; undefined: the default message. */
  formatValidationError?(input: unknown, schema: JsonObject): string | undefined;
  /** Runs the tool. It may run again after an elicitation, so elicit input before any side effect. */
  run(input: InferInput<In>, call: Call): ToolReturn<Out> | Promise<ToolReturn<Out>>;
}

/** What a tool with this output schema returns: a value that the schema accepts, or content that carries one. */
type ToolReturn<Out extends SchemaSource> = [Out] extends [never]
  ? ToolValue // The compiler evaluates this with `never` before it has inferred the schema.
  : unknown extends SchemaInputValue<Out>
    ? ToolValue
    : Content | SchemaInputValue<Out>;

type SchemaInputValue<Out> = Out extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Value }
    ? Value
    : unknown
  : InferInput<Out>;

/** A tool that can be passed to a server or called in a test. */
export interface Tool extends Omit<ToolDefinition<SchemaSource, SchemaSource>, "run"> {
  // Method syntax makes the parameter bivariant: a tool with a narrower input is still a tool.
  run(input: never, call: Call): ToolValue | Promise<ToolValue>;
}

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** A scope token (RFC 6749); it is sent in a header. */
const SCOPE = /^[!#-[\]-~]+$/;
/** The name of a toolset; it is sent in a header, in a comma-separated list. */
const TOOLSET_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

const ANNOTATION_CHECKS: check.Checks<ToolAnnotations> = {
  title: check.string,
  readOnlyHint: check.boolean,
  destructiveHint: check.boolean,
  idempotentHint: check.boolean,
  openWorldHint: check.boolean,
};

const TOOL_CHECKS: check.Checks<Tool> = {
  name: check.anything,
  title: check.string,
  description: check.requiredString,
  input: check.anything,
  output: check.anything,
  annotations: check.spelledObject(ANNOTATION_CHECKS),
  icons: check.icons,
  meta: check.meta,
  toolset: check.optional(
    (value) => check.isString(value) && TOOLSET_NAME.test(value),
    "must have 1 to 64 characters of A-Z a-z 0-9 _ - .",
  ),
  ui: toolUi,
  aliases: check.optional(
    (value) => check.isArrayOf(value, check.isNonEmptyString),
    "must be an array of non-empty strings",
  ),
  replacedBy: check.string,
  scopes: check.optional(
    (value) => check.isArrayOf(value, (scope) => check.isString(scope) && SCOPE.test(scope)),
    "must be an array of scopes: printable ASCII without spaces and quotes",
  ),
  timeoutMs: check.positiveNumber,
  calls: check.anything,
  rate: check.anything,
  taskSupport: check.optional(
    (value) => value === "optional" || value === "required",
    'must be "optional" or "required"',
  ),
  budgetBytes: (value, path) => {
    const issue = value === undefined ? undefined : byteLimitIssue(value);
    return issue && `${path} ${issue}`;
  },
  correctArguments: check.anything,
  unknownArguments: check.anything,
  normalizeInput: check.anything,
  formatValidationError: check.anything,
  run: check.requiredFunction,
};

function validateTool(definition: Tool): void {
  requireDefinition("tool", definition);
  const { name } = definition;
  if (!check.isString(name) || !TOOL_NAME.test(name))
    throw new TypeError(
      `Cannot define tool ${JSON.stringify(name)}: a name has 1 to 128 characters of A-Z a-z 0-9 _ - .`,
    );
  check.validate(`define tool "${name}"`, definition, TOOL_CHECKS);
  const issue = validateCallLimits(definition);
  if (issue !== undefined) throw new TypeError(`Cannot define tool "${name}": ${issue}`);
}

/**
 * Defines a tool. Throws `TypeError` that names the tool and the problem.
 *
 * @example
 * const add = tool({
 *   name: "add",
 *   description: "Adds two numbers",
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => `${a + b}`,
 * });
 */
export function tool<const In extends SchemaSource, const Out extends SchemaSource>(
  definition: ToolDefinition<In, Out>,
): Readonly<ToolDefinition<In, Out>> {
  return atCaller(tool, () => {
    validateTool(definition as Tool);
    // A class instance has `run` on its prototype, which a plain copy would lose.
    return Object.freeze({ ...definition, run: definition.run.bind(definition) });
  });
}

/** A tool of a server, with compiled schemas and the defaults of the server applied. */
export interface RegisteredTool {
  readonly tool: Tool;
  /** The name in its definition, which an override may have changed. */
  readonly definedName: string;
  readonly input: Schema;
  readonly output: Schema | undefined;
  readonly timeoutMs: number;
  /** Larger results are truncated if the server has `largeResults`. */
  readonly budgetBytes: number;
  readonly correctsArguments: boolean;
  /** The limits of its calls and their current use. */
  readonly quota: Quota;
  readonly execution: ToolDescription["execution"];
  /** The toolset that the tool names and the name of its pack. */
  readonly toolsets: readonly string[];
  /** The engine provides the tool itself, such as the one that reads truncated results. */
  readonly isBuiltIn: boolean;
  /** It is listed with its name, description and input schema only. */
  readonly isPlain: boolean;
}

/** Where a tool comes from. */
export interface ToolOrigin {
  /** The name of the pack; undefined: it was passed to the server directly. */
  readonly pack?: string;
  readonly isBuiltIn?: boolean;
  /** Its definition is known to be valid, so schemas are compiled on first use. */
  readonly isPrevalidated?: boolean;
}

/** Registers a tool with a server. Throws `TypeError` that names the tool and the problem. */
export function registerTool(definition: Tool, settings: ServerSettings, origin: ToolOrigin = {}): RegisteredTool {
  if (origin.isPrevalidated !== true) validateTool(definition);
  const override = settings.overrides.get(definition.name);
  if (override === undefined) return compileTool(definition, settings, origin);
  const { input } = compileTool(definition, { ...settings, correctArguments: false }, origin);
  const { isPrevalidated: _isPrevalidated, ...rest } = origin;
  return compileTool(overrideTool(definition, override, input), settings, rest, definition.name);
}

function compileTool(
  definition: Tool,
  settings: ServerSettings,
  { pack, isBuiltIn = false, isPrevalidated: isTrusted = false }: ToolOrigin,
  definedName = definition.name,
): RegisteredTool {
  const action = `register tool "${definition.name}"`;
  if (definition.taskSupport === "required" && settings.tasks === undefined)
    throw new TypeError(`Cannot ${action}: taskSupport: "required" needs a server with tasks: true`);
  const source = definition.input ?? { type: "object", properties: {} };
  const unknownProperties = definition.unknownArguments ?? settings.unknownArguments;
  const compileInput = (correct: boolean) =>
    compileSchema(
      source,
      { correct, unknownProperties, root: "object", isTrusted },
      { action, label: "the input schema" },
    );
  let correctsArguments =
    (definition.correctArguments ?? settings.correctArguments) && definition.annotations?.destructiveHint !== true;
  let input = compileInput(correctsArguments);
  const output =
    definition.output &&
    compileSchema(
      definition.output,
      { correct: false, unknownProperties: "allow", root: "any", side: "output", isTrusted },
      { action, label: "the output schema" },
    );
  const inputSchema = isStandardSchema(source) ? input.jsonSchema : (source as JsonObject);
  if (hasHeaderAnnotations(inputSchema)) {
    const issue = headerAnnotationIssue(inputSchema);
    if (issue !== undefined) throw new TypeError(`Cannot ${action}: ${issue}`);
    // Headers are compared with the arguments as sent, so the tool must not receive corrected ones.
    correctsArguments = false;
    input = compileInput(correctsArguments);
  }
  return Object.freeze({
    tool: definition,
    definedName,
    input,
    output,
    get timeoutMs() {
      return definition.timeoutMs ?? settings.limits.callTimeoutMs;
    },
    budgetBytes: definition.budgetBytes ?? settings.largeResults?.budgetBytes ?? Number.POSITIVE_INFINITY,
    correctsArguments,
    quota: new Quota(definition),
    execution: definition.taskSupport && settings.tasks && { taskSupport: definition.taskSupport },
    toolsets: [...new Set([definition.toolset, pack])].filter((name) => name !== undefined),
    isBuiltIn,
    isPlain: settings.toolLists === "plain",
  });
}

/** How a catalog lists tools and finds them, by name and by alias. */
export const toolKind: CatalogKind<RegisteredTool> = {
  label: "tool",
  member: "tools",
  namesOf: (entry) => [entry.tool.name, ...(entry.tool.aliases ?? [])],
  write(revision, { tool: definition, input, output, execution, isPlain }) {
    const { name, title, description, annotations, icons, meta, ui } = definition;
    if (isPlain) return revision.writeTool({ name, description, inputSchema: input.jsonSchema });
    const outputSchema = isObject(output?.jsonSchema) ? output.jsonSchema : undefined;
    const _meta = createToolMeta(meta, ui);
    const schemas = { inputSchema: input.jsonSchema, outputSchema };
    return revision.writeTool(
      omitUndefined({ name, title, description, ...schemas, annotations, execution, icons, _meta }),
    );
  },
};
