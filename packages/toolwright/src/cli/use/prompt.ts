import type { JsonObject } from "@toolwright/engine";
import type { Client, GetPromptResult, ListedTool } from "@toolwright/engine/client";
import { blockText, type CommandContext, Failure, print, showValue, writeJson } from "@toolwright/kit/cli";
import { Report, say } from "@toolwright/kit/terminal";
import { askMissing, listNames, type OnCorrection, readArguments, readPairs } from "./arguments.js";
import { clientOptionsFor, withClient } from "./client-session.js";
import { connectionTo } from "./find-server.js";
import { readLists, showLists } from "./lists.js";
import { didYouMean, nearestNames } from "./nearest-names.js";
import { readServerChoice } from "./server-choice.js";
import type { ServerInput } from "./server-options.js";
import { toolHelp } from "./tool-help.js";

interface PromptInput extends ServerInput {
  readonly server: string | undefined;
  readonly name: string | undefined;
  readonly arguments: readonly string[];
  readonly json: boolean;
}

/** Gets one prompt of a server and prints its messages. */
export const runPrompt = (input: PromptInput, ctx: CommandContext): Promise<void> => start(input, ctx, false);

/** Prints the arguments of one prompt of a server, with an example. Returns false if no prompt is named. */
export async function describePrompt(input: PromptInput, ctx: CommandContext): Promise<boolean> {
  const words = [input.server, input.name, ...input.arguments].filter((word) => word !== undefined);
  if (readServerChoice(words, input, process.env).rest.length === 0) return false;
  await start(input, ctx, true);
  return true;
}

async function start(input: PromptInput, ctx: CommandContext, wantsHelp: boolean): Promise<void> {
  const words = [input.server, input.name, ...input.arguments].filter((word) => word !== undefined);
  const { way, rest } = readServerChoice(words, input, process.env);
  const [name, ...assignments] = rest;
  const pairs = readPairs(assignments);
  const report = new Report(process.stderr, input.quiet);
  const isInteractive = process.stdin.isTTY;
  const note = (text: string): void => report.line(text);
  const connection = await connectionTo(way, report);
  await withClient(connection, report, clientOptionsFor(ctx, report, isInteractive), async (client, signal) => {
    const { prompts = [] } = await readLists(client, "prompts", report, signal);
    if (name === undefined) return say(showLists({ prompts }, ctx.screen));
    const form: ListedTool = promptAsTool(findPrompt(prompts, name, note));
    if (wantsHelp) return say(toolHelp(form, { command: "prompt", way, ...ctx.screen }));
    const args = await askMissing(form, readArguments(form, pairs, note), { report, signal, isInteractive });
    const texts = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, showValue(value)]));
    const result = await client.getPrompt(form.name, texts, { signal });
    return print(input.json ? writeJson(result as unknown as JsonObject) : promptText(result));
  });
}

function promptText({ messages }: GetPromptResult): string {
  return messages.map(({ role, content }) => `[${role}]\n${blockText(content)}`).join("\n\n");
}

/** A prompt as the server lists it. */
type ListedPrompt = Awaited<ReturnType<Client["listPrompts"]>>[number];

/** The prompt of this name, or the only similar one: a prompt has no effects. Throws a failure that lists the prompts. */
function findPrompt(prompts: readonly ListedPrompt[], name: string, onCorrection: OnCorrection): ListedPrompt {
  const names = prompts.map((prompt) => prompt.name);
  const near = names.includes(name) ? { only: name, all: [] } : nearestNames(name, names);
  const meant = prompts.find((prompt) => prompt.name === near.only);
  if (meant === undefined) {
    throw new Failure(`There is no prompt "${name}"${didYouMean(near) || `; ${listNames(names)}`}`, 2);
  }
  if (meant.name !== name) onCorrection(`There is no prompt "${name}"; using "${meant.name}"`);
  return meant;
}

/** A prompt as a read-only tool, since arguments are parsed and asked for in the same way. */
function promptAsTool({ name, title, description, arguments: given = [] }: ListedPrompt): ListedTool {
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
