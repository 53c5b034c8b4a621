import { ToolError } from "@toolwright/engine";
import type { Sql, SqlRow, SqlValue } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";
import { TASK_FIELDS, toTask } from "./find-task.js";
import type { Status, Task } from "./task.js";

/** What is looked for. */
export interface SearchTasksQuery {
  /** Words that a task must all have, in any form; the last one may be the beginning of one, or a part where there are no spaces. */
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
export async function searchTasks(
  todo: TodoContext,
  options: SearchTasksQuery,
): Promise<{ readonly tasks: readonly Task[] }> {
  const found = options.query.slice(0, MOST_CHARACTERS).match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const words = found.slice(0, MOST_WORDS);
  if (words.length === 0)
    throw new ToolError("Cannot search for this: the query has no word in it. Give one or several words.", {
      code: "INVALID_ARGUMENT",
      details: { query: options.query },
    });
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => ({ tasks: (await ask(sql, words, options)).map((row) => toTask(row, at)) }));
}

/** Letters of writing in which words stand side by side without spaces, or grow endings: no index of words has all of them. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

type Condition = readonly [text: string, ...values: SqlValue[]];

/** What is asked of the index of words, and beside it. */
interface Asked {
  readonly words: readonly string[];
  /** Whether the last word may go on. */
  readonly isOpen: boolean;
  /** Whether the conditions name parts of words. */
  readonly hasParts: boolean;
  readonly conditions: readonly Condition[];
}

function ask(sql: Sql, all: readonly string[], options: SearchTasksQuery): Promise<SqlRow[]> {
  const inside = all.filter((word) => UNSPACED.test(word));
  const words = all.filter((word) => !UNSPACED.test(word));
  const conditions: readonly Condition[] = [
    ...(options.status === undefined ? [] : [["t.status = ?", options.status] satisfies Condition]),
    ...inside.map((word) => hasInside(sql, word)),
  ];
  if (words.length === 0) return askInside(sql, inside, conditions, options);
  // A word behind it shows that the last one is whole.
  const asked = { words, isOpen: words.at(-1) === all.at(-1), hasParts: inside.length > 0, conditions };
  return sql.dialect === "sqlite" ? askSqlite(sql, asked, options) : askPostgres(sql, asked, options);
}

/** SQLite looks at the letters from A to Z without regard to case by itself. */
const like = (sql: Sql): string => (sql.dialect === "sqlite" ? "LIKE ? ESCAPE '!'" : "ILIKE ? ESCAPE '!'");

const patternOf = (word: string): string => `%${word.replaceAll("_", "!_")}%`;

function hasInside(sql: Sql, word: string): Condition {
  const pattern = patternOf(word);
  const parts = ["t.description", "t.context", "coalesce(t.result, '')"].map((column) => `${column} ${like(sql)}`);
  return [`(${parts.join(" OR ")})`, pattern, pattern, pattern];
}

const and = (conditions: readonly Condition[]): string => conditions.map(([text]) => ` AND ${text}`).join("");

const valuesOf = (conditions: readonly Condition[]): SqlValue[] => conditions.flatMap(([, ...values]) => values);

/** Every task is looked at; those that have the first word in their description come first. */
const askInside = (
  sql: Sql,
  [first = ""]: readonly string[],
  conditions: readonly Condition[],
  { limit, offset = 0 }: SearchTasksQuery,
): Promise<SqlRow[]> =>
  sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t WHERE 1 = 1${and(conditions)}
     ORDER BY CASE WHEN t.description ${like(sql)} THEN 0 ELSE 1 END, t.priority, t.id DESC LIMIT ? OFFSET ?`,
    ...valuesOf(conditions),
    patternOf(first),
    limit,
    offset,
  );

function askSqlite(
  sql: Sql,
  { words, isOpen, conditions }: Asked,
  { limit, offset = 0 }: SearchTasksQuery,
): Promise<SqlRow[]> {
  const query = words.map((word, index) => `"${word}"${isOpen && index === words.length - 1 ? "*" : ""}`).join(" ");
  // The best are found first, and only those are read.
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

function askPostgres(
  sql: Sql,
  { words, isOpen, hasParts, conditions }: Asked,
  { limit, offset = 0 }: SearchTasksQuery,
): Promise<SqlRow[]> {
  const query = words.map((word, index) => `${word}${isOpen && index === words.length - 1 ? ":*" : ""}`).join(" & ");
  // Of words such as "the" nothing is left to ask for: what else was asked for decides, if there is anything.
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
