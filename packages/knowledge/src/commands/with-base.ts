import { type CommandContext, Failure, isMissing, terminalSettings, withOpened } from "@toolwright/kit/cli";
import { openScreen } from "@toolwright/kit/terminal";
import { openKnowledge } from "../knowledge-context.js";
import { SETTINGS } from "../settings.js";
import type { Deed } from "./bench.js";
import type { Options } from "./options.js";
import { forPeople } from "./words.js";

/** Opens the knowledge base for the time of a deed. One that somebody has named and that is not there is made only where `isFirst`. */
export async function withBase(
  options: Options,
  words: readonly string[],
  run: Deed,
  { loadConfig }: CommandContext,
  isFirst = false,
): Promise<void> {
  const { settings: configured, state } = await loadConfig();
  const [database] = options["--database"] ?? [];
  const settings = {
    ...terminalSettings(SETTINGS, configured),
    ...(database !== undefined && { database }),
  };
  if (!isFirst && settings.database !== undefined && isMissing(settings.database))
    throw new Failure(
      `There is no knowledge base ${JSON.stringify(settings.database)}; "toolwright kb ingest" makes one`,
      1,
    );
  const base = openKnowledge(settings, state, { log: () => undefined });
  await withOpened(base, () => run({ base, options, words, now: new Date(), screen: openScreen() }), forPeople);
}
