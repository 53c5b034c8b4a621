import os from "node:os";
import { type CommandContext, Failure, isMissing, terminalSettings, withOpened } from "@toolwright/kit/cli";
import { openScreen } from "@toolwright/kit/terminal";
import { SETTINGS } from "../settings.js";
import { openTodoContext } from "../todo-context.js";
import type { Deed } from "./bench.js";
import type { Options } from "./options.js";
import { forPeople } from "./words.js";

/** Opens the tasks for the time of a deed. A file that somebody has named and that is not there is made only where `isFirst`. */
export async function withDesk(
  options: Options,
  words: readonly string[],
  run: Deed,
  { loadConfig }: CommandContext,
  isFirst = false,
): Promise<void> {
  const { settings: configured, state } = await loadConfig();
  const [database] = options["--database"] ?? [];
  const [by] = options["--actor"] ?? [];
  const settings = {
    ...terminalSettings(SETTINGS, configured),
    ...(database !== undefined && { database }),
    ...(by !== undefined && { actor: by }),
  };
  if (!isFirst && settings.database !== undefined && isMissing(settings.database))
    throw new Failure(
      `There are no tasks in ${JSON.stringify(settings.database)}: there is no such file; "toolwright task add" makes one`,
      1,
    );
  const { actor = userName() } = settings;
  const todo = openTodoContext(settings, state, { log: () => undefined });
  await withOpened(todo, () => run({ todo, options, words, actor, now: new Date(), screen: openScreen() }), forPeople);
}

/** Some systems know their users by number alone. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return process.env["USER"] ?? "somebody";
  }
}
