import type { Sql, SqlValue } from "./sql.js";

/** Values that one statement has at most. */
const MOST_VALUES = 1000;

/** Inserts rows. Each statement is a journey to a PostgreSQL server, so that many go together there; in a file it is none. */
export async function insertRows(
  sql: Sql,
  /** As far as `VALUES`, which is left out. */
  into: string,
  rows: readonly (readonly SqlValue[])[],
  /** What comes after the values. */
  end = "",
): Promise<void> {
  const width = rows[0]?.length ?? 1;
  const together = sql.dialect === "postgres" ? Math.max(1, Math.floor(MOST_VALUES / width)) : 1;
  const marks = `(${Array.from({ length: width }, () => "?").join(", ")})`;
  for (let at = 0; at < rows.length; at += together) {
    const some = rows.slice(at, at + together);
    await sql.run(`${into} VALUES ${some.map(() => marks).join(", ")} ${end}`, ...some.flat());
  }
}
