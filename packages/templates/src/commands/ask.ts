import type { JsonObject } from "@toolwright/engine";
import { Failure } from "@toolwright/kit/cli";
import { answersOf, Report } from "@toolwright/kit/terminal";
import type { Entry } from "../library/library.js";

/** Whether a person can answer questions. */
export const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks for the required parameters that are missing, if a person can answer. */
export async function askForMissing(
  entries: readonly Entry[],
  parameters: JsonObject,
  message: string,
): Promise<JsonObject> {
  const missing = missingParameters(entries, parameters);
  if (missing.size === 0 || !isInteractive()) return parameters;
  return { ...parameters, ...(await ask(message, Object.fromEntries(missing))) };
}

/** The schemas of the required parameters that are missing, by name. */
export function missingParameters(entries: readonly Entry[], parameters: JsonObject): ReadonlyMap<string, JsonObject> {
  const missing = new Map<string, JsonObject>();
  for (const { source, schema } of entries)
    for (const { name, required } of source.parameters)
      if (required && parameters[name] === undefined && !missing.has(name))
        missing.set(name, (schema["properties"] as Record<string, JsonObject>)[name] ?? {});
  return missing;
}

/** Asks to choose a value. */
export async function askChoice(message: string, name: string, choices: readonly string[]): Promise<string> {
  const content = await ask(message, { [name]: { type: "string", enum: [...choices] } });
  return content[name] as string;
}

/** Asks for a text. */
export async function askText(message: string, name: string): Promise<string> {
  const content = await ask(message, { [name]: { type: "string", minLength: 1 } });
  return content[name] as string;
}

/** Asks for confirmation. */
export async function confirm(message: string): Promise<void> {
  await ask(message, {});
}

/** Throws a failure if the person declines. */
async function ask(message: string, properties: JsonObject): Promise<JsonObject> {
  const { onElicit } = answersOf(new Report(process.stderr), true);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once("SIGINT", interrupt);
  try {
    const requestedSchema = { type: "object", properties, required: Object.keys(properties) };
    const { action, content } = await onElicit({ name: "", message, requestedSchema, signal: interruption.signal });
    if (interruption.signal.aborted) throw new Failure("Interrupted; nothing was written", 130);
    if (action !== "accept") throw new Failure("Nothing was written");
    return content ?? {};
  } finally {
    process.removeListener("SIGINT", interrupt);
  }
}
