import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { PromptArgument, PromptDescription } from "../protocol/description.js";
import { createSchema, type Schema } from "../schema/schema.js";
import type { Kind } from "./catalogue.js";
import { type Completers, choicesOf, completersFault } from "./complete.js";
import { checkPrompt, type Prompt } from "./prompt.js";
import type { Settings } from "./settings.js";

/** A prompt as a server holds it: with its schema and the server's switches settled. */
export interface RegisteredPrompt {
  readonly prompt: Prompt;
  readonly input: Schema;
  readonly fields: readonly PromptArgument[];
  readonly completers: Completers;
  readonly timeoutMs: number;
}

/** What its schema says of a prompt. */
type Read = Pick<RegisteredPrompt, "input" | "fields" | "completers">;

/**
 * Settles a prompt for a server. Throws `TypeError` that names the prompt and the fault. The schema of one that `isChecked` is read
 * when it is used.
 */
export function registerPrompt(prompt: Prompt, settings: Settings, isChecked = false): RegisteredPrompt {
  let known: Read | undefined;
  const read = (): Read => (known ??= readPrompt(prompt, settings));
  if (!isChecked) {
    checkPrompt(prompt);
    read();
  }
  return Object.freeze({
    prompt,
    get input() {
      return read().input;
    },
    get fields() {
      return read().fields;
    },
    get completers() {
      return read().completers;
    },
    get timeoutMs() {
      return prompt.timeoutMs ?? settings.limits.callTimeoutMs;
    },
  });
}

function readPrompt(prompt: Prompt, settings: Settings): Read {
  const fault = (reason: string) => new TypeError(`Cannot register prompt "${prompt.name}": ${reason}`);
  const source = prompt.input ?? { type: "object", properties: {} };
  let input: Schema;
  let properties: [string, Json][];
  try {
    // Clients send every argument as text, so numbers and the like are always read from it.
    input = createSchema(source, { repair: true, unknownKeys: settings.unknownArguments, root: "object" });
    properties = Object.entries(isObject(input.json["properties"]) ? input.json["properties"] : {});
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw fault(error.message.replace(/^Cannot read the schema/, "cannot read the input schema"));
  }
  const reason = completersFault(
    prompt.complete,
    properties.map(([name]) => name),
  );
  if (reason !== undefined) throw fault(reason);
  return {
    input,
    fields: properties.map(([name, property]) => fieldOf(name, property, input.json)),
    completers: { ...choicesOf(input.json), ...prompt.complete },
  };
}

/** Prompts as a catalogue has them. */
export const promptKind: Kind<RegisteredPrompt> = {
  word: "prompt",
  member: "prompts",
  namesOf: ({ prompt }) => [prompt.name],
  write: (revision, entry) => revision.writePrompt(describe(entry)),
};

function describe({ prompt, fields }: RegisteredPrompt): PromptDescription {
  const { name, title, description, icons, meta } = prompt;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    ...(fields.length > 0 && { arguments: fields }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: meta }),
  };
}

function fieldOf(name: string, property: Json, schema: JsonObject): PromptArgument {
  const { title, description } = isObject(property) ? property : {};
  const required = Array.isArray(schema["required"]) && schema["required"].includes(name);
  return {
    name,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    required,
  };
}
