import type { Limits } from "../limits.js";
import type { Log } from "../log.js";
import type { Offers } from "../offers.js";
import { READ_TOOL, type ResultsSettings } from "./options.js";
import { Results } from "./results.js";

/** Makes ready what keeps results. Throws `TypeError` where one of the given tools has the name of the tool that reads them. */
export async function openResults(
  settings: ResultsSettings,
  limits: Limits,
  log: Log,
  given: readonly Offers[],
): Promise<Results> {
  const taken = given.flatMap(({ tools = [] }) => tools).find((tool) => hasName(tool, READ_TOOL));
  if (taken !== undefined) {
    const means = "it reads results that were cut. Rename the tool, or create the server without results";
    throw new TypeError(`Cannot offer tool "${taken.name}": with results, the name "${READ_TOOL}" is taken; ${means}`);
  }
  const results = new Results(settings, limits, log);
  await results.open();
  return results;
}

const hasName = (tool: { name: string; aliases?: readonly string[] }, name: string): boolean =>
  tool.name === name || tool.aliases?.includes(name) === true;
