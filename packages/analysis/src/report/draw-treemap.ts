import { escapeHtml } from "@toolwright/kit/html";
import { count, counted } from "../format.js";
import type { HotspotFile } from "../hotspots/hotspots.js";
import { at, codeLines, fit, formatScore, type HeatScale } from "./figures.js";

/** A tile of a treemap. */
export interface Tile<Item extends Sized> {
  readonly box: Box;
  /** A file, a folder with its label, or files that are too small for tiles of their own. */
  readonly kind: "file" | "folder" | "others";
  readonly name: string;
  readonly path: string;
  /** The number of folders around it. */
  readonly depth: number;
  /** The file, or the files that are too small; empty for a folder. */
  readonly items: readonly Item[];
}

/** The height of a folder label, and the gap around the content. */
const LABEL = 18;
const GAP = 2;

/** Smaller tiles are combined: below a visible area, and below a share of the picture, which limits their number. */
const MIN_AREA = 140;
const MIN_SHARE = 1 / 3000;

/** Smaller folders have no label. */
const MIN_SIDE = 34;

/** Lays out files by size within their folders. Folders precede their content. */
export function treemap<Item extends Sized>(items: readonly Item[], box: Box): Tile<Item>[] {
  const tiles: Tile<Item>[] = [];
  const root = toTree(items);
  const min = Math.max(MIN_AREA, box.width * box.height * MIN_SHARE);
  if (root.size > 0) fill(root, box, { depth: 0, min }, tiles);
  return tiles;
}

