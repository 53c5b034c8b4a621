import { getDocument, type ShownDocument } from "@toolwright/knowledge/collections/get-document.js";
import { type Html, html, type Piece } from "../html.js";
import { count, moment } from "../parts.js";
import type { Shown } from "../view.js";
import { type KnowledgeView, placeOfCollection, placeOfDocument, searchForm, size } from "./knowledge-parts.js";

/** How many lines are shown at once, and how many of them before a passage. */
const LINES = 1000;
const BEFORE = 200;

/** What is read of a text at most to count the lines before a passage. */
const MOST = 1_000_000;

interface Passage {
  /** The first and the last line of it, counted from 1. */
  readonly first: number;
  readonly last: number;
  readonly headings: readonly string[];
}

/** Shows a document as one version has it, with the lines of a passage marked. Throws where there is none of this id. */
export async function showDocument({ base, now, query }: KnowledgeView, id: string): Promise<Shown> {
  const version = numberIn(query, "version");
  const passage = await findPassage(base, id, version, query.get("passage"));
  const first = numberIn(query, "line") ?? Math.max(1, (passage?.first ?? 1) - BEFORE);
  const range = { start: first, end: first + LINES - 1, unit: "lines" } as const;
  const document = await getDocument(base, id, { version, range });
  const { title, collection_id: name } = document;
  return {
    title,
    here: "/knowledge",
    hasSearch: true,
    main: html`<nav class="trail" aria-label="Above it"><ol><li><a href="/knowledge">Knowledge</a></li><li><a href="${placeOfCollection(name)}">${name}</a></li></ol></nav>
<h1 dir="auto">${title}</h1>
${facts(document, now)}
${searchForm("", html`<input type="hidden" name="in" value="${name}">`)}
${passage !== undefined && html`<p class="note">Lines ${passage.first} to ${passage.last} are cited${passage.headings.length > 0 && html`, below <bdi>${passage.headings.join(" › ")}</bdi>`}. <a href="#passage">Go there</a></p>`}
${lines(document, first, passage)}
${pager(document, first)}`,
  };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name) ?? Number.NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The lines of a passage; undefined where it is not in this version, or too far down to be counted. */
async function findPassage(
  base: KnowledgeView["base"],
  id: string,
  version: number | undefined,
  wanted: string | null,
): Promise<Passage | undefined> {
  if (wanted === null) return undefined;
  const { chunks = [] } = await getDocument(base, id, { version, chunks: true, range: { start: 0, end: 0 } });
  const chunk = chunks.find(({ chunk_id: one }) => one === wanted);
  if (chunk === undefined || chunk.end > MOST) return undefined;
  const { text } = await getDocument(base, id, { version, range: { start: 0, end: chunk.end } });
  const lineAt = (at: number): number => text.slice(0, at).split("\n").length;
  const last = lineAt(text.trimEnd().length);
  return { first: Math.min(lineAt(chunk.start), last), last, headings: chunk.headings };
}

function facts(document: ShownDocument, now: string): Html {
  const { source, source_url: url, content_type: kind, bytes, lines: number, license, modified_at: at } = document;
  const words = [kind, size(bytes), count(number, "line"), count(document.chunk_count, "passage"), license]
    .filter((word) => word !== null && word !== "")
    .join(", ");
  return html`<p class="place"><code dir="auto">${source}</code>${url !== null && url !== source && html` <code dir="auto">${url}</code>`}</p>
<p class="sum">${words}, version ${document.version}${at !== null && html`, changed ${moment(at, now)}`}</p>`;
}

const lines = ({ text }: ShownDocument, first: number, passage: Passage | undefined): Html =>
  html`<ol class="lines" start="${first}">${text.split("\n").map((line, at): Piece => {
    const number = first + at;
    const isCited = passage !== undefined && number >= passage.first && number <= passage.last;
    return html`<li${isCited && html` class="cited"`}${number === passage?.first && html` id="passage"`}>${isCited && line !== "" ? html`<mark>${line}</mark>` : line}</li>`;
  })}</ol>`;

function pager({ doc_id: id, version, lines: total }: ShownDocument, first: number): Piece {
  const [before, next] = [Math.max(1, first - LINES), first + LINES];
  const link = (line: number, words: string): Html =>
    html`<a href="${placeOfDocument(id, version)}&amp;line=${line}">${words}</a> `;
  return html`<p class="more">${first > 1 && link(before, "Lines before")}${next <= total && link(next, "Further lines")}</p>`;
}
