import { escapeHtml } from "@toolwright/kit/html";
import { count, counted } from "../format.js";
import type { HotspotFile } from "../hotspots/hotspots.js";
import type { Canvas } from "./draw-treemap.js";
import { at, codeLines, fit, formatScore, type HeatScale, rootTicks } from "./figures.js";

/** How many files have a dot, hottest first, and how many of these a name. */
const MAX_DOTS = 400;
const MAX_NAMES = { wide: 12, narrow: 5 } as const;

const MARGIN = { left: 46, right: 16, top: 14, bottom: 42 } as const;

/** The space for dots at the ends of an axis. */
const INSET = 20;

interface Dot {
  readonly file: HotspotFile;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Draws files by commits and complexity. Both axes have square-root scales, to separate the many small files. */
export function drawScatter(files: readonly HotspotFile[], heat: HeatScale, canvas: Canvas): string {
  const { width, height, shape } = canvas;
  const shown = files.slice(0, MAX_DOTS);
  const max = {
    x: Math.max(1, ...shown.map(({ commits }) => commits)),
    y: Math.max(1, ...shown.map(({ complexity }) => complexity)),
  };
  const room = { x: width - MARGIN.left - MARGIN.right, y: height - MARGIN.top - MARGIN.bottom };
  const toX = (commits: number): number => MARGIN.left + INSET + Math.sqrt(commits / max.x) * (room.x - 2 * INSET);
  const toY = (complexity: number): number =>
    MARGIN.top + room.y - INSET - Math.sqrt(complexity / max.y) * (room.y - 2 * INSET);
  const dots = shown.map((file): Dot => {
    const radius = Math.min(22, 2.5 + Math.sqrt(file.code_lines) / 2.6);
    return { file, x: toX(file.commits), y: toY(file.complexity), radius };
  });
  const label = `${counted(shown.length, "file")} by commits and complexity. Those at the top right are complex and change often. The table of files has the same numbers.`;
  const bottom = MARGIN.top + room.y;
  return [
    `<svg class="chart ${shape}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(label)}">`,
    ...rootTicks(max.x, room.x).map(
      (tick) =>
        `<path class="grid" d="M${at(toX(tick))} ${MARGIN.top}V${at(bottom)}"/><text class="tick middle" x="${at(toX(tick))}" y="${at(bottom + 16)}">${count(tick)}</text>`,
    ),
    ...rootTicks(max.y, room.y).map(
      (tick) =>
        `<path class="grid" d="M${MARGIN.left} ${at(toY(tick))}H${width - MARGIN.right}"/><text class="tick end" x="${MARGIN.left - 7}" y="${at(toY(tick) + 4)}">${count(tick)}</text>`,
    ),
    `<text class="axis middle" x="${at(MARGIN.left + room.x / 2)}" y="${height - 6}">commits →</text>`,
    `<text class="axis" x="${MARGIN.left + 6}" y="${MARGIN.top + 10}">↑ cognitive complexity</text>`,
    // Large dots first, so that they do not hide others.
    ...[...dots].sort((left, right) => right.radius - left.radius).map((dot) => drawDot(dot, heat)),
    ...namesOf(dots, canvas),
    "</svg>",
  ].join("\n");
}

function drawDot({ file, x, y, radius }: Dot, heat: HeatScale): string {
  const title = `${file.path}: ${counted(file.commits, "commit")}, complexity ${count(file.complexity)}, ${codeLines(file.code_lines)}, score ${formatScore(file.score)}`;
  return `<g class="dot heat-${heat.of(file.score)}" data-path="${escapeHtml(file.path)}"><title>${escapeHtml(title)}</title><circle cx="${at(x)}" cy="${at(y)}" r="${at(radius)}"/></g>`;
}

/** The names of the hottest files that fit without overlap. */
function namesOf(dots: readonly Dot[], { width, shape }: Canvas): string[] {
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = [];
  const names: string[] = [];
  for (const { file, x, y, radius } of dots) {
    if (names.length >= MAX_NAMES[shape] || file.score <= 0) break;
    const text = fit(file.path.slice(file.path.lastIndexOf("/") + 1), 190);
    const length = Array.from(text).length * 6.6;
    const isLeft = x + radius + 4 + length > width - 4;
    const left = isLeft ? x - radius - 4 - length : x + radius + 4;
    const isFree = taken.every((one) => Math.abs(one.y - y) > 14 || one.left > left + length || one.right < left);
    if (!isFree || left < MARGIN.left) continue;
    taken.push({ left, right: left + length, y });
    names.push(
      `<text class="dot-name${isLeft ? " end" : ""}" x="${at(isLeft ? x - radius - 4 : left)}" y="${at(y + 4)}">${escapeHtml(text)}</text>`,
    );
  }
  return names;
}
