import type { Sql } from "@toolwright/kit/storage";
import type { IndexRows } from "../index-rows.js";
import type { Matches } from "../match.js";
import type { Condition } from "../query.js";
import { quoted } from "./chunk-words.js";

type Phrase = Extract<Condition, { readonly kind: "phrase" }>;

/** Asks PostgreSQL's full text which rows have the phrases of a condition. One that it cannot be asked for is not in the map. */
export async function phraseRows(
  sql: Sql,
  index: IndexRows,
  condition: Condition,
): Promise<ReadonlyMap<Condition, Matches>> {
  const found = new Map<Condition, Matches>();
  const phrases = phrasesIn(condition).filter(({ keys }) => !keys.includes(""));
  if (phrases.length === 0) return found;
  const rows = rowsByNumber(index);
  const cut = await ask(sql, index, rows, "w.is_cut = ?", 1);
  for (const phrase of phrases) {
    const certain = await ask(sql, index, rows, "w.words @@ ?::tsquery", phrase.keys.map(quoted).join(" <-> "));
    found.set(phrase, { certain, possible: certain.map((byte, row) => byte | (cut[row] as number)) });
  }
  return found;
}

function phrasesIn(condition: Condition): Phrase[] {
  if (condition.kind === "phrase") return [condition];
  if (condition.kind === "term" || condition.kind === "signs") return [];
  return condition.kind === "not" ? phrasesIn(condition.of) : condition.of.flatMap(phrasesIn);
}

function rowsByNumber({ parts }: IndexRows): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  for (const { allowed, columns, offset } of parts)
    for (const [at, number] of columns.number.entries()) if (allowed[at] === 1) rows.set(number, offset + at);
  return rows;
}

/** A byte a row: 1 = its passage is one of which this holds. */
async function ask(
  sql: Sql,
  { parts, size }: IndexRows,
  rows: ReadonlyMap<number, number>,
  holds: string,
  value: string | number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  for (const { collection, version } of new Set(parts.map(({ view }) => view.chosen))) {
    const numbers = await sql.all(
      `SELECT w.number FROM chunk_words w JOIN chunks c ON c.number = w.number
       WHERE ${holds} AND EXISTS (SELECT 1 FROM members m WHERE m.revision = c.revision AND m.collection = ? AND m.version = ?)`,
      value,
      collection,
      version,
    );
    for (const row of numbers) {
      const at = rows.get(Number(row["number"]));
      if (at !== undefined) bytes[at] = 1;
    }
  }
  return bytes;
}
