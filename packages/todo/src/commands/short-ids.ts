import type { Sql } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";

/** Returns the shortest form of an id that identifies the task. */
export type Shorten = (id: string) => string;

const PREFIX = "task_";

/** The length of the shortest form, and of an id without its prefix. */
const MIN_LENGTH = 4;
const ID_LENGTH = 20;

/** How many values one query has at most. */
const MAX_VALUES = 10_000;

/**
 * Shortens ids for people: to the end of each, which is random, and as long as needed to find the task by it. The id of a deleted task
 * stays whole.
 */
export async function shortIds(todo: TodoContext, ids: Iterable<string>): Promise<Shorten> {
  const found = new Map<string, string>();
  const store = await todo.store();
  await store.read(async (sql) => {
    let left = [...new Set(ids)].filter((id) => withoutPrefix(id).length > MIN_LENGTH);
    for (let length = MIN_LENGTH; left.length > 0 && length < ID_LENGTH; length++) {
      const endOf = (id: string): string => withoutPrefix(id).slice(-length);
      const matches = new Map<string, number>();
      for (let from = 0; from < left.length; from += MAX_VALUES) {
        const ends = new Set(left.slice(from, from + MAX_VALUES).map(endOf));
        for (const [end, count] of await countMatches(sql, [...ends], length)) matches.set(end, count);
      }
      for (const id of left) if (matches.get(endOf(id)) === 1) found.set(id, endOf(id));
      left = left.filter((id) => (matches.get(endOf(id)) ?? 0) > 1);
    }
  });
  return (id) => found.get(id) ?? (withoutPrefix(id).length <= MIN_LENGTH ? withoutPrefix(id) : id);
}

const withoutPrefix = (id: string): string => (id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id);

/** Counts the tasks that each end could mean: those whose id ends with it, and one whose id begins with it, which takes precedence. */
async function countMatches(sql: Sql, ends: readonly string[], length: number): Promise<ReadonlyMap<string, number>> {
  const end = sql.dialect === "sqlite" ? `substr(id, -${length})` : `right(id, ${length})`;
  const text = `SELECT ${end} AS tail FROM tasks WHERE ${end} IN (${ends.map(() => "?").join(", ")})`;
  const counts = new Map<string, number>();
  for (const row of await sql.all(text, ...ends)) {
    const tail = String(row["tail"]);
    counts.set(tail, (counts.get(tail) ?? 0) + 1);
  }
  for (const each of counts.keys()) {
    const start = `${PREFIX}${each}`;
    const beginning = await sql.get("SELECT id FROM tasks WHERE id >= ? AND id < ? LIMIT 1", start, `${start}~`);
    if (beginning !== undefined) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return counts;
}
