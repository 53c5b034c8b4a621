import type { Sql } from "@toolwright/kit/storage";
import type { Collection, Version } from "../collections/collection.js";
import type { Question } from "./questions.js";

const NAMES_AT_ONCE = 200;
const MOST_TOLD = 10;

/** By what something relevant can be named, and where that is looked up; addresses have a form of their own. */
const COLUMNS = ["d.source", "d.id", "c.id", "r.url"] as const;
const ADDRESS = /^[a-z][a-z0-9+.-]*:/i;

/** What is said to be relevant, and is in no document of the version. */
export async function findNowhere(
  sql: Sql,
  { id }: Collection,
  { number }: Version,
  questions: readonly Question[],
): Promise<readonly string[]> {
  const left = new Set(questions.flatMap(({ relevant }) => relevant.map(({ source }) => source)));
  for (const column of COLUMNS) {
    const names = [...left].filter((name) => column !== "r.url" || ADDRESS.test(name));
    const from = `members m JOIN revisions r ON r.id = m.revision JOIN documents d ON d.id = r.document${column === "c.id" ? " JOIN chunks c ON c.revision = r.id" : ""}`;
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      const some = names.slice(at, at + NAMES_AT_ONCE);
      const rows = await sql.all(
        `SELECT DISTINCT ${column} AS name FROM ${from} WHERE m.collection = ? AND m.version = ? AND ${column} IN (${some.map(() => "?").join(", ")})`,
        id,
        number,
        ...some,
      );
      for (const row of rows) left.delete(String(row["name"]));
    }
  }
  return [...left].toSorted();
}

/** Says so: a question that nothing can answer is most likely mistyped, or of another version. */
export const nowhereWords = (version: number, names: readonly string[]): string =>
  `Version ${version} has nothing of ${names.slice(0, MOST_TOLD).join(", ")}${names.length > MOST_TOLD ? `, and ${names.length - MOST_TOLD} more` : ""}: no search can find that.`;
