import type { JsonObject } from "../jsonrpc/json.js";
import type { Block, Content, PromptMessage } from "../protocol/content.js";
import type { Icon } from "../protocol/description.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";
import type { Call } from "./call.js";
import type { Completers } from "./complete.js";
import { describedFault } from "./described.js";
import { refuseUnknown } from "./known-members.js";

/** What a prompt may return: text or a block that the user says, a list of messages, or several blocks that the user says. */
export type PromptValue = string | Block | Content | PromptMessage | readonly PromptMessage[];

/** What `prompt` takes. */
export interface PromptDefinition<In extends SchemaSource> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** A flat object of simple values: clients send each as text, and get it in a form. */
  readonly input?: In;
  /** Suggestions for arguments; choices of the schema are suggested without it. */
  readonly complete?: Completers;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs?: number;
  /** Writes the messages. It may run again after a question: ask first, act after. */
  run(input: InferInput<In>, call: Call): PromptValue | Promise<PromptValue>;
}

/** A prompt: a value, ready to be given to a server. */
export interface Prompt extends Omit<PromptDefinition<SchemaSource>, "run"> {
  run(input: never, call: Call): PromptValue | Promise<PromptValue>;
}

const MEMBERS: Readonly<Record<keyof Prompt, true>> = {
  name: true,
  title: true,
  description: true,
  input: true,
  complete: true,
  icons: true,
  meta: true,
  timeoutMs: true,
  run: true,
};

/** Checks a prompt. Throws `TypeError` that names the prompt and the fault. */
export function checkPrompt(definition: Prompt): void {
  const { name, description } = definition;
  if (typeof name !== "string" || name === "" || name.length > 128)
    throw new TypeError(`Cannot define prompt ${JSON.stringify(name)}: a name has 1 to 128 characters`);
  const fault = (reason: string) => new TypeError(`Cannot define prompt "${name}": ${reason}`);
  refuseUnknown(`define prompt "${name}"`, definition, MEMBERS);
  if (typeof description !== "string" || description === "") throw fault("description is missing");
  if (typeof definition.run !== "function") throw fault("run is not a function");
  const reason = describedFault(definition);
  if (reason !== undefined) throw fault(reason);
}

/** Defines a prompt. Throws `TypeError` that names the prompt and the fault. */
export function prompt<const In extends SchemaSource>(
  definition: PromptDefinition<In>,
): Readonly<PromptDefinition<In>> {
  checkPrompt(definition);
  // An instance of a class has its `run` on the prototype, which a copy would lose.
  return Object.freeze({ ...definition, run: definition.run.bind(definition) });
}
