import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Content } from "../protocol/content.js";
import type { Icon, ToolAnnotations } from "../protocol/description.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";
import type { Call } from "./call.js";
import { describedFault } from "./described.js";
import { refuseUnknown } from "./known-members.js";
import type { RateOptions } from "./meters/rate.js";
import { callLimitsFault } from "./meters/share.js";
import { budgetFault } from "./results/options.js";
import { type ToolUi, uiFault } from "./tool-ui.js";

/** What a tool may return: text, any value that JSON can write, exact content blocks, or nothing. */
export type ToolValue = string | Content | Json | object | undefined | void;

/** What `tool` takes. */
export interface ToolDefinition<In extends SchemaSource, Out extends SchemaSource> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** A zod, Valibot … schema or a plain JSON Schema; left out for a tool without arguments. */
  readonly input?: In;
  /** What the returned value looks like; it is then checked. */
  readonly output?: Out;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /** The group of tools that it is switched on and off with, a short word; the name of its pack by default. */
  readonly toolset?: string;
  /** The page that hosts show with its results, where they can. */
  readonly ui?: ToolUi;
  /** Other names that `tools/call` accepts; never listed. */
  readonly aliases?: readonly string[];
  /** What a client must be allowed to do, where the transport tells clients apart by tokens with scopes. */
  readonly scopes?: readonly string[];
  /** How long a call may go without progress, in milliseconds. */
  readonly timeoutMs?: number;
  /** How many of its calls run at once; the next ones wait for their turn. As many as the server lets run by default. */
  readonly calls?: number;
  /** A token bucket for its calls; none by default. */
  readonly rate?: RateOptions;
  /** Goes on as a task where the client can follow it; `"task-only"`: cannot run in any other way. Needs `tasks` on the server. */
  readonly long?: true | "task-only";
  /** Overrides the server's budget for one result, where results are cut; `Infinity` = never, short of the message limit. */
  readonly budgetBytes?: number;
  /** Overrides the server's switch; always off for tools marked destructive. */
  readonly repair?: boolean;
  /** Overrides the server's switch. */
  readonly unknownArguments?: "refuse" | "allow";
  /** Words the refusal of arguments that do not match `input`; nothing = in the engine's words. */
  wordRefusal?(given: unknown): string | undefined;
  /** Does the work. It may run again after a question: ask first, act after. */
  run(input: InferInput<In>, call: Call): Returned<Out> | Promise<Returned<Out>>;
}

/** What a tool with this output schema returns: the value that the schema reads, or blocks that carry it. */
type Returned<Out extends SchemaSource> = [Out] extends [never]
  ? ToolValue // The compiler looks here with `never` while it does not know the schema yet.
  : unknown extends Unread<Out>
    ? ToolValue
    : Content | Unread<Out>;

type Unread<Out> = Out extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Value }
    ? Value
    : unknown
  : InferInput<Out>;

/** A tool: a value, ready to be given to a server or to be called in a test. */
export interface Tool extends Omit<ToolDefinition<SchemaSource, SchemaSource>, "run"> {
  // Method syntax on purpose: a tool with a narrower input is still a tool.
  run(input: never, call: Call): ToolValue | Promise<ToolValue>;
}

const MEMBERS: Readonly<Record<keyof Tool, true>> = {
  name: true,
  title: true,
  description: true,
  input: true,
  output: true,
  annotations: true,
  icons: true,
  meta: true,
  toolset: true,
  ui: true,
  aliases: true,
  scopes: true,
  timeoutMs: true,
  calls: true,
  rate: true,
  long: true,
  budgetBytes: true,
  repair: true,
  unknownArguments: true,
  wordRefusal: true,
  run: true,
};

/** What a scope may be made of (RFC 6749); it goes into a header. */
const SCOPE = /^[!#-[\]-~]+$/;

/** What the name of a toolset may be made of; it goes into a header, in a list with commas. */
const TOOLSET = /^[A-Za-z0-9_.-]{1,64}$/;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Checks a tool. Throws `TypeError` that names the tool and the fault. */
export function checkTool(definition: Tool): void {
  const { name, description, aliases, scopes } = definition;
  if (typeof name !== "string" || !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
    throw new TypeError(
      `Cannot define tool ${JSON.stringify(name)}: a name has 1 to 128 characters of A-Z a-z 0-9 _ - .`,
    );
  }
  const fault = (reason: string) => new TypeError(`Cannot define tool "${name}": ${reason}`);
  refuseUnknown(`define tool "${name}"`, definition, MEMBERS);
  if (typeof description !== "string" || description === "") throw fault("description is missing");
  if (typeof definition.run !== "function") throw fault("run is not a function");
  const bounds = callLimitsFault(definition);
  if (bounds !== undefined) throw fault(bounds);
  if (![undefined, true, "task-only"].includes(definition.long)) throw fault('long must be true or "task-only"');
  if (aliases !== undefined && !(Array.isArray(aliases) && aliases.every((alias) => isText(alias))))
    throw fault("aliases must be a list, and an alias must be a non-empty string");
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every((scope) => SCOPE.test(scope))))
    throw fault("scopes must be a list of scopes: printable ASCII without spaces and quotes");
  if (definition.toolset !== undefined && !TOOLSET.test(definition.toolset))
    throw fault("toolset must be a word of 1 to 64 characters of A-Z a-z 0-9 _ - .");
  const budget = definition.budgetBytes === undefined ? undefined : budgetFault(definition.budgetBytes);
  if (budget !== undefined) throw fault(`budgetBytes ${budget}`);
  const reason = uiFault(name, definition.ui) ?? describedFault(definition) ?? annotationsFault(definition.annotations);
  if (reason !== undefined) throw fault(reason);
}

function annotationsFault(annotations: ToolAnnotations | undefined): string | undefined {
  if (annotations === undefined) return undefined;
  if (!isObject(annotations)) return "annotations must be an object";
  for (const [name, value] of Object.entries(annotations)) {
    if (name === "title" && typeof value !== "string" && value !== undefined) return "annotations.title must be text";
    if (name.endsWith("Hint") && typeof value !== "boolean" && value !== undefined)
      return `annotations.${name} must be true or false`;
  }
  return undefined;
}

/** Defines a tool. Throws `TypeError` that names the tool and the fault. */
export function tool<const In extends SchemaSource, const Out extends SchemaSource>(
  definition: ToolDefinition<In, Out>,
): Readonly<ToolDefinition<In, Out>> {
  checkTool(definition as Tool);
  // An instance of a class has its `run` on the prototype, which a copy would lose.
  const isOwn = Object.hasOwn(definition, "run");
  return Object.freeze(isOwn ? { ...definition } : { ...definition, run: definition.run.bind(definition) });
}
