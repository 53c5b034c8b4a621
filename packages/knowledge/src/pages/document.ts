import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import { byteSize, count, moment, type PageContent, type PageRequest } from "@toolwright/kit/pages";
import { getDocument, type ShownDocument } from "../collections/get-document.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { collectionPath, documentPath, KNOWLEDGE_PATH, searchForm } from "./elements.js";

/** How many lines a page shows, and how many of them before a passage. */
const LINES_PER_PAGE = 1000;
const LINES_BEFORE = 200;

/** How much text is read to count the lines before a passage. */
const MAX_LENGTH = 1_000_000;

interface Passage {
  /** The first and the last line of it, counted from 1. */
  readonly first: number;
  readonly last: number;
  readonly headings: readonly string[];
}

/** Shows a document in one version, with the lines of a passage marked. Throws `ToolError` if there is none with this id. */
export async function renderDocument(
  context: KnowledgeContext,
  { params: { id = "" }, query }: PageRequest,
): Promise<PageContent> {
  const version = numberIn(query, "version");
  const passage = await findPassage(context, id, version, query.get("passage"));
  const first = numberIn(query, "line") ?? Math.max(1, (passage?.first ?? 1) - LINES_BEFORE);
  const range = { start: first, end: first + LINES_PER_PAGE - 1, unit: "lines" } as const;
  const document = await getDocument(context, id, { version, range });
  const { title, collection_id: name } = document;
  return {
    title,
    hasOwnSearch: true,
    main: html`<nav class="trail" aria-label="Parent pages"><ol><li><a href="${KNOWLEDGE_PATH}">Knowledge</a></li><li><a href="${collectionPath(name)}">${name}</a></li></ol></nav>
<h1 dir="auto">${title}</h1>
${description(document, context.now())}
${searchForm("", html`<input type="hidden" name="in" value="${name}">`)}
${passage !== undefined && html`<p class="note">Lines ${passage.first} to ${passage.last} are cited${passage.headings.length > 0 && html`, under <bdi>${passage.headings.join(" › ")}</bdi>`}. <a href="#passage">Jump to them</a></p>`}
${lines(document, first, passage)}
${pager(document, first)}`,
  };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name) ?? Number.NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Finds the lines of a passage; undefined if it is not in this version or too far down to be counted. */
async function findPassage(
  context: KnowledgeContext,
  id: string,
  version: number | undefined,
  chunkId: string | null,
): Promise<Passage | undefined> {
  if (chunkId === null) return undefined;
  const { chunks = [] } = await getDocument(context, id, { version, chunks: true, range: { start: 0, end: 0 } });
  const chunk = chunks.find(({ chunk_id: one }) => one === chunkId);
  if (chunk === undefined || chunk.end > MAX_LENGTH) return undefined;
  const { text } = await getDocument(context, id, { version, range: { start: 0, end: chunk.end } });
  const lineAt = (at: number): number => text.slice(0, at).split("\n").length;
  const last = lineAt(text.trimEnd().length);
  return { first: Math.min(lineAt(chunk.start), last), last, headings: chunk.headings };
}

function description(document: ShownDocument, now: string): Html {
  const { source, source_url: url, content_type: kind, bytes, lines: number, license, modified_at: at } = document;
  const parts = [kind, byteSize(bytes), count(number, "line"), count(document.chunk_count, "passage"), license]
    .filter((part) => part !== null && part !== "")
    .join(", ");
  return html`<p class="place"><code dir="auto">${source}</code>${url !== null && url !== source && html` <code dir="auto">${url}</code>`}</p>
<p class="sum">${parts}, version ${document.version}${at !== null && html`, modified ${moment(at, now)}`}</p>`;
}

const lines = ({ text }: ShownDocument, first: number, passage: Passage | undefined): Html =>
  html`<ol class="lines" start="${first}">${text.split("\n").map((line, at): HtmlPart => {
    const number = first + at;
    const isCited = passage !== undefined && number >= passage.first && number <= passage.last;
    return html`<li${isCited && html` class="cited"`}${number === passage?.first && html` id="passage"`}>${isCited && line !== "" ? html`<mark>${line}</mark>` : line}</li>`;
  })}</ol>`;

function pager({ doc_id: id, version, lines: total }: ShownDocument, first: number): HtmlPart {
  const [before, next] = [Math.max(1, first - LINES_PER_PAGE), first + LINES_PER_PAGE];
  const link = (line: number, words: string): Html =>
    html`<a href="${documentPath(id, version)}&amp;line=${line}">${words}</a> `;
  return html`<p class="more">${first > 1 && link(before, "Previous lines")}${next <= total && link(next, "Next lines")}</p>`;
}
