import { ToolError } from "@toolwright/engine";
import type { WantedCollection } from "../search/search-types.js";

/** How a call names collections. */
export interface Naming {
  readonly collection?: string | undefined;
  readonly collection_ids?: readonly string[] | undefined;
  readonly version?: number | undefined;
}

const LIMIT = 10;

/** The collections that a call names, each once; none where it names none. */
export function namedCollections({ collection, collection_ids: several = [], version }: Naming): WantedCollection[] {
  const names = new Set(collection === undefined ? several : [collection, ...several]);
  if (names.size > LIMIT)
    throw new ToolError(`Cannot ask ${names.size} collections at once: ${LIMIT} are the most.`, {
      code: "INVALID_ARGUMENT",
    });
  return [...names].map((name) => ({ name, version }));
}
