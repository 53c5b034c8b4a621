import { numberOf } from "@toolwright/kit/cli";
import { remark, type Screen, say, sayJson, visibleLine, visibleName, WIDEST, wrap } from "@toolwright/kit/terminal";
import { type Answer, type AnswerCitation, answer } from "../answers/answer.js";
import type { Deed } from "./bench.js";
import { wantedCollections } from "./names.js";
import { filtersOf } from "./search-wish.js";
import { forPeople } from "./words.js";

/** `toolwright kb answer`: an answer in sentences of the documents, each with its source; ends with 1 where there is none. */
export const answerAll: Deed = async (bench) => {
  const { base, options, words, screen } = bench;
  const given = await answer(base, {
    query: words.join(" "),
    collections: await wantedCollections(bench, numberOf(options, "--version", 0)),
    filters: filtersOf(options),
    top_k: numberOf(options, "--limit", 1, 100),
  });
  if (!given.answered) process.exitCode = 1;
  if (options["--json"]) return sayJson(given);
  for (const warning of given.warnings) remark(`! ${forPeople(warning)}`);
  if (!given.answered) return remark(forPeople(given.reason ?? "There is no answer."));
  await say(show(given, screen, options["--quiet"] !== undefined));
};

function show({ sentences, citations, confidence }: Answer, { paint, width }: Screen, isQuiet: boolean): string {
  const room = Math.min(width, WIDEST);
  const text = sentences.map(({ quote, citation }) => wrap(`${visibleLine(quote)} [${citation}]`, room).join("\n"));
  const marked = text.join("\n\n").replaceAll(/\[\d+\](?=\n|$)/g, (mark) => paint.cyan(mark));
  if (isQuiet) return marked;
  const sources = citations.map((citation, at) => sourceLine(citation, at + 1, paint));
  return [marked, "", ...sources, "", paint.faint(`confidence ${Math.round(confidence * 100)} %`)].join("\n");
}

function sourceLine(
  { title, anchor, chunk_id: id, license }: AnswerCitation,
  place: number,
  paint: Screen["paint"],
): string {
  const terms = license === undefined ? "" : `, ${visibleLine(license)}`;
  const where = visibleName(anchor.replace(/#L(\d+)(?:-L\d+)?$/, ":$1"));
  return `${paint.cyan(`[${place}]`)} ${visibleLine(title)}  ${where}${terms}  ${paint.faint(id)}`;
}
