import type { Stats } from "@toolwright/knowledge/collections/stats.js";
import type { KnowledgeContext as Base } from "@toolwright/knowledge/knowledge-context.js";
import { type Html, html, type Piece } from "../html.js";
import { count, moment } from "../parts.js";
import type { View } from "../view.js";

/** What a page about knowledge is made of. */
export interface KnowledgeView extends Pick<View, "now" | "query"> {
  readonly base: Base;
}

/** The place of a collection's page. */
export const placeOfCollection = (name: string): string => `/knowledge/collections/${encodeURIComponent(name)}`;

/** The place of a document's page, at one of its passages. */
export function placeOfDocument(id: string, version: number, passage?: string): string {
  const path = `/knowledge/documents/${encodeURIComponent(id)}?version=${version}`;
  return passage === undefined ? path : `${path}&passage=${encodeURIComponent(passage)}#passage`;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes as people read it. */
export function size(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

/** How a collection is doing, as marks. */
export function collectionMarks({ version, status, health, collection: { pinned } }: Stats): Html {
  const state =
    status === "building" ? "in_progress" : status === "failed" ? "failed" : status === "empty" ? "empty" : "ready";
  return html`<span class="mark is-${state}">${STATUS_WORDS[status]}</span>${
    version !== undefined && html` <span class="mark">Version ${version.number}</span>`
  }${pinned !== null && html` <span class="mark is-claimed">Pinned</span>`} <span class="mark is-${
    health.score >= 0.9 ? "ready" : health.score >= 0.6 ? "weak" : "failed"
  }">Health ${Math.round(health.score * 100)} %</span>`;
}

const STATUS_WORDS: Readonly<Record<Stats["status"], string>> = {
  active: "Answers",
  building: "Ingesting",
  failed: "Failed",
  empty: "Empty",
};

/** A collection as a card that leads to its page. */
export const collectionCard = (stats: Stats, now: string): Html =>
  html`<li class="card" data-key="collection-${stats.collection.name}"><a href="${placeOfCollection(stats.collection.name)}">${stats.collection.name}</a>
${stats.collection.description !== "" && html`<p class="soft" dir="auto">${stats.collection.description}</p>`}
<p class="soft">${count(stats.version?.documents ?? 0, "document")}, ${count(stats.version?.chunks ?? 0, "passage")}, ${size(stats.version?.bytes ?? 0)}, changed ${moment(stats.collection.updatedAt, now)}</p>
<p class="marks">${collectionMarks(stats)}</p></li>
`;

/** The form in which people search; `more` stands beside the box. */
export const searchForm = (searched: string, more?: Piece): Html =>
  html`<form class="filter" id="filter" action="/knowledge/search" role="search">
<label class="wide"><span>Search documents</span><input id="search" name="q" type="search" value="${searched}" placeholder="words, a question, or a &quot;phrase&quot;" autocomplete="off" maxlength="1000" aria-keyshortcuts="/"></label>
${more}<button class="main">Search</button></form>`;

/** A table that can be scrolled where it does not fit. */
export const table = (name: string, head: readonly string[], rows: readonly (readonly Piece[])[]): Html =>
  html`<div class="scroll" data-key="${name}" tabindex="0" role="region" aria-label="${name}"><table><thead><tr>${head.map(
    (title) => html`<th scope="col">${title}</th>`,
  )}</tr></thead><tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
