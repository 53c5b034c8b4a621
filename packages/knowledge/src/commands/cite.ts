import { choiceOf } from "@toolwright/kit/cli";
import {
  remark,
  type Screen,
  say,
  sayJson,
  visible,
  visibleLine,
  visibleName,
  WIDEST,
  wrap,
} from "@toolwright/kit/terminal";
import { FORMATS, type ResolvedCitation, resolveCitations } from "../citations/resolve-citations.js";
import type { Deed } from "./bench.js";
import { forPeople } from "./words.js";

/** `toolwright kb cite`: where passages are from, and whether their sources still say so. */
export const cite: Deed = async ({ base, options, words, screen }) => {
  const format = choiceOf(options, "--format", FORMATS);
  const call = { signal: new AbortController().signal, supports: () => false, roots: async () => [] };
  const resolved = await resolveCitations(base, call, { chunk_ids: words, format });
  const { citations, missing } = resolved;
  if (missing.length > 0) process.exitCode = 1;
  if (options["--json"] || format === "json") return sayJson(resolved);
  for (const id of missing) remark(`toolwright: no version has the passage "${id}"`);
  for (const { chunk_id: id, text, ...citation } of citations)
    if (text !== undefined && citation.verified === false) remark(`! ${id} is ${changeOf(citation)}`);
  if (citations.length === 0) return;
  const isList = format === "bibtex" || format === "ris";
  await say(citations.map((citation) => show(citation, screen)).join(isList || format === undefined ? "\n\n" : "\n"));
};

function show(citation: ResolvedCitation, { paint, width }: Screen): string {
  const { text, title, source, snippet, headings } = citation;
  if (text !== undefined) return visible(text);
  const trail = [title, ...headings.filter((heading) => heading !== title)].map(visibleLine).join(" › ");
  return [
    paint.bold(trail),
    `  ${paint.cyan(`${visibleName(source)}${locationOf(citation)}`)}  ${verdictOf(citation, paint)}`,
    `  ${paint.faint(`${citation.collection} version ${citation.version}${citation.current ? "" : ", which does not answer now"}`)}`,
    ...wrap(visibleLine(snippet), Math.min(width, WIDEST) - 2).map((line) => `  ${line}`),
  ].join("\n");
}

/** Of a PDF its pages; else its lines, in the form that editors and terminals open. */
function locationOf({ page, page_end: lastPage, ...lines }: ResolvedCitation): string {
  if (page === undefined) return `:${rangeOf(lines)}`;
  return lastPage === undefined ? `, page ${page}` : `, pages ${page}-${lastPage}`;
}

const rangeOf = ({ line_start: first, line_end: last }: Pick<ResolvedCitation, "line_start" | "line_end">): string =>
  first === last ? `${first}` : `${first}-${last}`;

function verdictOf(citation: ResolvedCitation, paint: Screen["paint"]): string {
  if (citation.verified === true) return paint.green("✓ verified");
  if (citation.verified === null) return paint.yellow(`? cannot be verified${reasonOf(citation)}`);
  return paint.red(`✗ ${changeOf(citation)}`);
}

const reasonOf = ({ reason }: Pick<ResolvedCitation, "reason">): string =>
  reason === undefined ? "" : `: ${visibleLine(forPeople(reason))}`;

function changeOf(citation: Pick<ResolvedCitation, "reason" | "moved">): string {
  const { moved } = citation;
  const there = moved === undefined ? "" : ` (line${moved.line_start === moved.line_end ? "" : "s"} ${rangeOf(moved)})`;
  return `not so any more${reasonOf(citation)}${there}`;
}