function fill<Item extends Sized>(
  folder: TreeNode<Item>,
  box: Box,
  { depth, min }: { readonly depth: number; readonly min: number },
  tiles: Tile<Item>[],
): void {
  const isLabelled = folder.name !== "" && box.width >= MIN_SIDE && box.height >= MIN_SIDE;
  if (isLabelled) tiles.push({ box, kind: "folder", name: folder.name, path: folder.path, depth, items: [] });
  const inner = isLabelled ? shrink(box) : box;
  const scale = (inner.width * inner.height) / folder.size;
  const shown = folder.children.filter(({ size }) => size * scale >= min);
  const hidden = folder.children.slice(shown.length).flatMap(itemsOf);
  const hiddenSize = hidden.reduce((sum, { size }) => sum + size, 0);
  const sizes = shown.map(({ size }) => size);
  const boxes = squarify(hiddenSize > 0 ? [...sizes, hiddenSize] : sizes, inner);
  const within = isLabelled ? depth + 1 : depth;
  for (const [index, child] of shown.entries()) {
    const place = boxes[index];
    if (place === undefined) continue;
    if (child.item === undefined) fill(child, place, { depth: within, min }, tiles);
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

/** An item with a path and a size. */
export interface Sized {
  /** With forward slashes. */
  readonly path: string;
  readonly size: number;
}

/** A folder with its content, or a file. */
export interface TreeNode<Item extends Sized> {
  /** A folder that contains only one folder is combined with it. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** Only for a file. */
  readonly item?: Item;
  /** Largest first. */
  readonly children: readonly TreeNode<Item>[];
}

interface Folder<Item extends Sized> {
  readonly folders: Map<string, Folder<Item>>;
  readonly items: Item[];
}

/** Arranges items in the folders of their paths. Items without a size are left out. */
export function toTree<Item extends Sized>(items: readonly Item[]): TreeNode<Item> {
  const root: Folder<Item> = { folders: new Map(), items: [] };
  for (const item of items) {
    if (!(item.size > 0)) continue;
    let folder = root;
    for (const name of item.path.split("/").slice(0, -1)) {
      const next: Folder<Item> = folder.folders.get(name) ?? { folders: new Map(), items: [] };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.items.push(item);
  }
  return toNode(root, "", "");
}

function toNode<Item extends Sized>({ folders, items }: Folder<Item>, name: string, path: string): TreeNode<Item> {
  const children: TreeNode<Item>[] = items.map((item) => ({
    name: item.path.slice(item.path.lastIndexOf("/") + 1),
    path: item.path,
    size: item.size,
    item,
    children: [],
  }));
  for (const [inner, folder] of folders) children.push(toNode(folder, inner, path === "" ? inner : `${path}/${inner}`));
  const [only] = children;
  if (children.length === 1 && only !== undefined && only.item === undefined)
    return { ...only, name: name === "" ? only.name : `${name}/${only.name}` };
  children.sort((left, right) => right.size - left.size || (left.path < right.path ? -1 : 1));
  return { name, path, size: children.reduce((sum, { size }) => sum + size, 0), children };
}

/** A rectangle of a picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides a box into parts with areas in proportion to sizes, as square as possible (Bruls, Huizing, van Wijk: Squarified Treemaps). Sizes
 * should be sorted, largest first.
 */
export function squarify(sizes: readonly number[], box: Box): Box[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const scale = total > 0 ? (box.width * box.height) / total : 0;
  const areas = sizes.map((size) => size * scale);
  const boxes: Box[] = [];
  let free = box;
  for (let from = 0; from < areas.length; ) {
    const side = Math.min(free.width, free.height);
    let to = from + 1;
    while (to < areas.length && worst(areas, from, to + 1, side) <= worst(areas, from, to, side)) to += 1;
    const row = areas.slice(from, to);
    const { placed, rest } = placeRow(row, free);
    boxes.push(...placed);
    free = rest;
    from = to;
  }
  return boxes;
}

/** The worst aspect ratio of the parts from `from` to before `to` in one row. */
function worst(areas: readonly number[], from: number, to: number, side: number): number {
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  for (let index = from; index < to; index++) {
    const area = areas[index] ?? 0;
    sum += area;
    min = Math.min(min, area);
    max = Math.max(max, area);
  }
  if (sum === 0 || side === 0) return Number.POSITIVE_INFINITY;
  return Math.max((side * side * max) / (sum * sum), (sum * sum) / (side * side * min));
}

/** Lays out a row along the shorter side, and returns the rest of the box. */
function placeRow(row: readonly number[], free: Box): { readonly placed: Box[]; readonly rest: Box } {
  const sum = row.reduce((total, area) => total + area, 0);
  const isUpright = free.width >= free.height;
  const length = isUpright ? free.height : free.width;
  const depth = length > 0 ? Math.min(sum / length, isUpright ? free.width : free.height) : 0;
  let along = 0;
  const placed = row.map((area): Box => {
    const part = depth > 0 ? area / depth : 0;
    const start = along;
    along += part;
    return isUpright
      ? { x: free.x, y: free.y + start, width: depth, height: part }
      : { x: free.x + start, y: free.y, width: part, height: depth };
  });
  const rest = isUpright
    ? { x: free.x + depth, y: free.y, width: free.width - depth, height: free.height }
    : { x: free.x, y: free.y + depth, width: free.width, height: free.height - depth };
  return { placed, rest };
}

/** The size of a picture, and whether it is the one for narrow screens. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly shape: "wide" | "narrow";
}

/** The width of a letter on a tile. */
const LETTER = 6.6;

/** A file in the map. */
type Mapped = HotspotFile & { readonly size: number };

/** Draws files as a treemap: areas are lines of code, colors are scores. */
export function drawTreemap(files: readonly HotspotFile[], heat: HeatScale, canvas: Canvas): string {
  const { width, height, shape } = canvas;
  const sized = files.map((file): Mapped => ({ ...file, size: file.code_lines }));
  const tiles = treemap(sized, { x: 0, y: 0, width, height });
  const label = `Map of ${counted(files.length, "file")}: larger tiles have more lines of code, hotter colors a higher score. The table of files has the same numbers.`;
  return [
    `<svg class="map ${shape}" viewBox="0 0 ${width} ${height}" role="group" aria-label="${escapeHtml(label)}">`,
    ...tiles.map((tile) => drawTile(tile, heat)),
    "</svg>",
  ].join("\n");
}

function drawTile({ box, kind, name, path, depth, items }: Tile<Mapped>, heat: HeatScale): string {
  const { x, y, width, height } = box;
  const place = `x="${at(x)}" y="${at(y)}" width="${at(Math.max(0, width))}" height="${at(Math.max(0, height))}"`;
  if (kind === "folder") {
    const shown = fit(name, width - 9, 7.2);
    return `<rect class="folder depth-${Math.min(depth, 4)}" ${place} rx="3"/>${write(shown, x + 5, y + 13, "folder-name")}`;
  }
  const hottest = items.reduce((most, { score }) => Math.max(most, score), 0);
  const lines = items.reduce((sum, { code_lines }) => sum + code_lines, 0);
  // Combined files get their average color: a single hot file must not color them all.
  const mean = items.reduce((sum, { score, code_lines }) => sum + score * code_lines, 0) / lines;
  const [file] = items;
  const title =
    kind === "file" && file !== undefined
      ? `${path}: score ${formatScore(hottest)}, ${codeLines(lines)}, complexity ${count(file.complexity)}, ${counted(file.commits, "commit")}`
      : `${counted(items.length, "small file")} in ${path === "" ? "the project" : path}: ${codeLines(lines)}, highest score ${formatScore(hottest)}`;
  const shown = height >= 16 ? nameFor(kind, name, items.length, width - 8) : "";
  const isScored = kind === "file" && hottest >= 1 && height >= 32 && shown !== "";
  return [
    `<g class="tile heat-${heat.of(mean)}${kind === "others" ? " others" : ""}" role="img" data-path="${escapeHtml(path)}">`,
    `<title>${escapeHtml(title)}</title><rect ${place} rx="2"/>`,
    write(shown, x + 5, y + 13, "name"),
    write(isScored ? formatScore(hottest) : "", x + 5, y + 27, "score"),
    "</g>",
  ].join("");
}

/** The name of a tile, without the file extension if space is short. */
function nameFor(kind: Tile<Mapped>["kind"], name: string, files: number, room: number): string {
  const whole = fit(name, room, LETTER);
  if (whole === name) return whole;
  const short = kind === "others" ? `+${files}` : name.replace(/(?<=.)\.[^.]*$/, "");
  return short.length * LETTER <= room ? short : kind === "others" ? "" : fit(short, room, LETTER);
}

const write = (text: string, x: number, y: number, kind: string): string =>
  text === "" ? "" : `<text class="${kind}" x="${at(x)}" y="${at(y)}">${escapeHtml(text)}</text>`;
