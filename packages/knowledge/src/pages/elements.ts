import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import { byteSize, count, moment } from "@toolwright/kit/pages";
import type { Stats } from "../collections/stats.js";

/** The path of the overview. */
export const KNOWLEDGE_PATH = "/knowledge";

/** The path of the page of a collection. */
export const collectionPath = (name: string): string => `${KNOWLEDGE_PATH}/collections/${encodeURIComponent(name)}`;

/** The path of the page of a document, at one of its passages. */
export function documentPath(id: string, version: number, passage?: string): string {
  const path = `${KNOWLEDGE_PATH}/documents/${encodeURIComponent(id)}?version=${version}`;
  return passage === undefined ? path : `${path}&passage=${encodeURIComponent(passage)}#passage`;
}

/** The state, version and health of a collection, as marks. */
export function collectionMarks({ version, status, health, collection: { pinned } }: Stats): Html {
  const state =
    status === "building" ? "in_progress" : status === "failed" ? "failed" : status === "empty" ? "empty" : "ready";
  return html`<span class="mark is-${state}">${STATUS_NAMES[status]}</span>${
    version !== undefined && html` <span class="mark">Version ${version.number}</span>`
  }${pinned !== null && html` <span class="mark is-claimed">Pinned</span>`} <span class="mark is-${
    health.score >= 0.9 ? "ready" : health.score >= 0.6 ? "weak" : "failed"
  }">Health ${Math.round(health.score * 100)} %</span>`;
}

const STATUS_NAMES: Readonly<Record<Stats["status"], string>> = {
  active: "Active",
  building: "Ingesting",
  failed: "Failed",
  empty: "Empty",
};

/** A collection as a card with a link to its page. */
export const collectionCard = (stats: Stats, now: string): Html =>
  html`<li class="card" data-key="collection-${stats.collection.name}"><a href="${collectionPath(stats.collection.name)}">${stats.collection.name}</a>
${stats.collection.description !== "" && html`<p class="soft" dir="auto">${stats.collection.description}</p>`}
<p class="soft">${count(stats.version?.documents ?? 0, "document")}, ${count(stats.version?.chunks ?? 0, "passage")}, ${byteSize(stats.version?.bytes ?? 0)}, updated ${moment(stats.collection.updatedAt, now)}</p>
<p class="marks">${collectionMarks(stats)}</p></li>
`;

/** The search form, with `more` fields beside the box. */
export const searchForm = (query: string, more?: HtmlPart): Html =>
  html`<form class="filter" id="filter" action="${KNOWLEDGE_PATH}/search" role="search">
<label class="wide"><span>Search documents</span><input id="search" name="q" type="search" value="${query}" placeholder="words, a question, or a &quot;phrase&quot;" autocomplete="off" maxlength="1000" aria-keyshortcuts="/"></label>
${more}<button class="main">Search</button></form>`;
