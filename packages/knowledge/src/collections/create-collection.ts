import type { Base } from "../base.js";
import { noteChange } from "../store/changes.js";
import type { Collection } from "./collection.js";
import { checkCut } from "./cut.js";
import { nameTaken, wrongName } from "./faults.js";
import { findCollection, namesOf } from "./find-collection.js";

/** What a new collection is. */
export interface CreateWish {
  readonly name: string;
  readonly description?: string | undefined;
  readonly chunk_size?: number | undefined;
  readonly chunk_overlap?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

const NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Makes a collection that has nothing in it yet. */
export async function createCollection(base: Base, wish: CreateWish): Promise<Collection> {
  const { name, description = "", metadata = {} } = wish;
  if (!NAME.test(name)) throw wrongName(name);
  const cut = checkCut({
    size: wish.chunk_size ?? base.settings.chunk_size,
    overlap: wish.chunk_overlap ?? Math.min(base.settings.chunk_overlap, (wish.chunk_size ?? Infinity) / 4),
  });
  const ledger = await base.ledger();
  const at = base.now();
  return ledger.write(async (sql) => {
    const names = new Set(await namesOf(sql));
    if (names.has(name)) throw nameTaken(name, freeName(name, names));
    await sql.run(
      "INSERT INTO collections (name, description, chunk_size, chunk_overlap, metadata, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      name,
      description,
      cut.size,
      cut.overlap,
      JSON.stringify(metadata),
      at,
      at,
    );
    await noteChange(sql, { at, collection: name, kind: "created" });
    return findCollection(sql, name);
  });
}

function freeName(name: string, names: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const free = `${name.slice(0, 90)}-${number}`;
    if (!names.has(free)) return free;
  }
}
