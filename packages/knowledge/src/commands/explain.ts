import { drawTable, type Screen } from "@toolwright/kit/terminal";
import type { ExplainedTerm, Explanation, Hit } from "../search/search-types.js";
import { describeRerank } from "../search/show.js";

interface Leg {
  readonly name: string;
  readonly score?: number;
  readonly rank?: number | undefined;
  readonly normalised?: number;
  readonly weight?: number;
  readonly gives: number;
}

/** How the score of a passage came about: what each leg gave, what a closer look told, and of words each term. */
export function explain({ explain: how, score }: Hit, { paint, width }: Screen): string {
  if (how === undefined) return "";
  const legs = drawTable<Leg>(
    [
      { name: "leg", text: ({ name }) => name },
      {
        name: how.fusion === "rrf" ? "rank" : "place",
        text: ({ rank }) => (rank === undefined ? "" : String(rank)),
        isNumber: true,
      },
      { name: "score", text: ({ score: raw }) => number(raw), isNumber: true },
      {
        name: how.fusion === "rrf" ? "1/(60+rank)" : "of the best",
        text: ({ normalised }) => number(normalised),
        isNumber: true,
      },
      { name: "weight", text: ({ weight }) => number(weight, 2), isNumber: true },
      { name: "gives", text: ({ gives }) => number(gives), isNumber: true },
    ],
    legsOf(how, score),
    { width, head: paint.faint },
  );
  const look = describeRerank(how);
  const terms = how.words?.terms ?? [];
  const tables = [
    legs,
    ...(look.length === 0 ? [] : [lookTable(look, { paint, width })]),
    ...(terms.length === 0 ? [] : [termTable(terms, { paint, width })]),
  ];
  return indent(tables.map((table) => `\n${table}`).join("\n"));
}

function legsOf({ words, vector }: Explanation, score: number): Leg[] {
  const legs: Leg[] = [];
  if (words !== undefined) legs.push({ name: "words (BM25)", ...words, gives: words.weight * words.normalised });
  if (vector !== undefined)
    legs.push({ name: "vector (cosine)", ...vector, score: vector.cosine, gives: vector.weight * vector.normalised });
  return [...legs, { name: "together", gives: score }];
}

const lookTable = (look: ReturnType<typeof describeRerank>, { paint, width }: Screen): string =>
  drawTable<(typeof look)[number]>(
    [
      { name: "rerank score", text: ([what]) => what, gives: "words" },
      { name: "value", text: ([, is]) => number(is), isNumber: true },
    ],
    look,
    { width, head: paint.faint },
  );

const termTable = (terms: readonly ExplainedTerm[], { paint, width }: Screen): string =>
  drawTable<ExplainedTerm>(
    [
      { name: "term", text: ({ term }) => term, gives: "words" },
      { name: "from", text: ({ origin }) => (origin === "query" ? "query" : "best passages") },
      { name: "here", text: ({ tf }) => number(tf, 1), isNumber: true },
      { name: "passages", text: ({ df }) => String(df), isNumber: true },
      { name: "idf", text: ({ idf }) => number(idf, 2), isNumber: true },
      { name: "weight", text: ({ weight }) => number(weight, 2), isNumber: true },
      { name: "gives", text: ({ contribution }) => number(contribution), isNumber: true },
    ],
    terms.toSorted((one, other) => other.contribution - one.contribution),
    { width, head: paint.faint },
  );

const number = (value: number | undefined, digits = 3): string => (value === undefined ? "" : value.toFixed(digits));

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, "   ");
