import type { Sql } from "@toolwright/kit/storage";
import { answeringVersion, findCollection } from "../collections/find-collection.js";
import type { WantedCollection } from "./search-types.js";
import { type ByteCache, loadColumns, type SegmentColumns } from "./segment.js";

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

/** A segment's place among the rows of all that is searched. */
export interface Part extends ViewedSegment {
  readonly view: View;
  /** The number of its first row. */
  readonly offset: number;
  /** A byte a row: 0 = it is not alive, or a filter leaves it out. */
  readonly allowed: Uint8Array;
}

/**
 * All that is searched, as one row of rows. The numbers behind scores (how many passages, how long, with which words) are those of
 * all its versions together, so that passages of several collections compare.
 */
export interface IndexRows {
  readonly parts: readonly Part[];
  readonly size: number;
  /** Of what is alive, filters apart. */
  readonly rows: number;
  readonly averageLength: number;
}

/** A filter says which rows of a segment are allowed; undefined: all that are alive. */
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

/** Where a row lies. */
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

/** Of equal rows, which one comes first: by the order of the collections, then by that of the passages. */
export function compareRows(index: IndexRows, one: number, other: number): number {
  const [first, second] = [locateRow(index, one), locateRow(index, other)];
  if (first.part.view !== second.part.view) return one - other;
  return (first.part.columns.number[first.at] as number) - (second.part.columns.number[second.at] as number);
}
