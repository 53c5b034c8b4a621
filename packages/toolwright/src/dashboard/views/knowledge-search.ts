import { readAllStats } from "@toolwright/knowledge/collections/stats.js";
import { search } from "@toolwright/knowledge/search/search.js";
import type { Hit, SearchResult } from "@toolwright/knowledge/search/search-types.js";
import { type Html, html, type Piece } from "../html.js";
import { live } from "../layout.js";
import { count } from "../parts.js";
import type { Shown } from "../view.js";
import { type KnowledgeView, placeOfDocument, searchForm } from "./knowledge-parts.js";
import { scoreBar, scoreTables } from "./knowledge-scores.js";

const MOST = 10;
const MOST_COLLECTIONS = 10;
const MODES = { hybrid: "words and meaning", words: "words alone", vector: "meaning alone" } as const;

/** Shows the passages that are found, with how each score came about. */
export async function showPassages({ base, query }: KnowledgeView): Promise<Shown> {
  const words = (query.get("q") ?? "").trim().slice(0, 1000);
  const [wanted, asked] = [query.get("in") ?? "", query.get("mode") ?? ""];
  const mode = isMode(asked) ? asked : "hybrid";
  const names = (await readAllStats(base))
    .filter(({ version }) => version !== undefined)
    .map((one) => one.collection.name);
  const title = words === "" ? "Search" : `Search: ${words}`;
  const shown = { title, here: "/knowledge", hasSearch: true };
  const form = searchForm(words, [choices("in", "Collection", wanted, ["", ...names]), modes(mode)]);
  const chosen = wanted === "" ? names.slice(0, MOST_COLLECTIONS) : [wanted];
  if (words === "" || chosen.length === 0)
    return {
      ...shown,
      main: html`<h1>Search</h1>${form}<p class="none">${chosen.length === 0 ? "There is nothing to search yet." : "Type words, a question, or a phrase in quotes."}</p>`,
    };
  const collections = chosen.map((name) => ({ name }));
  const answer = await search(base, { query: words, collections, top_k: MOST, mode, explain: true });
  const left = wanted === "" && names.length > MOST_COLLECTIONS;
  return {
    ...shown,
    main: html`<h1>Search: <bdi>${words}</bdi></h1>
${form}
${live(
  "found",
  html`${left && html`<p class="note">Only the first ${MOST_COLLECTIONS} collections were searched. Choose one to search another.</p>`}${summary(answer)}
<ol class="hits">${answer.results.map((hit, at) => showHit(hit, at, answer))}</ol>`,
)}`,
  };
}

const isMode = (word: string): word is keyof typeof MODES => Object.hasOwn(MODES, word);

const choices = (name: string, label: string, chosen: string, all: readonly string[]): Html =>
  html`<label><span>${label}</span><select name="${name}">${all.map(
    (each) => html`<option value="${each}"${each === chosen && html` selected`}>${each === "" ? "all" : each}</option>`,
  )}</select></label>`;

const modes = (chosen: string): Html =>
  html`<label><span>By</span><select name="mode">${Object.entries(MODES).map(
    ([mode, words]) =>
      html`<option value="${mode === "hybrid" ? "" : mode}"${mode === chosen && html` selected`}>${words}</option>`,
  )}</select></label>`;

function summary({ results, query_info: info, embedder, warnings }: SearchResult): Html {
  const terms = info.expansion_terms.filter((term) => !info.query_terms.includes(term));
  const how = embedder === "" ? "" : `, vectors by ${embedder}`;
  const further = terms.length === 0 ? "" : `; words of the best passages count too: ${terms.slice(0, 8).join(", ")}`;
  return html`${warnings.map((warning) => html`<p class="note" dir="auto">${warning}</p>`)}<p class="sum">${
    results.length === 0
      ? "Nothing was found"
      : `The best ${count(results.length, "passage")} of ${info.total_results.toLocaleString("en")}${how}${further}`
  }</p>`;
}

function showHit(hit: Hit, at: number, { results }: SearchResult): Html {
  const { citation, headings, title, explain } = hit;
  const trail = [title, ...headings.filter((heading) => heading !== title)].join(" › ");
  const several = new Set(results.map(({ collection_id: name }) => name)).size > 1;
  return html`<li class="hit" data-key="${hit.chunk_id}"><h2><a href="${placeOfDocument(hit.document_id, hit.version, hit.chunk_id)}" dir="auto">${trail}</a></h2>
<p class="place">${several && html`<span class="mark">${hit.collection_id}</span> `}<code dir="auto">${placeWords(citation)}</code> <span class="soft">version ${hit.version}</span></p>
<p class="passage" dir="auto">${marked(hit)}</p>
${
  explain !== undefined &&
  html`<div class="score">${scoreBar(explain, results[0]?.score ?? 1)}<span>${hit.score.toFixed(3)}</span></div>
<details data-key="score-${hit.chunk_id}"><summary>How the score came about<span class="unseen"> of result ${at + 1}</span></summary>${scoreTables(explain, hit.score, at + 1)}</details>`
}</li>
`;
}

const placeWords = ({
  source_path: file,
  source_url: url,
  line_start: first,
  line_end: last,
  page,
}: Hit["citation"]): string =>
  `${file ?? url ?? ""}${page === undefined ? `:${first}${last === first ? "" : `-${last}`}` : `, page ${page}`}`;

/** The snippet, with what was asked for marked. */
function marked({ snippet, highlights }: Hit): Piece {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of highlights) {
    pieces.push(snippet.slice(at, start), html`<mark>${snippet.slice(start, end)}</mark>`);
    at = end;
  }
  return [...pieces, snippet.slice(at)];
}
