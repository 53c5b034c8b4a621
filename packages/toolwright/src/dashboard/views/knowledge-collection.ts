import type { Collection, Version } from "@toolwright/knowledge/collections/collection.js";
import { listVersions } from "@toolwright/knowledge/collections/find-collection.js";
import { readCollectionStats, type Stats } from "@toolwright/knowledge/collections/stats.js";
import { type Html, html, type Piece } from "../html.js";
import { live } from "../layout.js";
import { count, moment } from "../parts.js";
import type { Shown } from "../view.js";
import { AGAIN_S } from "./knowledge.js";
import { documentList, readDocuments } from "./knowledge-documents.js";
import { collectionMarks, type KnowledgeView, searchForm, size, table } from "./knowledge-parts.js";
import { qualityChart } from "./knowledge-quality.js";
import { type Left, readLeft, readRuns, runList } from "./knowledge-runs.js";

const MOST_RUNS = 10;

/** Shows all that is known of a collection. Throws where there is none of this name. */
export async function showCollection({ base, now, query }: KnowledgeView, name: string): Promise<Shown> {
  const stats = await readCollectionStats(base, name);
  const { collection, versions } = await listVersions(base, name);
  const runs = await readRuns(base, MOST_RUNS, name);
  const left = runs[0] === undefined ? [] : await readLeft(base, runs[0].id);
  const documents = stats.version && (await readDocuments(base, collection, stats.version.number, query));
  return {
    title: name,
    here: "/knowledge",
    hasSearch: true,
    ...(runs.some(({ status }) => status === "running") && { againS: AGAIN_S }),
    main: html`<nav class="trail" aria-label="Above it"><ol><li><a href="/knowledge">Knowledge</a></li></ol></nav>
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
${facts(stats, now)}
${runs.length > 0 && html`<section><h2>Ingests</h2>${runList(runs, now, false)}${leftList(left)}</section>`}
</div></div></article>`,
)}`,
  };
}

const versionTable = (collection: Collection, versions: readonly Version[], now: string): Html =>
  versions.length === 0
    ? html`<p class="none">Nothing was taken in yet</p>`
    : table(
        "Versions",
        ["Version", "State", "Documents", "Passages", "Changes", "Vectors", "Made"],
        versions.map((version) => [
          html`<strong>${version.number}</strong>`,
          stateMarks(collection, version),
          version.documents.toLocaleString("en"),
          version.chunks.toLocaleString("en"),
          deltaWords(version),
          version.embedder === "" ? "none" : version.embedder,
          moment(version.createdAt, now),
        ]),
      );

function stateMarks({ active, pinned }: Collection, { number, status }: Version): Piece {
  const marks = [
    number === active && html`<span class="mark is-ready">Active</span> `,
    number === pinned && html`<span class="mark is-claimed">Pinned</span> `,
  ];
  if (number === active || number === pinned) return marks;
  const kind = status === "failed" ? "failed" : status === "building" ? "in_progress" : "pending";
  return html`<span class="mark is-${kind}">${status.charAt(0).toUpperCase()}${status.slice(1)}</span>`;
}

function deltaWords({ parent, delta: { added = 0, modified = 0, removed = 0 } }: Version): Html {
  const counts = [
    [added, "added"],
    [modified, "modified"],
    [removed, "removed"],
  ] as const;
  const words = counts.flatMap(([number, deed]) => (number === 0 ? [] : [`${number.toLocaleString("en")} ${deed}`]));
  return html`${words.length === 0 ? "none" : words.join(", ")}${parent !== null && html` <span class="soft">against ${parent}</span>`}`;
}

function facts({ collection, version, health, kinds, licenses, languages, flows }: Stats, now: string): Html {
  const rows: readonly (readonly [name: string, value: Piece])[] = [
    ["Documents", counted(version?.documents ?? 0, kinds)],
    ["Passages", `${(version?.chunks ?? 0).toLocaleString("en")}, up to ${collection.chunkSize} tokens each`],
    ["Size", size(version?.bytes ?? 0)],
    ["Vectors", version && version.embedder !== "" && `${version.embedder}, ${version.dimension} dimensions`],
    ["Licences", listed(licenses)],
    ["Languages", listed(languages)],
    ["Health", [`${Math.round(health.score * 100)} %`, ...health.reasons].join("; ")],
    ["Flows", flows.join(", ")],
    ["Created", moment(collection.createdAt, now)],
    ["Changed", moment(collection.updatedAt, now)],
  ];
  return html`<section><h2>Facts</h2><dl class="facts">${rows.map(
    ([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl></section>`;
}

const counted = (number: number, kinds: Stats["kinds"]): string =>
  [number.toLocaleString("en"), ...(listed(kinds) === "" ? [] : [`(${listed(kinds)})`])].join(" ");

const listed = (counts: Readonly<Record<string, number>> = {}): string =>
  Object.entries(counts)
    .map(([name, number]) => `${number.toLocaleString("en")} ${name}`)
    .join(", ");

const leftList = (left: readonly Left[]): Piece =>
  left.length > 0 &&
  html`<details data-key="left"><summary>${count(left.length, "document")} of the last ingest not taken</summary>
<ul class="left">${left.map(({ source, status, reason }) => html`<li><span class="mark is-${status === "failed" ? "failed" : "pending"}">${status}</span> <code dir="auto">${source}</code><br>${reason}</li>`)}</ul></details>`;
