import { choiceOf, numberOf } from "@toolwright/kit/cli";
import { remark, type Screen, say, sayJson } from "@toolwright/kit/terminal";
import { search } from "../search/search.js";
import type { SearchResult } from "../search/search-types.js";
import type { Deed } from "./bench.js";
import { explain } from "./explain.js";
import { wantedCollections } from "./names.js";
import { OPTIONS } from "./options.js";
import { filtersOf, limitOf } from "./search-wish.js";
import { showHit } from "./show-hit.js";
import { count, forPeople } from "./words.js";

/** `toolwright kb search`: passages by words and by meaning, the best first. */
export const searchAll: Deed = async (bench) => {
  const { base, options, words, screen } = bench;
  const isExplained = options["--explain"] !== undefined;
  const wish = {
    query: words.join(" "),
    top_k: limitOf(options),
    filters: filtersOf(options),
    mode: choiceOf(options, "--mode", OPTIONS["--mode"].among),
    fusion: choiceOf(options, "--fusion", OPTIONS["--fusion"].among),
    expand: options["--no-expand"] === undefined,
    explain: isExplained,
  };
  const collections = await wantedCollections(bench, numberOf(options, "--version", 0));
  const answer = await search(base, { ...wish, collections });
  if (options["--json"]) return sayJson(answer);
  for (const warning of answer.warnings) remark(`! ${forPeople(warning)}`);
  const { results } = answer;
  if (results.length === 0) return remark("Nothing was found.");
  if (options["--quiet"]) return say(results.map(({ chunk_id: id }) => id).join("\n"));
  const several = new Set(results.map((hit) => hit.collection_id)).size > 1;
  const shown = results.map((hit, at) =>
    [showHit(hit, at + 1, screen, several), ...(isExplained ? [explain(hit, screen)] : [])].join("\n"),
  );
  await say(`${shown.join("\n\n")}\n\n${footOf(answer, screen)}`);
};

function footOf(
  { results, query_info: info, performance_metrics: spent, embedder }: SearchResult,
  { paint }: Screen,
): string {
  const found = `${results.length} of ${count(info.total_results, "passage")}`;
  const how = embedder === "" ? "by words" : `by words and ${embedder}`;
  return paint.faint(`${found}, ${how}, ${spent.total_ms.toFixed(spent.total_ms < 10 ? 1 : 0)} ms`);
}
