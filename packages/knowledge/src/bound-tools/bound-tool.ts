import type { Sql, SqlRow } from "@toolwright/kit/storage";
import type { SearchWish } from "../search/wish.js";
import { numberOf } from "../store/rows.js";

/** What a bound tool does. */
export type Operation = "search" | "answer";

/** Arguments that a bound tool has where a call says nothing else. */
export type BoundDefaults = Partial<Pick<SearchWish, "top_k" | "filters" | "mode">>;

/** A tool that asks one collection. */
export interface BoundTool {
  readonly name: string;
  readonly collection: string;
  /** Undefined = the version that answers. */
  readonly version?: number | undefined;
  readonly operation: Operation;
  readonly description: string;
  readonly defaults: BoundDefaults;
}

/** A bound tool, and whether it is listed. */
export interface KeptTool {
  readonly bound: BoundTool;
  readonly isActive: boolean;
}

/** Reads the bound tools, those that are switched off too. */
export async function readBoundTools(sql: Sql): Promise<readonly KeptTool[]> {
  const rows = await sql.all(
    `SELECT b.*, c.name AS collection_name FROM bound_tools b JOIN collections c ON c.id = b.collection
     WHERE c.name NOT LIKE '#%' ORDER BY b.created_at, b.name`,
  );
  return rows.map((row) => ({ bound: toBoundTool(row), isActive: Number(row["is_active"]) === 1 }));
}

function toBoundTool(row: SqlRow): BoundTool {
  const version = numberOf(row["version"]);
  return {
    name: String(row["name"]),
    collection: String(row["collection_name"]),
    ...(version !== null && { version }),
    operation: String(row["operation"]) as Operation,
    description: String(row["description"]),
    defaults: JSON.parse(String(row["defaults"])) as BoundDefaults,
  };
}
