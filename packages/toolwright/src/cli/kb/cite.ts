import { FORMATS, type ResolvedCitation, resolveCitations } from "../../packs/knowledge/citations/resolve-citations.js";
import { choiceOf } from "../option-values.js";
import { remark, say, sayJson } from "../terminal/say.js";
import { visible, visibleLine, visibleName } from "../terminal/visible.js";
import type { Deed, Screen } from "./bench.js";
import { forPeople } from "./words.js";
import { WIDEST, wrap } from "./wrap.js";

/** `toolwright kb cite`: where passages are from, and whether their sources still say so. */
export const cite: Deed = async ({ base, options, words, screen }) => {
  const format = choiceOf(options, "--format", FORMATS);
  const call = { signal: new AbortController().signal, can: () => false, roots: async () => [] };
  const resolved = await resolveCitations(base, call, { chunk_ids: words, format });
  const { citations, missing } = resolved;
  if (missing.length > 0) process.exitCode = 1;
  if (options["--json"] || format === "json") return sayJson(resolved);
  for (const id of missing) remark(`toolwright: no version has the passage "${id}"`);
  if (citations.length === 0) return;
  const isList = format === "bibtex" || format === "ris";
  await say(citations.map((citation) => show(citation, screen)).join(isList || format === undefined ? "\n\n" : "\n"));
};

function show(citation: ResolvedCitation, { paint, width }: Screen): string {
  const { text, title, source, line_start: first, line_end: last, page, snippet, headings } = citation;
  if (text !== undefined) return visible(text);
  const lines = page === undefined ? `${first}-${last}` : `page ${page}`;
  const trail = [title, ...headings.filter((heading) => heading !== title)].map(visibleLine).join(" › ");
  return [
    paint.bold(trail),
    `  ${paint.cyan(`${visibleName(source)}:${lines}`)}  ${verdictOf(citation, paint)}`,
    `  ${paint.faint(`${citation.collection} version ${citation.version}${citation.current ? "" : ", which does not answer now"}`)}`,
    ...wrap(visibleLine(snippet), Math.min(width, WIDEST) - 2).map((line) => `  ${line}`),
  ].join("\n");
}

function verdictOf({ verified, reason, moved }: ResolvedCitation, paint: Screen["paint"]): string {
  const why = reason === undefined ? "" : `: ${visibleLine(forPeople(reason))}`;
  if (verified === true) return paint.green("✓ verified");
  if (verified === null) return paint.yellow(`? cannot be verified${why}`);
  return paint.red(
    `✗ not so any more${why}${moved === undefined ? "" : ` (lines ${moved.line_start}-${moved.line_end})`}`,
  );
}
