import type { JsonObject } from "@toolwright/engine";
import type { GetPromptResult, ListedTool } from "@toolwright/engine/client";
import { blockText, print, showValue, writeJson } from "@toolwright/kit/cli";
import { Report, say } from "@toolwright/kit/terminal";
import { readArguments } from "../arguments.js";
import { readPairs } from "../call-options.js";
import { converse } from "../conversation.js";
import { readWay } from "../target.js";
import { askMissing } from "../use/ask-missing.js";
import { findPrompt, promptAsTool } from "../use/find-prompt.js";
import { findReach } from "../use/find-reach.js";
import { helpInFull, wantsOnlyHelp } from "../use/help-words.js";
import { lookOf } from "../use/look.js";
import { readOffers } from "../use/offers.js";
import { showOffers } from "../use/show-offers.js";
import { speakerFor } from "../use/speaker.js";
import { toolHelp } from "../use/tool-help.js";
import { PROMPT_HELP } from "../use/use-help.js";

const OPTIONS = { "--json": {}, "--quiet": {}, "--help": {} } as const;

/** Fills in one prompt of any server and prints its messages. */
export async function getPrompt(words: readonly string[], version: string): Promise<void> {
  if (wantsOnlyHelp(words)) return say(PROMPT_HELP);
  const { way, given, plain } = readWay<keyof typeof OPTIONS>(helpInFull(words), OPTIONS, process.env);
  const [name, ...rest] = plain;
  if (given["--help"] && name === undefined) return say(PROMPT_HELP);
  const pairs = readPairs(rest);
  const report = new Report(process.stderr, given["--quiet"] !== undefined);
  const isSomebodyThere = process.stdin.isTTY;
  const reach = await findReach(way, report);
  await converse(reach, report, speakerFor(version, report, isSomebodyThere), async (client, signal) => {
    const { prompts = [] } = await readOffers(client, "prompts", report, signal);
    const look = lookOf(process.stdout, process.env);
    if (name === undefined) return say(showOffers({ prompts }, look));
    const note = (text: string): void => report.line(text);
    const form: ListedTool = promptAsTool(findPrompt(prompts, name, note));
    if (given["--help"]) return say(toolHelp(form, { command: "prompt", way, ...look }));
    const args = await askMissing(form, readArguments(form, pairs, note), { report, signal, isSomebodyThere });
    const texts = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, showValue(value)]));
    const result = await client.getPrompt(form.name, texts, { signal });
    return print(given["--json"] ? writeJson(result as unknown as JsonObject) : promptText(result));
  });
}

function promptText({ messages }: GetPromptResult): string {
  return messages.map(({ role, content }) => `[${role}]\n${blockText(content)}`).join("\n\n");
}
