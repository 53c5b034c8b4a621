import { type Sized, type TreeNode, toTree } from "./folder-tree.js";
import { type Box, squarify } from "./squarify.js";

/** A part of a treemap. */
export interface Tile<Item extends Sized> {
  readonly box: Box;
  /** A file, a folder with its label, or what is too small to be shown one by one. */
  readonly kind: "file" | "folder" | "others";
  readonly name: string;
  readonly path: string;
  /** How many folders lie around it. */
  readonly depth: number;
  /** The file, or those that are too small; those of a folder have tiles of their own. */
  readonly items: readonly Item[];
}

/** The room that the label of a folder takes, and that around it. */
const LABEL = 18;
const GAP = 2;

/** What is smaller than this is put together, so that tiles can be seen; so is what is smaller than this part of the picture, so that they are not too many. */
const LEAST_AREA = 140;
const LEAST_PART = 1 / 3000;

/** A folder whose box is smaller than this has no label. */
const LEAST_SIDE = 34;

/** Lays files out so that areas are as their sizes, within their folders. Folders come before what is in them. */
export function treemap<Item extends Sized>(items: readonly Item[], box: Box): Tile<Item>[] {
  const tiles: Tile<Item>[] = [];
  const root = toTree(items);
  const least = Math.max(LEAST_AREA, box.width * box.height * LEAST_PART);
  if (root.size > 0) fill(root, box, { depth: 0, least }, tiles);
  return tiles;
}

function fill<Item extends Sized>(
  folder: TreeNode<Item>,
  box: Box,
  { depth, least }: { readonly depth: number; readonly least: number },
  tiles: Tile<Item>[],
): void {
  const isLabelled = folder.name !== "" && box.width >= LEAST_SIDE && box.height >= LEAST_SIDE;
  if (isLabelled) tiles.push({ box, kind: "folder", name: folder.name, path: folder.path, depth, items: [] });
  const inner = isLabelled ? shrink(box) : box;
  const scale = (inner.width * inner.height) / folder.size;
  const shown = folder.children.filter(({ size }) => size * scale >= least);
  const hidden = folder.children.slice(shown.length).flatMap(itemsOf);
  const hiddenSize = hidden.reduce((sum, { size }) => sum + size, 0);
  const sizes = shown.map(({ size }) => size);
  const boxes = squarify(hiddenSize > 0 ? [...sizes, hiddenSize] : sizes, inner);
  const within = isLabelled ? depth + 1 : depth;
  for (const [at, child] of shown.entries()) {
    const place = boxes[at];
    if (place === undefined) continue;
    if (child.item === undefined) fill(child, place, { depth: within, least }, tiles);
    else
      tiles.push({ box: place, kind: "file", name: child.name, path: child.path, depth: within, items: [child.item] });
  }
  const last = boxes[shown.length];
  if (last !== undefined && hidden.length > 0)
    tiles.push({
      box: last,
      kind: "others",
      name: `${hidden.length} more`,
      path: folder.path,
      depth: within,
      items: hidden,
    });
}

const shrink = ({ x, y, width, height }: Box): Box => ({
  x: x + GAP,
  y: y + LABEL,
  width: width - 2 * GAP,
  height: height - LABEL - GAP,
});

const itemsOf = <Item extends Sized>({ item, children }: TreeNode<Item>): Item[] =>
  item === undefined ? children.flatMap(itemsOf) : [item];
