import type { Sql } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";

/** Gives an id in the shortest form that stands for it and for no other. */
export type Shorten = (id: string) => string;

const BEGIN = "task_";

/** The fewest signs of a short id, and how many an id has. */
const LEAST = 4;
const MOST = 20;

/** How many values one question to a database has at most. */
const MOST_VALUES = 10_000;

/**
 * Ids for people: the end of each, for it is random where the beginning is the time, and as long as it must be to be typed back. Of
 * a task that is gone it is the whole id.
 */
export async function shortIds(todo: TodoContext, ids: Iterable<string>): Promise<Shorten> {
  const found = new Map<string, string>();
  const ledger = await todo.store();
  await ledger.read(async (sql) => {
    let left = [...new Set(ids)].filter((id) => bareOf(id).length > LEAST);
    for (let length = LEAST; left.length > 0 && length < MOST; length++) {
      const tailOf = (id: string): string => bareOf(id).slice(-length);
      const uses = new Map<string, number>();
      for (let from = 0; from < left.length; from += MOST_VALUES) {
        const part = new Set(left.slice(from, from + MOST_VALUES).map(tailOf));
        for (const [tail, count] of await usesOf(sql, [...part], length)) uses.set(tail, count);
      }
      for (const id of left) if (uses.get(tailOf(id)) === 1) found.set(id, tailOf(id));
      left = left.filter((id) => (uses.get(tailOf(id)) ?? 0) > 1);
    }
  });
  return (id) => found.get(id) ?? (bareOf(id).length <= LEAST ? bareOf(id) : id);
}

const bareOf = (id: string): string => (id.startsWith(BEGIN) ? id.slice(BEGIN.length) : id);

/** How many tasks each text could mean: those that end with it, and one that begins with it, which is looked for first. */
async function usesOf(sql: Sql, tails: readonly string[], length: number): Promise<ReadonlyMap<string, number>> {
  const tail = sql.dialect === "sqlite" ? `substr(id, -${length})` : `right(id, ${length})`;
  const text = `SELECT ${tail} AS tail FROM tasks WHERE ${tail} IN (${tails.map(() => "?").join(", ")})`;
  const uses = new Map<string, number>();
  for (const row of await sql.all(text, ...tails)) {
    const end = String(row["tail"]);
    uses.set(end, (uses.get(end) ?? 0) + 1);
  }
  for (const each of uses.keys()) {
    const start = `${BEGIN}${each}`;
    const beginning = await sql.get("SELECT id FROM tasks WHERE id >= ? AND id < ? LIMIT 1", start, `${start}~`);
    if (beginning !== undefined) uses.set(each, (uses.get(each) ?? 0) + 1);
  }
  return uses;
}
