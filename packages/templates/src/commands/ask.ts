import type { JsonObject } from "@toolwright/engine";
import { Failure } from "@toolwright/kit/cli";
import { answersOf, Report } from "@toolwright/kit/terminal";
import type { Entry } from "../library/library.js";

/** Whether somebody can be asked. */
export const isSomebodyThere = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks the person at the terminal for what templates require and nobody has said. */
export async function askMissing(entries: readonly Entry[], given: JsonObject, message: string): Promise<JsonObject> {
  const missing = missingIn(entries, given);
  if (missing.size === 0 || !isSomebodyThere()) return given;
  return { ...given, ...(await ask(message, Object.fromEntries(missing))) };
}

/** What templates require and nobody has said: the schema of each, by its name. */
export function missingIn(entries: readonly Entry[], given: JsonObject): ReadonlyMap<string, JsonObject> {
  const missing = new Map<string, JsonObject>();
  for (const { source, schema } of entries)
    for (const { name, required } of source.parameters)
      if (required && given[name] === undefined && !missing.has(name))
        missing.set(name, (schema["properties"] as Record<string, JsonObject>)[name] ?? {});
  return missing;
}

/** Asks for one of several. */
export async function askChoice(message: string, name: string, choices: readonly string[]): Promise<string> {
  const content = await ask(message, { [name]: { type: "string", enum: [...choices] } });
  return content[name] as string;
}

/** Asks for a text. */
export async function askText(message: string, name: string): Promise<string> {
  const content = await ask(message, { [name]: { type: "string", minLength: 1 } });
  return content[name] as string;
}

/** Asks whether to go on. */
export async function askWhether(message: string): Promise<void> {
  await ask(message, {});
}

/** Throws a failure where the person does not want to answer. */
async function ask(message: string, properties: JsonObject): Promise<JsonObject> {
  const { onElicit } = answersOf(new Report(process.stderr), true);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once("SIGINT", interrupt);
  try {
    const requestedSchema = { type: "object", properties, required: Object.keys(properties) };
    const { action, content } = await onElicit({ name: "", message, requestedSchema, signal: interruption.signal });
    if (interruption.signal.aborted) throw new Failure("Interrupted; nothing was written", 130);
    if (action !== "accept") throw new Failure("Nothing was written", 1);
    return content ?? {};
  } finally {
    process.removeListener("SIGINT", interrupt);
  }
}
