import type { Sql } from "@toolwright/kit/storage";
import { answeringVersion, findCollection } from "../collections/find-collection.js";
import type { WantedCollection } from "./search-types.js";
import { type ByteCache, loadColumns, type SegmentColumns } from "./segment.js";

/** The version of a collection to search. */
export interface ChosenVersion {
  readonly name: string;
  readonly collection: number;
  readonly version: number;
  /** The embedder of its vectors. Empty: it has no vectors. */
  readonly embedder: string;
  readonly segments: readonly { readonly id: number; readonly embedder: string; readonly dimension: number }[];
  /** Unique among all versions of all collections, including deleted ones. */
  readonly key: string;
}

/** A segment as seen by one version. */
export interface ViewedSegment {
  readonly columns: SegmentColumns;
  readonly embedder: string;
  readonly dimension: number;
  /** One byte per row: 0 = its revision is not a member of the version. */
  readonly alive: Uint8Array;
  readonly aliveRows: number;
}

/** The segments of a version with the statistics of its members. */
export interface View {
  readonly chosen: ChosenVersion;
  readonly segments: readonly ViewedSegment[];
  /** The number of live passages, and the sum of their lengths. */
  readonly rows: number;
  readonly length: number;
}

/** Resolves the version of a collection to search. */
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

/** Loads the segments of a version, or returns the cached view. */
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

/** A segment with its position in the concatenated rows of a search. */
export interface Part extends ViewedSegment {
  readonly view: View;
  /** The index of its first row. */
  readonly offset: number;
  /** One byte per row: 0 = not live, or excluded by a filter. */
  readonly allowed: Uint8Array;
}

/**
 * The concatenated rows of all searched segments. Statistics cover all versions together, so that the scores of several collections are
 * comparable.
 */
export interface IndexRows {
  readonly parts: readonly Part[];
  readonly size: number;
  /** The number of live passages before filters. */
  readonly rows: number;
  readonly averageLength: number;
}

/** Concatenates views. `allowedIn` returns the allowed rows of a segment; undefined: all live rows. */
export function toIndexRows(
  views: readonly View[],
  allowedIn: (view: View, segment: ViewedSegment) => Uint8Array | undefined,
): IndexRows {
  const parts: Part[] = [];
  let [size, rows, length] = [0, 0, 0];
  for (const view of views) {
    rows += view.rows;
    length += view.length;
    for (const segment of view.segments) {
      parts.push({ ...segment, view, offset: size, allowed: allowedIn(view, segment) ?? segment.alive });
      size += segment.columns.rows;
    }
  }
  return { parts, size, rows, averageLength: rows === 0 ? 1 : Math.max(1, length / rows) };
}

/** Returns the segment of a row, and the position in it. */
export function locateRow({ parts }: IndexRows, row: number): { readonly part: Part; readonly at: number } {
  let [low, high] = [0, parts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((parts[middle] as Part).offset <= row) low = middle;
    else high = middle - 1;
  }
  const part = parts[low] as Part;
  return { part, at: row - part.offset };
}

/** Orders rows of equal scores: by the order of the collections, then by the number of the passage. */
export function compareRows(index: IndexRows, one: number, other: number): number {
  const [first, second] = [locateRow(index, one), locateRow(index, other)];
  if (first.part.view !== second.part.view) return one - other;
  return (first.part.columns.number[first.at] as number) - (second.part.columns.number[second.at] as number);
}
