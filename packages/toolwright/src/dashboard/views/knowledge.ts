import { readAllStats } from "@toolwright/knowledge/collections/stats.js";
import { html } from "../html.js";
import { live } from "../layout.js";
import { count } from "../parts.js";
import type { Shown } from "../view.js";
import { collectionCard, type KnowledgeView, searchForm } from "./knowledge-parts.js";
import { readRuns, runList } from "./knowledge-runs.js";

const MOST_RUNS = 10;

/** How soon a page looks again where an ingest is on its way. */
export const AGAIN_S = 1;

/** Shows the collections, and what is being taken in. */
export async function showKnowledge({ base, now }: KnowledgeView): Promise<Shown> {
  const all = await readAllStats(base);
  const runs = await readRuns(base, MOST_RUNS);
  const isBusy = runs.some(({ status }) => status === "running");
  const documents = all.reduce((sum, { version }) => sum + (version?.documents ?? 0), 0);
  return {
    title: "Knowledge",
    here: "/knowledge",
    hasSearch: true,
    ...(isBusy && { againS: AGAIN_S }),
    main: html`<h1>Knowledge</h1>
${searchForm("")}
${live(
  "knowledge",
  all.length === 0
    ? html`<p class="note">There are no collections yet. <code>toolwright kb ingest PATH</code> makes one out of files, and so does the tool <code>kb_ingest</code>.</p>`
    : html`<p class="sum">${count(all.length, "collection")}, ${count(documents, "document")}</p>
<ul class="cards grid">${all.map((stats) => collectionCard(stats, now))}</ul>
${runs.length > 0 && html`<section class="below"><h2>Ingests</h2>${runList(runs, now, true)}</section>`}`,
)}`,
  };
}
