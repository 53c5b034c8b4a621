import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import { count, live, type PageContent, type PageRequest, table } from "@toolwright/kit/pages";
import { readAllStats } from "../collections/stats.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { search } from "../search/search.js";
import type { Explanation, Hit, SearchResult } from "../search/search-types.js";
import { describeRerank } from "../search/show.js";
import { documentPath, searchForm } from "./elements.js";

const MAX_RESULTS = 10;
const MAX_COLLECTIONS = 10;
const MODES = { hybrid: "words and meaning", words: "words only", vector: "meaning only" } as const;

/** Shows the passages that match a query, and how their scores are computed. */
export async function renderSearch(context: KnowledgeContext, { query }: PageRequest): Promise<PageContent> {
  const words = (query.get("q") ?? "").trim().slice(0, 1000);
  const collection = query.get("in") ?? "";
  const requestedMode = query.get("mode") ?? "";
  const mode = isMode(requestedMode) ? requestedMode : "hybrid";
  const names = (await readAllStats(context))
    .filter(({ version }) => version !== undefined)
    .map((one) => one.collection.name);
  const title = words === "" ? "Search" : `Search: ${words}`;
  const form = searchForm(words, [select("in", "Collection", collection, ["", ...names]), modeSelect(mode)]);
  const chosen = collection === "" ? names.slice(0, MAX_COLLECTIONS) : [collection];
  if (words === "" || chosen.length === 0)
    return {
      title,
      hasOwnSearch: true,
      main: html`<h1>Search</h1>${form}<p class="none">${chosen.length === 0 ? "There are no collections to search yet." : "Type words, a question, or a phrase in quotes."}</p>`,
    };
  const collections = chosen.map((name) => ({ name }));
  const answer = await search(context, { query: words, collections, top_k: MAX_RESULTS, mode, explain: true });
  const isLimited = collection === "" && names.length > MAX_COLLECTIONS;
  return {
    title,
    hasOwnSearch: true,
    main: html`<h1>Search: <bdi>${words}</bdi></h1>
${form}
${live(
  "found",
  html`${isLimited && html`<p class="note">Only the first ${MAX_COLLECTIONS} collections were searched. To search another one, select it.</p>`}${summary(answer)}
<ol class="hits">${answer.results.map((hit, index) => hitItem(hit, index, answer))}</ol>`,
)}`,
  };
}

const isMode = (word: string): word is keyof typeof MODES => Object.hasOwn(MODES, word);

const select = (name: string, label: string, selected: string, all: readonly string[]): Html =>
  html`<label><span>${label}</span><select name="${name}">${all.map(
    (each) =>
      html`<option value="${each}"${each === selected && html` selected`}>${each === "" ? "all" : each}</option>`,
  )}</select></label>`;

const modeSelect = (selected: string): Html =>
  html`<label><span>Search by</span><select name="mode">${Object.entries(MODES).map(
    ([mode, words]) =>
      html`<option value="${mode === "hybrid" ? "" : mode}"${mode === selected && html` selected`}>${words}</option>`,
  )}</select></label>`;

function summary({ results, query_info: info, embedder, warnings }: SearchResult): Html {
  const terms = info.expansion_terms.filter((term) => !info.query_terms.includes(term));
  const vectors = embedder === "" ? "" : `, vectors by ${embedder}`;
  const expansion =
    terms.length === 0 ? "" : `; expanded with terms of the best passages: ${terms.slice(0, 8).join(", ")}`;
  return html`${warnings.map((warning) => html`<p class="note" dir="auto">${warning}</p>`)}<p class="sum">${
    results.length === 0
      ? "No results"
      : `The best ${count(results.length, "passage")} of ${info.total_results.toLocaleString("en")}${vectors}${expansion}`
  }</p>`;
}

