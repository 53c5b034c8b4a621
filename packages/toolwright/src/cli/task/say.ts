import { ToolError } from "@toolwright/engine";
import { visible } from "../terminal/visible.js";
import type { Bench } from "./bench.js";
import { forPeople } from "./words.js";

/** Writes to stdout, and resolves when it has been taken. */
export function say(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`, () => resolve());
  });
}

/** Writes JSON to stdout. A terminal is spared nothing: control signs are written as escapes. */
export const sayJson = (value: unknown): Promise<void> => say(JSON.stringify(value, null, 2));

/** Says something beside the result, which goes to stderr. */
export function remark(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/**
 * Does something to each of the tasks that were named. Where one of several cannot be done, the others are; JSON is a list where
 * several were named.
 */
export async function onEach<Result>(
  { options, words }: Pick<Bench, "options" | "words">,
  act: (id: string) => Promise<Result>,
  show: (results: readonly Result[]) => Promise<string>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const id of words)
    try {
      results.push(await act(id));
    } catch (error) {
      if (words.length === 1 || !(error instanceof ToolError)) throw error;
      remark(`toolwright: ${forPeople(error.message)}`);
      process.exitCode = 1;
    }
  if (options["--json"]) await sayJson(words.length === 1 ? results[0] : results);
  else if (results.length > 0) await say(await show(results));
  return results;
}
