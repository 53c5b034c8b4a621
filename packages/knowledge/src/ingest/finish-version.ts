import type { Version } from "../collections/collection.js";
import { findVersion } from "../collections/find-collection.js";
import { removeMembers } from "../collections/garbage.js";
import { toVersion } from "../store/rows.js";
import type { Gathering } from "./gathering.js";
import type { VectorForm } from "./index-version.js";
import type { Build } from "./look.js";
import type { Run } from "./run.js";

/** From now on the version can be asked and promoted; it never changes again. */
export function finishVersion(
  { base, run, cut }: Pick<Build, "base" | "run" | "cut">,
  gathering: Gathering,
  { embedder, dimension }: VectorForm,
): Promise<Version> {
  const { id } = run.collection;
  const at = base.now();
  return run.write(async (sql) => {
    const size = await sql.get(
      "SELECT sum(r.bytes) AS bytes FROM members m JOIN revisions r ON r.id = m.revision WHERE m.collection = ? AND m.version = ?",
      id,
      run.version,
    );
    await sql.run(
      `UPDATE versions SET status = 'ready', embedder = ?, dimension = ?, documents = ?, chunks = ?, bytes = ?, checksum = ?,
       delta = ?, ready_at = ? WHERE collection = ? AND number = ?`,
      embedder,
      dimension,
      gathering.documents,
      gathering.chunks,
      Number(size?.["bytes"] ?? 0),
      gathering.checksum(),
      JSON.stringify(gathering.delta),
      at,
      id,
      run.version,
    );
    await sql.run(
      "UPDATE collections SET embedder = ?, dimension = ?, chunk_size = ?, chunk_overlap = ?, updated_at = ? WHERE id = ?",
      embedder,
      dimension,
      cut.size,
      cut.overlap,
      at,
      id,
    );
    return findVersion(sql, run.collection, run.version);
  });
}

/** A version that is ready and has the same documents and vectors, such as one whose run was killed before it was promoted. */
export async function findTwin(run: Run, checksum: string, form: VectorForm): Promise<Version | undefined> {
  const row = await run.ledger.read((sql) =>
    sql.get(
      "SELECT * FROM versions WHERE collection = ? AND status = 'ready' AND checksum = ? AND embedder = ? AND dimension = ? AND number > ? ORDER BY number DESC LIMIT 1",
      run.collection.id,
      checksum,
      form.embedder,
      form.dimension,
      run.parent?.number ?? 0,
    ),
  );
  return row && toVersion(row);
}

/** Takes the version away that is being built: it is not needed. */
export async function dropVersion(run: Run): Promise<void> {
  await removeMembers(run.ledger, run.collection.id, run.version);
  await run.write((sql) =>
    sql.run(
      "DELETE FROM versions WHERE collection = ? AND number = ? AND status = 'building'",
      run.collection.id,
      run.version,
    ),
  );
}
