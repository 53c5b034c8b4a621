import type { Explanation } from "@toolwright/knowledge/search/search-types.js";
import { describeRerank } from "@toolwright/knowledge/search/show.js";
import { type Html, html, type Piece } from "../html.js";
import { table } from "./knowledge-parts.js";

const WIDTH = 300;
const HEIGHT = 10;

/** What words and vectors gave, side by side, beside the best score of all; the numbers are there as a table too. */
export function scoreBar({ words, vector }: Explanation, best: number): Html {
  const [a, b] = [given(words), given(vector)].map((value) => round((value / Math.max(best, 1e-9)) * WIDTH));
  return html`<svg class="bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="rail" width="${WIDTH}" height="${HEIGHT}"/><rect class="a" width="${a}" height="${HEIGHT}"/><rect class="b" x="${a}" width="${b}" height="${HEIGHT}"/></svg>`;
}

const given = (leg: { readonly weight: number; readonly normalised: number } | undefined): number =>
  leg === undefined ? 0 : leg.weight * leg.normalised;

const round = (value: number): number => Math.round(Math.max(0, value) * 10) / 10;

/** Every number that is in a score. */
export function scoreTables(explanation: Explanation, score: number, place: number): Html {
  const { fusion, words, vector } = explanation;
  const leg = (name: Html, raw: number, one: NonNullable<Explanation["vector"] | Explanation["words"]>): Piece[] => [
    name,
    raw.toFixed(3),
    one.rank ?? "–",
    one.normalised.toFixed(3),
    one.weight.toFixed(2),
    given(one).toFixed(3),
  ];
  return html`${table(
    `What gave the score of result ${place}`,
    ["Found by", "Score", "Place", fusion === "rrf" ? "1 / (60 + place)" : "Beside the best", "Weight", "Gives"],
    [
      ...(words === undefined ? [] : [leg(html`<span class="key">words (BM25)</span>`, words.score, words)]),
      ...(vector === undefined ? [] : [leg(html`<span class="key b">meaning (cosine)</span>`, vector.cosine, vector)]),
      [html`<strong>together</strong>`, "", "", "", "", html`<strong>${score.toFixed(3)}</strong>`],
    ],
  )}${lookTable(describeRerank(explanation), place)}${termTable(words, place)}`;
}

const lookTable = (look: ReturnType<typeof describeRerank>, place: number): Piece =>
  look.length > 0 &&
  table(
    `What a closer look told of result ${place}`,
    ["Closer look", "Is"],
    look.map(([what, is]) => [what, is.toFixed(3)]),
  );

const termTable = (words: Explanation["words"], place: number): Piece =>
  words !== undefined &&
  words.terms.length > 0 &&
  table(
    `What each word gave to result ${place}`,
    ["Word", "From", "Times here", "Passages with it", "Worth (idf)", "Weight", "Gives"],
    words.terms
      .toSorted((one, other) => other.contribution - one.contribution)
      .map(({ term, origin, tf, df, idf, weight, contribution }) => [
        html`<code dir="auto">${term}</code>`,
        origin === "query" ? "the query" : "the best passages",
        tf.toFixed(1),
        df.toLocaleString("en"),
        idf.toFixed(2),
        weight.toFixed(2),
        contribution.toFixed(3),
      ]),
  );