function hitItem(hit: Hit, index: number, { results }: SearchResult): Html {
  const { citation, headings, title, explain } = hit;
  const trail = [title, ...headings.filter((heading) => heading !== title)].join(" › ");
  const several = new Set(results.map(({ collection_id: name }) => name)).size > 1;
  return html`<li class="hit" data-key="${hit.chunk_id}"><h2><a href="${documentPath(hit.document_id, hit.version, hit.chunk_id)}" dir="auto">${trail}</a></h2>
<p class="source">${several && html`<span class="mark">${hit.collection_id}</span> `}<code dir="auto">${describeSource(citation)}</code> <span class="soft">version ${hit.version}</span></p>
<p class="passage" dir="auto">${highlight(hit)}</p>
${
  explain !== undefined &&
  html`<div class="score">${scoreBar(explain, results[0]?.score ?? 1)}<span>${hit.score.toFixed(3)}</span></div>
<details data-key="score-${hit.chunk_id}"><summary>How the score is computed<span class="unseen"> of result ${index + 1}</span></summary>${scoreTables(explain, hit.score, index + 1)}</details>`
}</li>
`;
}

const describeSource = ({
  source_path: file,
  source_url: url,
  line_start: first,
  line_end: last,
  page,
}: Hit["citation"]): string =>
  `${file ?? url ?? ""}${page === undefined ? `:${first}${last === first ? "" : `-${last}`}` : `, page ${page}`}`;

/** The snippet with the words of the query marked. */
function highlight({ snippet, highlights }: Hit): HtmlPart {
  const pieces: HtmlPart[] = [];
  let at = 0;
  for (const { start, end } of highlights) {
    pieces.push(snippet.slice(at, start), html`<mark>${snippet.slice(start, end)}</mark>`);
    at = end;
  }
  return [...pieces, snippet.slice(at)];
}

const BAR_WIDTH = 300;
const BAR_HEIGHT = 10;

/** The contributions of words and vectors to a score, relative to the best score. */
function scoreBar({ words, vector }: Explanation, best: number): Html {
  const [a, b] = [contributionOf(words), contributionOf(vector)].map((value) =>
    round((value / Math.max(best, 1e-9)) * BAR_WIDTH),
  );
  return html`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="rail" width="${BAR_WIDTH}" height="${BAR_HEIGHT}"/><rect class="a" width="${a}" height="${BAR_HEIGHT}"/><rect class="b" x="${a}" width="${b}" height="${BAR_HEIGHT}"/></svg>`;
}

const contributionOf = (retriever: { readonly weight: number; readonly normalised: number } | undefined): number =>
  retriever === undefined ? 0 : retriever.weight * retriever.normalised;

const round = (value: number): number => Math.round(Math.max(0, value) * 10) / 10;

/** Every number in a score. */
function scoreTables(explanation: Explanation, score: number, rank: number): Html {
  const { words, vector } = explanation;
  const row = (name: Html, raw: number, one: NonNullable<Explanation["vector"] | Explanation["words"]>): HtmlPart[] => [
    name,
    raw.toFixed(3),
    one.rank ?? "–",
    one.normalised.toFixed(3),
    one.weight.toFixed(2),
    contributionOf(one).toFixed(3),
  ];
  return html`${table(
    `The score of result ${rank}`,
    ["Found by", "Score", "Rank", "Relative to best", "Weight", "Contribution"],
    [
      ...(words === undefined ? [] : [row(html`<span class="key">words (BM25)</span>`, words.score, words)]),
      ...(vector === undefined ? [] : [row(html`<span class="key b">meaning (cosine)</span>`, vector.cosine, vector)]),
      [html`<strong>total</strong>`, "", "", "", "", html`<strong>${score.toFixed(3)}</strong>`],
    ],
  )}${rerankTable(describeRerank(explanation), rank)}${termTable(words, rank)}`;
}

const rerankTable = (scores: ReturnType<typeof describeRerank>, rank: number): HtmlPart =>
  scores.length > 0 &&
  table(
    `Re-ranking of result ${rank}`,
    ["Re-ranking", "Value"],
    scores.map(([name, value]) => [name, value.toFixed(3)]),
  );

const termTable = (words: Explanation["words"], rank: number): HtmlPart =>
  words !== undefined &&
  words.terms.length > 0 &&
  table(
    `The words of result ${rank}`,
    ["Word", "From", "Frequency", "Passages with it", "IDF", "Weight", "Contribution"],
    words.terms
      .toSorted((one, other) => other.contribution - one.contribution)
      .map(({ term, origin, tf, df, idf, weight, contribution }) => [
        html`<code dir="auto">${term}</code>`,
        origin === "query" ? "query" : "best passages",
        tf.toFixed(1),
        df.toLocaleString("en"),
        idf.toFixed(2),
        weight.toFixed(2),
        contribution.toFixed(3),
      ]),
  );
