import { ToolError } from "@toolwright/engine";
import type { Sql, SqlRow } from "../../../storage/ledger/sql.js";
import type { Desk } from "../desk.js";
import { TASK_FIELDS, toTask } from "./find-task.js";
import type { Status, Task } from "./task.js";

/** What is looked for. */
export interface SearchWish {
  /** Words that a task must all have, in any form; the last one may be the beginning of one. */
  readonly query: string;
  readonly status?: Status | undefined;
  readonly limit: number;
  /** How many of the best are left out. */
  readonly offset?: number | undefined;
}

/** PostgreSQL refuses words of more than 2,000 bytes. */
const MOST_CHARACTERS = 500;
const MOST_WORDS = 20;

/** Finds tasks by the words of their description, context and result; those that fit best first. */
export async function searchTasks(desk: Desk, wish: SearchWish): Promise<{ readonly tasks: readonly Task[] }> {
  const found = wish.query.slice(0, MOST_CHARACTERS).match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const words = found.slice(0, MOST_WORDS);
  if (words.length === 0)
    throw new ToolError("Cannot search for this: the query has no word in it. Give one or several words.", {
      code: "INVALID_ARGUMENT",
      details: { query: wish.query },
    });
  const at = desk.now();
  const ledger = await desk.ledger();
  return ledger.read(async (sql) => ({ tasks: (await ask(sql, words, wish)).map((row) => toTask(row, at)) }));
}

function ask(sql: Sql, words: readonly string[], { status, limit, offset = 0 }: SearchWish): Promise<SqlRow[]> {
  const [condition, values] = status === undefined ? ["", []] : ["AND t.status = ?", [status]];
  if (sql.dialect === "sqlite") {
    const query = words.map((word, index) => `"${word}"${index === words.length - 1 ? "*" : ""}`).join(" ");
    // The best are found first, and only those are read.
    return sql.all(
      `SELECT ${TASK_FIELDS} FROM (
         SELECT w.rowid AS number, bm25(task_words, 3.0, 1.0, 1.0) AS score FROM task_words w
         ${status === undefined ? "" : "JOIN tasks t ON t.number = w.rowid"}
         WHERE task_words MATCH ? ${condition} ORDER BY score, w.rowid DESC LIMIT ? OFFSET ?
       ) best JOIN tasks t ON t.number = best.number ORDER BY best.score, t.number DESC`,
      query,
      ...values,
      limit,
      offset,
    );
  }
  const query = words.map((word, index) => `${word}${index === words.length - 1 ? ":*" : ""}`).join(" & ");
  return sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t, to_tsquery('english', ?) q
     WHERE t.words @@ q ${condition} ORDER BY ts_rank(t.words, q) DESC, t.priority, t.id DESC LIMIT ? OFFSET ?`,
    query,
    ...values,
    limit,
    offset,
  );
}
