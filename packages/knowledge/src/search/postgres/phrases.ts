import type { Sql, SqlStore, SqlValue } from "@toolwright/kit/storage";
import type { Matches } from "../match.js";
import type { Condition } from "../query.js";
import { eachToken, type Fields } from "../terms.js";
import type { IndexRows } from "../views.js";

/** Limits of `tsvector`: the highest position, and the number of positions of a lexeme. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
/** A `tsvector` literal that is longer would be rejected. */
const MAX_CHARACTERS = 500_000;
/** The number of passages per statement and per transaction. */
const ROWS_PER_STATEMENT = 50;
const ROWS_PER_TRANSACTION = 500;

/** Converts the words of a passage to a `tsvector` literal, with the same keys that `match.ts` compares phrases by. */
export function toTextVector({ title, headings, content }: Fields): {
  readonly words: string;
  readonly isCut: boolean;
} {
  const positions = new Map<string, number[]>();
  let position = 0;
  let isCut = false;
  for (const text of [title, ...headings, content]) {
    eachToken(text, (_start, _end, { key }, kind) => {
      if (kind === "single") return;
      position += 1;
      const known = positions.get(key) ?? [];
      positions.set(key, known);
      if (position > MAX_POSITION || known.length >= MAX_POSITIONS) isCut = true;
      else known.push(position);
    });
    // A phrase does not continue in the next field.
    position += 1;
  }
  const lexemes: string[] = [];
  for (const [key, at] of positions)
    if (key !== "" && at.length > 0) lexemes.push(`${quoteLexeme(key)}:${at.join(",")}`);
  const words = lexemes.join(" ");
  return words.length > MAX_CHARACTERS ? { words: "", isCut: true } : { words, isCut };
}

/** Quotes a lexeme for `tsvector` and `tsquery` literals. */
export const quoteLexeme = (key: string): string => `'${key.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** Writes the words of passages in batches. Skips passages that are already stored. */
export class PhraseWriter {
  readonly #store: SqlStore;
  #waiting: SqlValue[][] = [];

  constructor(store: SqlStore) {
    this.#store = store;
  }

  async add(chunk: Fields & { readonly number: number }): Promise<void> {
    const { words, isCut } = toTextVector(chunk);
    this.#waiting.push([chunk.number, words, isCut ? 1 : 0]);
    if (this.#waiting.length >= ROWS_PER_TRANSACTION) await this.flush();
  }

  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    await this.#store.write(async (sql) => {
      for (let at = 0; at < waiting.length; at += ROWS_PER_STATEMENT) {
        const some = waiting.slice(at, at + ROWS_PER_STATEMENT);
        const rows = some.map(() => "(?, ?::tsvector, ?)").join(", ");
        await sql.run(
          `INSERT INTO chunk_words (number, words, is_cut) VALUES ${rows} ON CONFLICT (number) DO NOTHING`,
          ...some.flat(),
        );
      }
    });
  }
}

type Phrase = Extract<Condition, { readonly kind: "phrase" }>;

/** Finds the rows that contain the phrases of a condition by full-text search. Phrases that it cannot express are not in the map. */
export async function findPhraseRows(
  sql: Sql,
  index: IndexRows,
  condition: Condition,
): Promise<ReadonlyMap<Condition, Matches>> {
  const found = new Map<Condition, Matches>();
  const phrases = phrasesIn(condition).filter(({ keys }) => !keys.includes(""));
  if (phrases.length === 0) return found;
  const rows = rowsByNumber(index);
  const cut = await findRows(sql, index, rows, "w.is_cut = ?", 1);
  for (const phrase of phrases) {
    const certain = await findRows(
      sql,
      index,
      rows,
      "w.words @@ ?::tsquery",
      phrase.keys.map(quoteLexeme).join(" <-> "),
    );
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

/** Returns one byte per row: 1 = the SQL condition is true for its passage. */
async function findRows(
  sql: Sql,
  { parts, size }: IndexRows,
  rows: ReadonlyMap<number, number>,
  condition: string,
  value: string | number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  for (const { collection, version } of new Set(parts.map(({ view }) => view.chosen))) {
    const numbers = await sql.all(
      `SELECT w.number FROM chunk_words w JOIN chunks c ON c.number = w.number
       WHERE ${condition} AND EXISTS (SELECT 1 FROM members m WHERE m.revision = c.revision AND m.collection = ? AND m.version = ?)`,
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
