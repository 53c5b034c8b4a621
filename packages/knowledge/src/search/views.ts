import type { Sql } from "@toolwright/kit/storage";
import { answeringVersion, findCollection } from "../collections/find-collection.js";
import type { ByteCache } from "./byte-cache.js";
import { loadColumns, type SegmentColumns } from "./loaded-segment.js";
import type { WantedCollection } from "./wish.js";

/** The version of a collection that a search asks. */
export interface ChosenVersion {
  readonly name: string;
  readonly collection: number;
  readonly version: number;
  /** What made its vectors; "" = it has none. */
  readonly embedder: string;
  readonly segments: readonly { readonly id: number; readonly embedder: string; readonly dimension: number }[];
  /** Of no other version of any collection, at any time. */
  readonly key: string;
}

/** A segment as one version sees it. */
export interface ViewedSegment {
  readonly columns: SegmentColumns;
  readonly embedder: string;
  readonly dimension: number;
  /** A byte a row: 0 = its revision is no member of the version. */
  readonly alive: Uint8Array;
  readonly aliveRows: number;
}

/** What a version has to search in. */
export interface View {
  readonly chosen: ChosenVersion;
  readonly segments: readonly ViewedSegment[];
  /** Of the members alone: how many passages, and how long they are together. */
  readonly rows: number;
  readonly length: number;
}

/** Finds the version that is asked of a collection. */
export async function chooseVersion(sql: Sql, wanted: WantedCollection): Promise<ChosenVersion> {
  const collection = await findCollection(sql, wanted.name);
  const version = await answeringVersion(sql, collection, wanted.version);
  const rows = await sql.all(
    `SELECT s.id, s.embedder, s.dimension FROM version_segments v JOIN segments s ON s.id = v.segment
     WHERE v.collection = ? AND v.version = ? ORDER BY s.id`,
    collection.id,
    version.number,
  );
  const segments = rows.map((row) => ({
    id: Number(row["id"]),
    embedder: String(row["embedder"]),
    dimension: Number(row["dimension"]),
  }));
  return {
    name: collection.name,
    collection: collection.id,
    version: version.number,
    embedder: version.embedder,
    segments,
    key: JSON.stringify([collection.id, version.number, version.createdAt, segments.map(({ id }) => id)]),
  };
}

/** Loads what a version has, unless it is in memory. */
export async function openView(sql: Sql, cache: ByteCache, chosen: ChosenVersion): Promise<View> {
  const key = `view ${chosen.key}`;
  const known = cache.get(key) as View | undefined;
  if (known !== undefined) return known;
  const { collection, version } = chosen;
  const rows = await sql.all("SELECT revision FROM members WHERE collection = ? AND version = ?", collection, version);
  const members = new Set(rows.map((row) => Number(row["revision"])));
  const segments: ViewedSegment[] = [];
  for (const { id, embedder, dimension } of chosen.segments)
    segments.push(viewSegment(await loadColumns(sql, cache, id), embedder, dimension, members));
  const view = { chosen, segments, ...measure(segments) };
  cache.set(
    key,
    view,
    segments.reduce((sum, { columns }) => sum + columns.rows, 1000),
  );
  return view;
}

function viewSegment(
  columns: SegmentColumns,
  embedder: string,
  dimension: number,
  members: ReadonlySet<number>,
): ViewedSegment {
  const alive = Uint8Array.from(columns.revision, (revision) => (members.has(revision) ? 1 : 0));
  return { columns, embedder, dimension, alive, aliveRows: alive.reduce((sum, byte) => sum + byte, 0) };
}

function measure(segments: readonly ViewedSegment[]): { readonly rows: number; readonly length: number } {
  let [rows, length] = [0, 0];
  for (const { columns, alive, aliveRows } of segments) {
    rows += aliveRows;
    for (let row = 0; row < alive.length; row += 1) length += (alive[row] as number) * (columns.length[row] as number);
  }
  return { rows, length };
}
