import { isObject, type JsonObject } from "../../jsonrpc/messages.js";
import type { Content, ContentBlock, PromptMessage } from "../../protocol/content.js";
import type { Icon, PromptArgument } from "../../protocol/types.js";
import type { InferInput, Schema, SchemaSource } from "../../schema/schema.js";
import type { Call } from "../call.js";
import type { CatalogKind } from "../catalog.js";
import type { ServerSettings } from "../options.js";
import * as check from "./checks.js";
import { compileSchema } from "./compile-schema.js";
import { type Completers, completersIssue, enumCompleters } from "./completion.js";
import { atCaller, omitUndefined, requireDefinition } from "./validation.js";

/** What a prompt returns: text or content in the role of the user, or messages. */
export type PromptValue = string | ContentBlock | Content | PromptMessage | readonly PromptMessage[];

/** The options of `prompt`. */
export interface PromptDefinition<In extends SchemaSource> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** A flat object schema with simple values: clients show the arguments as a form and send each value as a string. */
  readonly input?: In;
  /** Suggestions for arguments. Enumerations and booleans of the schema are suggested without it. */
  readonly complete?: Completers;
  /** The tools that it needs: it is offered only while all of them are available under the tool filter. */
  readonly requires?: readonly string[];
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /** The timeout in milliseconds. */
  readonly timeoutMs?: number;
  /** Creates the messages. It may run again after an elicitation, so elicit input before any side effect. */
  run(input: InferInput<In>, call: Call): PromptValue | Promise<PromptValue>;
}

/** A prompt that can be passed to a server. */
export interface Prompt extends Omit<PromptDefinition<SchemaSource>, "run"> {
  run(input: never, call: Call): PromptValue | Promise<PromptValue>;
}

const PROMPT_CHECKS: check.Checks<Prompt> = {
  name: check.anything,
  title: check.string,
  description: check.requiredString,
  input: check.anything,
  complete: check.anything,
  requires: check.nameList,
  icons: check.icons,
  meta: check.meta,
  timeoutMs: check.positiveNumber,
  run: check.requiredFunction,
};

function validatePrompt(definition: Prompt): void {
  requireDefinition("prompt", definition);
  const { name } = definition;
  if (!check.isNonEmptyString(name) || name.length > 128)
    throw new TypeError(`Cannot define prompt ${JSON.stringify(name)}: a name has 1 to 128 characters`);
  check.validate(`define prompt "${name}"`, definition, PROMPT_CHECKS);
}

/**
 * Defines a prompt. Throws `TypeError` that names the prompt and the problem.
 *
 * @example
 * const review = prompt({
 *   name: "review",
 *   description: "Asks for a code review",
 *   input: z.object({ language: z.string() }),
 *   run: ({ language }) => `Review the following ${language} code.`,
 * });
 */
export function prompt<const In extends SchemaSource>(
  definition: PromptDefinition<In>,
): Readonly<PromptDefinition<In>> {
  return atCaller(prompt, () => {
    validatePrompt(definition);
    // A class instance has `run` on its prototype, which a plain copy would lose.
    return Object.freeze({ ...definition, run: definition.run.bind(definition) });
  });
}

/** A prompt of a server, with its compiled schema and the defaults of the server applied. */
export interface RegisteredPrompt {
  readonly prompt: Prompt;
  readonly input: Schema;
  readonly promptArguments: readonly PromptArgument[];
  readonly completers: Completers;
  readonly timeoutMs: number;
}

/**
 * Registers a prompt with a server. Throws `TypeError` that names the prompt and the problem. The schema of a prevalidated
 * prompt is compiled on first use.
 */
export function registerPrompt(definition: Prompt, settings: ServerSettings, isPrevalidated = false): RegisteredPrompt {
  if (!isPrevalidated) validatePrompt(definition);
  const action = `register prompt "${definition.name}"`;
  const input = compileSchema(
    definition.input ?? { type: "object", properties: {} },
    // Clients send every argument as a string, so numbers and booleans are always parsed.
    { correct: true, unknownProperties: settings.unknownArguments, root: "object", isTrusted: isPrevalidated },
    { action, label: "the input schema" },
  );
  const entry: RegisteredPrompt = Object.freeze({
    prompt: definition,
    input,
    get promptArguments() {
      return toPromptArguments(input.jsonSchema);
    },
    get completers() {
      return { ...enumCompleters(input.jsonSchema), ...definition.complete };
    },
    get timeoutMs() {
      return definition.timeoutMs ?? settings.limits.callTimeoutMs;
    },
  });
  if (isPrevalidated) return entry;
  const names = entry.promptArguments.map(({ name }) => name);
  const issue = completersIssue(definition.complete, names);
  if (issue !== undefined) throw new TypeError(`Cannot ${action}: ${issue}`);
  return entry;
}

function toPromptArguments({ properties, required }: JsonObject): readonly PromptArgument[] {
  return Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const { title, description } = isObject(property) ? property : {};
    return {
      name,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      required: Array.isArray(required) && required.includes(name),
    };
  });
}

/** How a catalog lists and finds prompts. */
export const promptKind: CatalogKind<RegisteredPrompt> = {
  label: "prompt",
  member: "prompts",
  namesOf: (entry) => [entry.prompt.name],
  write(revision, { prompt: { name, title, description, icons, meta }, promptArguments }) {
    const fields = promptArguments.length > 0 ? promptArguments : undefined;
    return revision.writePrompt(omitUndefined({ name, title, description, arguments: fields, icons, _meta: meta }));
  },
};
