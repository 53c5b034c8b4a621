import { html } from "@toolwright/kit/html";
import { count, live, type PageContent } from "@toolwright/kit/pages";
import { readAllStats } from "../collections/stats.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { collectionCard, searchForm } from "./elements.js";
import { readRuns, runList } from "./runs.js";

const MAX_RUNS = 10;

/** How often a page reloads its live parts during an ingest. */
export const INGEST_REFRESH_S = 1;

/** Shows the collections and the last ingests. */
export async function renderCollections(context: KnowledgeContext): Promise<PageContent> {
  const now = context.now();
  const all = await readAllStats(context);
  const runs = await readRuns(context, MAX_RUNS);
  const isBusy = runs.some(({ status }) => status === "running");
  const documents = all.reduce((sum, { version }) => sum + (version?.documents ?? 0), 0);
  return {
    hasOwnSearch: true,
    ...(isBusy && { refreshSeconds: INGEST_REFRESH_S }),
    main: html`<h1>Knowledge</h1>
${searchForm("")}
${live(
  "knowledge",
  all.length === 0
    ? html`<p class="note">There are no collections yet. Create one from files with <code>toolwright kb ingest PATH</code> or the tool <code>kb_ingest</code>.</p>`
    : html`<p class="sum">${count(all.length, "collection")}, ${count(documents, "document")}</p>
<ul class="cards grid">${all.map((stats) => collectionCard(stats, now))}</ul>
${runs.length > 0 && html`<section class="below"><h2>Ingests</h2>${runList(runs, now, true)}</section>`}`,
)}`,
  };
}
