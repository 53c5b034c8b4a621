import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import {
  barChart,
  byteSize,
  count,
  facts,
  live,
  moment,
  type PageContent,
  type PageRequest,
  table,
} from "@toolwright/kit/pages";
import type { Collection, Version } from "../collections/collection.js";
import { listVersions } from "../collections/find-collection.js";
import { readCollectionStats, type Stats } from "../collections/stats.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { INGEST_REFRESH_S } from "./collections.js";
import { collectionMarks, collectionPath, documentPath, KNOWLEDGE_PATH, searchForm } from "./elements.js";
import { readRuns, readSkipped, runList, type SkippedDocument } from "./runs.js";

const MAX_RUNS = 10;

/** Shows everything about a collection. Throws `ToolError` if there is none with this name. */
export async function renderCollection(
  context: KnowledgeContext,
  { params: { name = "" }, query }: PageRequest,
): Promise<PageContent> {
  const now = context.now();
  const stats = await readCollectionStats(context, name);
  const { collection, versions } = await listVersions(context, name);
  const runs = await readRuns(context, MAX_RUNS, name);
  const skipped = runs[0] === undefined ? [] : await readSkipped(context, runs[0].id);
  const documents = stats.version && (await readDocuments(context, collection, stats.version.number, query));
  return {
    title: name,
    hasOwnSearch: true,
    ...(runs.some(({ status }) => status === "running") && { refreshSeconds: INGEST_REFRESH_S }),
    main: html`<nav class="trail" aria-label="Parent pages"><ol><li><a href="${KNOWLEDGE_PATH}">Knowledge</a></li></ol></nav>
${live(
  "head",
  html`<header class="about"><h1>${name}</h1><p class="marks">${collectionMarks(stats)}</p>${
    collection.description !== "" && html`<p dir="auto">${collection.description}</p>`
  }</header>`,
)}
${searchForm("", html`<input type="hidden" name="in" value="${name}">`)}
${live(
  "collection",
  html`<article class="task"><div class="sides"><div>
<section><h2>Versions <span class="count">${versions.length}</span></h2>${versionTable(collection, versions, now)}</section>
${qualityChart(versions)}
${documents !== undefined && documentList(name, documents)}
</div><div>
${details(stats, now)}
${runs.length > 0 && html`<section><h2>Ingests</h2>${runList(runs, now, false)}${skippedList(skipped)}</section>`}
</div></div></article>`,
)}`,
  };
}

const versionTable = (collection: Collection, versions: readonly Version[], now: string): Html =>
  versions.length === 0
    ? html`<p class="none">Nothing ingested yet</p>`
    : table(
        "Versions",
        ["Version", "State", "Documents", "Passages", "Changes", "Vectors", "Created"],
        versions.map((version) => [
          html`<strong>${version.number}</strong>`,
          stateMarks(collection, version),
          version.documents.toLocaleString("en"),
          version.chunks.toLocaleString("en"),
          describeDelta(version),
          version.embedder === "" ? "none" : version.embedder,
          moment(version.createdAt, now),
        ]),
      );

function stateMarks({ active, pinned }: Collection, { number, status }: Version): HtmlPart {
  const marks = [
    number === active && html`<span class="mark is-ready">Active</span> `,
    number === pinned && html`<span class="mark is-claimed">Pinned</span> `,
  ];
  if (number === active || number === pinned) return marks;
  const kind = status === "failed" ? "failed" : status === "building" ? "in_progress" : "pending";
  return html`<span class="mark is-${kind}">${status.charAt(0).toUpperCase()}${status.slice(1)}</span>`;
}

function describeDelta({ parent, delta: { added = 0, modified = 0, removed = 0 } }: Version): Html {
  const counts = [
    [added, "added"],
    [modified, "modified"],
    [removed, "removed"],
  ] as const;
  const changes = counts.flatMap(([number, change]) =>
    number === 0 ? [] : [`${number.toLocaleString("en")} ${change}`],
  );
  return html`${changes.length === 0 ? "none" : changes.join(", ")}${parent !== null && html` <span class="soft">since ${parent}</span>`}`;
}

function details({ collection, version, health, kinds, licenses, languages, flows }: Stats, now: string): Html {
  const rows: readonly (readonly [name: string, value: HtmlPart])[] = [
    ["Documents", countWithKinds(version?.documents ?? 0, kinds)],
    ["Passages", `${(version?.chunks ?? 0).toLocaleString("en")}, up to ${collection.chunkSize} tokens each`],
    ["Size", byteSize(version?.bytes ?? 0)],
    ["Vectors", version && version.embedder !== "" && `${version.embedder}, ${version.dimension} dimensions`],
    ["Licences", listed(licenses)],
    ["Languages", listed(languages)],
    ["Health", [`${Math.round(health.score * 100)} %`, ...health.reasons].join("; ")],
    ["Flows", flows.join(", ")],
    ["Created", moment(collection.createdAt, now)],
    ["Updated", moment(collection.updatedAt, now)],
  ];
  return html`<section><h2>Details</h2>${facts(rows, "facts")}</section>`;
}

