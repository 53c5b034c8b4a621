import { ToolError } from "@toolwright/engine";
import type { KnowledgeContext } from "../knowledge-context.js";
import type { WantedCollection } from "./search-types.js";

/** The collections that a call names. */
export interface CollectionChoice {
  readonly collection?: string | undefined;
  readonly collection_ids?: readonly string[] | undefined;
  readonly version?: number | undefined;
}

/** The maximum number of collections in one search. */
export const MAX_COLLECTIONS = 10;

/** Returns the collections to search: those that a call names, without duplicates, else all that have an active version. */
export async function chooseCollections(
  context: KnowledgeContext,
  { collection, collection_ids: several = [], version }: CollectionChoice,
): Promise<readonly WantedCollection[]> {
  const reject = (reason: string): never => {
    throw new ToolError(`Cannot search: ${reason}`, { code: "INVALID_ARGUMENT" });
  };
  const names = new Set(collection === undefined ? several : [collection, ...several]);
  if (names.size > MAX_COLLECTIONS) reject(`${names.size} collections are given; the maximum is ${MAX_COLLECTIONS}.`);
  if (names.size > 0) return [...names].map((name) => ({ name, version }));
  if (version !== undefined) reject('a version needs a "collection".');
  const all = await activeCollections(context);
  if (all.length === 0)
    throw new ToolError("Cannot search: no collection has an active version.", {
      code: "INVALID_ARGUMENT",
      hint: { action: "ingest documents", tool: "kb_ingest" },
    });
  if (all.length > MAX_COLLECTIONS)
    reject(`there are more than ${MAX_COLLECTIONS} collections. Choose some with "collection" or "collection_ids".`);
  return all.map((name) => ({ name }));
}

/** The names of all collections that have an active or pinned version. */
export async function activeCollections(context: KnowledgeContext): Promise<readonly string[]> {
  const store = await context.store();
  const rows = await store.read((sql) =>
    sql.all(
      "SELECT name FROM collections WHERE name NOT LIKE '#%' AND coalesce(pinned, active) IS NOT NULL ORDER BY name",
    ),
  );
  return rows.map((row) => String(row["name"]));
}
