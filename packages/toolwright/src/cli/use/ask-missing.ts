import type { JsonObject } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import { Failure, kindWord, resolve } from "@toolwright/kit/cli";
import { answersOf, type Report } from "@toolwright/kit/terminal";
import { inputOf, requiredNames } from "../arguments.js";

/** Whom to ask. */
export interface Asked {
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly isSomebodyThere: boolean;
}

/** Asks at the terminal for what a tool requires and nobody has given. Throws a failure that names all of it where it is not given. */
export async function askMissing(tool: ListedTool, given: JsonObject, asked: Asked): Promise<JsonObject> {
  const { schema, properties } = inputOf(tool);
  const missing = requiredNames(tool).filter(
    // Some servers call what they have a default for required.
    (name) => given[name] === undefined && resolve(properties[name], schema)["default"] === undefined,
  );
  if (missing.length === 0) return given;
  const { report, signal, isSomebodyThere } = asked;
  const list = missing.map((name) => `${name} (${kindWord(properties[name], schema) || "anything"})`).join(", ");
  if (!isSomebodyThere)
    throw new Failure(`"${tool.name}" needs ${list}. Add --help behind its name to see all that it takes`, 2);
  const fields = Object.fromEntries(missing.map((name) => [name, resolve(properties[name], schema)]));
  const { onElicit } = answersOf(report, true);
  const { action, content } = await onElicit({
    name: "",
    message: `"${tool.name}" needs more.`,
    requestedSchema: { type: "object", properties: fields, required: missing },
    signal,
  });
  signal.throwIfAborted();
  if (action !== "accept") throw new Failure(`"${tool.name}" was not called: it needs ${list}`, 2);
  return { ...given, ...content };
}