const countWithKinds = (number: number, kinds: Stats["kinds"]): string =>
  [number.toLocaleString("en"), ...(listed(kinds) === "" ? [] : [`(${listed(kinds)})`])].join(" ");

const listed = (counts: Readonly<Record<string, number>> = {}): string =>
  Object.entries(counts)
    .map(([name, number]) => `${number.toLocaleString("en")} ${name}`)
    .join(", ");

const skippedList = (skipped: readonly SkippedDocument[]): HtmlPart =>
  skipped.length > 0 &&
  html`<details data-key="left"><summary>${count(skipped.length, "document")} of the last ingest not ingested</summary>
<ul class="left">${skipped.map(({ source, status, reason }) => html`<li><span class="mark is-${status === "failed" ? "failed" : "pending"}">${status}</span> <code dir="auto">${source}</code><br>${reason}</li>`)}</ul></details>`;

/** A page of the documents of a version. */
interface DocumentPage {
  readonly version: number;
  readonly documents: readonly { readonly id: string; readonly source: string; readonly title: string }[];
  readonly total: number;
  readonly from: number;
}

const DOCUMENTS_PER_PAGE = 50;

/** Reads a page of the documents of a version, ordered by source. */
async function readDocuments(
  context: KnowledgeContext,
  { id }: Collection,
  version: number,
  query: URLSearchParams,
): Promise<DocumentPage> {
  const value = Number(query.get("from"));
  const from = Number.isSafeInteger(value) && value > 0 ? value : 0;
  const store = await context.store();
  return store.read(async (sql) => {
    const counted = await sql.get(
      "SELECT count(*) AS count FROM members WHERE collection = ? AND version = ?",
      id,
      version,
    );
    const rows = await sql.all(
      `SELECT d.id, d.source, r.title FROM members m JOIN revisions r ON r.id = m.revision JOIN documents d ON d.id = r.document
       WHERE m.collection = ? AND m.version = ? ORDER BY d.source LIMIT ${DOCUMENTS_PER_PAGE} OFFSET ${from}`,
      id,
      version,
    );
    const documents = rows.map((row) => ({
      id: String(row["id"]),
      source: String(row["source"]),
      title: String(row["title"]),
    }));
    return { version, documents, total: Number(counted?.["count"]), from };
  });
}

/** Documents as a list, with links to the pages before and after. */
function documentList(name: string, { version, documents, total, from }: DocumentPage): Html {
  const next = from + documents.length;
  return html`<section><h2>Documents <span class="count">${total.toLocaleString("en")}</span></h2>
<ul class="documents">${documents.map(
    ({ id, source, title }) =>
      html`<li><a href="${documentPath(id, version)}" dir="auto">${title}</a> <code dir="auto">${source}</code></li>`,
  )}</ul>
${(from > 0 || next < total) && html`<p class="more">${from > 0 && html`<a href="${collectionPath(name)}?from=${Math.max(0, from - DOCUMENTS_PER_PAGE)}">Previous</a> `}${next < total && html`<a href="${collectionPath(name)}?from=${next}">Next</a>`}</p>`}</section>`;
}

/** The metrics in the chart. */
const CHART_METRICS = ["recall@10", "ndcg@10"] as const;
const METRICS = ["recall@1", "recall@5", "recall@10", "precision@10", "mrr", "ndcg@10"] as const;
const METRIC_NAMES: Readonly<Record<string, string>> = { mrr: "MRR", "ndcg@10": "nDCG@10" };

const MAX_CHART_VERSIONS = 20;

/** How well each version answers the test questions of the collection, the oldest first. */
function qualityChart(versions: readonly Version[]): HtmlPart {
  const measured = versions
    .flatMap(({ number, quality }) => (quality === null ? [] : [{ number, quality }]))
    .slice(0, MAX_CHART_VERSIONS);
  if (measured.length === 0)
    return html`<section><h2>Quality over versions</h2><p class="none">Not measured yet. Run <code>toolwright kb evaluate</code> with questions whose answers are known.</p></section>`;
  const inOrder = measured.toReversed();
  const bars = inOrder.map(({ number, quality }) => ({
    name: `version ${number}`,
    values: CHART_METRICS.map((name) => valueOf(quality, name) ?? 0),
  }));
  return html`<figure class="chart"><figcaption><strong>Quality over versions</strong> <span class="legend"><span class="key">recall@10</span> <span class="key b">nDCG@10</span></span></figcaption>
${barChart(bars, ["recall@10", "nDCG@10"], (name) => name.replace("version ", "v"))}
<details data-key="quality"><summary>Show as a table</summary>${table(
    "Quality over versions",
    ["Version", "Questions", ...METRICS.map((name) => METRIC_NAMES[name] ?? name)],
    measured.map(({ number, quality }) => [
      number,
      valueOf(quality, "questions"),
      ...METRICS.map((name) => valueOf(quality, name)?.toFixed(3)),
    ]),
  )}</details></figure>`;
}

function valueOf(quality: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = quality[name];
  return typeof value === "number" ? value : undefined;
}
