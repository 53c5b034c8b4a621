import type { Client, ListedTool } from "@toolwright/engine/client";
import { Failure } from "@toolwright/kit/cli";
import { type OnCorrection, whichThereAre } from "../arguments.js";
import { didYouMean, nearOf } from "./near.js";

/** A prompt as the server lists it. */
export type ListedPrompt = Awaited<ReturnType<Client["listPrompts"]>>[number];

/** The prompt of this name, or the only near one: a prompt only makes messages. Throws a failure that says which there are. */
export function findPrompt(prompts: readonly ListedPrompt[], name: string, onCorrection: OnCorrection): ListedPrompt {
  const names = prompts.map((prompt) => prompt.name);
  const near = names.includes(name) ? { only: name, all: [] } : nearOf(name, names);
  const meant = prompts.find((prompt) => prompt.name === near.only);
  if (meant === undefined) {
    throw new Failure(`There is no prompt "${name}"${didYouMean(near) || `; ${whichThereAre(names)}`}`, 2);
  }
  if (meant.name !== name) onCorrection(`There is no prompt "${name}"; it is taken for "${meant.name}"`);
  return meant;
}

/** What a prompt takes, as if it were a tool that only reads: both are filled in alike. */
export function promptAsTool({ name, title, description, arguments: given = [] }: ListedPrompt): ListedTool {
  const properties = Object.fromEntries(
    given.map((each) => [
      each.name,
      { type: "string", ...(each.description !== undefined && { description: each.description }) },
    ]),
  );
  const required = given.filter((each) => each.required === true).map((each) => each.name);
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: { type: "object", properties, required },
    annotations: { readOnlyHint: true },
  };
}
