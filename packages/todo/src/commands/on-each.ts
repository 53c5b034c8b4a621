import { ToolError } from "@toolwright/engine";
import { remark, say, sayJson } from "@toolwright/kit/terminal";
import type { Bench } from "./bench.js";
import { forPeople } from "./words.js";

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
