import { ToolError } from "@toolwright/engine";
import { offsetOf } from "@toolwright/kit/pack";
import type { Sql, SqlRow, SqlValue } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import { type ListTasksQuery, READY, type TaskPage } from "./list-tasks.js";

/** What to search for. */
export interface SearchTasksQuery extends ListTasksQuery {
  /** Words that a task must contain, in any form. The last one may be incomplete. */
  readonly query: string;
}

/** PostgreSQL rejects words of more than 2,000 bytes. */
const MAX_CHARACTERS = 500;
const MAX_WORDS = 20;

/** Finds tasks by the words of their description, context and result, best matches first. */
export async function searchTasks(todo: TodoContext, query: SearchTasksQuery): Promise<TaskPage> {
  const found = query.query.slice(0, MAX_CHARACTERS).match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const words = found.slice(0, MAX_WORDS);
  if (words.length === 0)
    throw new ToolError("The query contains no word.", { code: "INVALID_ARGUMENT", details: { query: query.query } });
  // Pages of a search are numbered, because their order has no key to continue from.
  const offset = offsetOf(query.cursor);
  const at = todo.now();
  const store = await todo.store();
  const rows = await store.read((sql) => search(sql, words, query, { at, offset, limit: query.limit + 1 }));
  return {
    tasks: rows.slice(0, query.limit).map((row) => toTask(row, at)),
    ...(rows.length > query.limit && { next_cursor: String(offset + query.limit) }),
  };
}

/** Scripts that do not separate words with spaces, or that append endings: an index of words does not find parts of them. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

type Condition = readonly [text: string, ...values: SqlValue[]];

interface Page {
  readonly at: string;
  readonly offset: number;
  readonly limit: number;
}

/** A query for the full-text index, and conditions beside it. */
interface TextQuery {
  readonly words: readonly string[];
  /** Whether the last word may be the beginning of a word. */
  readonly isPrefix: boolean;
  /** Whether the conditions contain parts of words. */
  readonly hasParts: boolean;
  readonly conditions: readonly Condition[];
}

async function search(sql: Sql, all: readonly string[], query: SearchTasksQuery, page: Page): Promise<SqlRow[]> {
  const parts = all.filter((word) => UNSPACED.test(word));
  const words = all.filter((word) => !UNSPACED.test(word));
  const { status, parent_id: parent, ready_only: isReady = false } = query;
  const conditions: Condition[] = parts.map((word) => containsPart(sql, word));
  if (status !== undefined) conditions.push(["t.status = ?", status]);
  if (parent !== undefined) conditions.push(["t.parent_id = ?", (await findTask(sql, parent, page.at)).id]);
  if (isReady) conditions.push([READY, page.at]);
  if (words.length === 0) return searchParts(sql, parts, conditions, page);
  // A word after it shows that the last one is complete.
  const text = { words, isPrefix: words.at(-1) === all.at(-1), hasParts: parts.length > 0, conditions };
  return sql.dialect === "sqlite" ? searchSqlite(sql, text, page) : searchPostgres(sql, text, page);
}

/** `LIKE` of SQLite ignores case for ASCII letters. */
const like = (sql: Sql): string => (sql.dialect === "sqlite" ? "LIKE ? ESCAPE '!'" : "ILIKE ? ESCAPE '!'");

const patternOf = (word: string): string => `%${word.replaceAll("_", "!_")}%`;

function containsPart(sql: Sql, word: string): Condition {
  const pattern = patternOf(word);
  const columns = ["t.description", "t.context", "coalesce(t.result, '')"].map((column) => `${column} ${like(sql)}`);
  return [`(${columns.join(" OR ")})`, pattern, pattern, pattern];
}

const and = (conditions: readonly Condition[]): string => conditions.map(([text]) => ` AND ${text}`).join("");

const valuesOf = (conditions: readonly Condition[]): SqlValue[] => conditions.flatMap(([, ...values]) => values);

/** Scans all tasks. Those with the first word in their description come first. */
const searchParts = (
  sql: Sql,
  [first = ""]: readonly string[],
  conditions: readonly Condition[],
  { limit, offset }: Page,
): Promise<SqlRow[]> =>
  sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t WHERE 1 = 1${and(conditions)}
     ORDER BY CASE WHEN t.description ${like(sql)} THEN 0 ELSE 1 END, t.priority, t.id DESC LIMIT ? OFFSET ?`,
    ...valuesOf(conditions),
    patternOf(first),
    limit,
    offset,
  );

function searchSqlite(
  sql: Sql,
  { words, isPrefix, conditions }: TextQuery,
  { limit, offset }: Page,
): Promise<SqlRow[]> {
  const query = words.map((word, index) => `"${word}"${isPrefix && index === words.length - 1 ? "*" : ""}`).join(" ");
  // Only the rows of the page are read from the table.
  return sql.all(
    `SELECT ${TASK_FIELDS} FROM (
       SELECT w.rowid AS number, bm25(task_words, 3.0, 1.0, 1.0) AS score FROM task_words w
       ${conditions.length === 0 ? "" : "JOIN tasks t ON t.number = w.rowid"}
       WHERE task_words MATCH ?${and(conditions)} ORDER BY score, w.rowid DESC LIMIT ? OFFSET ?
     ) best JOIN tasks t ON t.number = best.number ORDER BY best.score, t.number DESC`,
    query,
    ...valuesOf(conditions),
    limit,
    offset,
  );
}

function searchPostgres(
  sql: Sql,
  { words, isPrefix, hasParts, conditions }: TextQuery,
  { limit, offset }: Page,
): Promise<SqlRow[]> {
  const query = words.map((word, index) => `${word}${isPrefix && index === words.length - 1 ? ":*" : ""}`).join(" & ");
  // A query of stop words such as "the" is empty; then the parts decide, if there are any.
  const isMatch = hasParts ? "(numnode(q) = 0 OR t.words @@ q)" : "t.words @@ q";
  return sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t, to_tsquery('english', ?) q
     WHERE ${isMatch}${and(conditions)} ORDER BY ts_rank(t.words, q) DESC, t.priority, t.id DESC LIMIT ? OFFSET ?`,
    query,
    ...valuesOf(conditions),
    limit,
    offset,
  );
}
