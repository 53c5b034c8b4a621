import { escapeHtml } from "@toolwright/kit/html";
import { count, counted } from "../format.js";
import type { HotspotFile } from "../hotspots/hotspots.js";
import { at, codeLines, fit, formatScore, type HeatScale } from "./figures.js";
import { type Tile, treemap } from "./treemap.js";

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
