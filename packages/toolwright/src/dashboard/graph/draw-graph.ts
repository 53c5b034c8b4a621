import type { Task } from "@toolwright/todo/tasks/task.js";
import { type Html, html } from "../html.js";
import { glance, placeOf, STATUS_WORDS, shortId } from "../parts.js";
import type { Graph } from "./graph-query.js";
import { planRoutes } from "./routes.js";

const BOX_WIDTH = 200;
const BOX_HEIGHT = 46;
/** What a line needs that goes between boxes. */
const LANE_HEIGHT = 6;
const GAP_ACROSS = 64;
const GAP_DOWN = 14;
const MARGIN = 8;

/** The left end of a box, or of a place of an edge, in the middle of its height. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Draws tasks as boxes, from those that others wait for on the left to those that wait on the right. */
export function drawGraph({ tasks, edges }: Graph): Html {
  const { layers, routes } = planRoutes(tasks.length, edges);
  const heightOf = (node: number): number => (node < tasks.length ? BOX_HEIGHT : LANE_HEIGHT);
  const tall = layers.map((layer) => layer.reduce((sum, node) => sum + heightOf(node) + GAP_DOWN, -GAP_DOWN));
  const inner = Math.max(...tall);
  const points = new Map<number, Point>();
  for (const [at, layer] of layers.entries()) {
    let y = MARGIN + (inner - (tall[at] ?? 0)) / 2;
    for (const node of layer) {
      points.set(node, { x: MARGIN + at * (BOX_WIDTH + GAP_ACROSS), y: y + heightOf(node) / 2 });
      y += heightOf(node) + GAP_DOWN;
    }
  }
  const pointOf = (node: number): Point => points.get(node) ?? { x: 0, y: 0 };
  const [width, height] = [layers.length * (BOX_WIDTH + GAP_ACROSS) - GAP_ACROSS + 2 * MARGIN, inner + 2 * MARGIN];
  return html`<svg class="graph" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="Tasks, and which of them wait for which">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8Z"/></marker></defs>
<g class="edges" aria-hidden="true">${routes.map((route) => line(route.map(pointOf)))}</g>
${tasks.map((task, node) => box(task, pointOf(node)))}</svg>`;
}

function box(task: Task, { x, y: middle }: Point): Html {
  const y = middle - BOX_HEIGHT / 2;
  const [first, second] = twoLines(task.description);
  const tone = task.blocked && task.status === "pending" ? "blocked" : task.status;
  return html`<a href="${placeOf(task.id)}" data-key="node-${task.id}" class="node is-${tone}"><title>${glance(task.description)} (${STATUS_WORDS[task.status]}, P${task.priority}, ${shortId(task.id)})</title>
<rect x="${x}" y="${y}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="7"/><rect class="edge" x="${x}" y="${y}" width="5" height="${BOX_HEIGHT}" rx="2"/>
<text x="${x + 14}" y="${y + (second === "" ? 28 : 20)}">${first}</text>${second !== "" && html`<text x="${x + 14}" y="${y + 36}">${second}</text>`}</a>
`;
}

/** A line from the right side of one box to the left side of another, straight where it goes through a layer. */
function line([start, ...others]: readonly Point[]): Html {
  const steps = others.map((point, at): string => {
    const before = at === 0 ? start : others[at - 1];
    const [x1, y1] = [(before?.x ?? 0) + BOX_WIDTH, before?.y ?? 0];
    const isLast = at === others.length - 1;
    const [x2, y2] = [isLast ? point.x - 1 : point.x, point.y];
    const middle = (x1 + x2) / 2;
    return `C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}${isLast ? "" : `H${x2 + BOX_WIDTH}`}`;
  });
  return html`<path d="M${(start?.x ?? 0) + BOX_WIDTH} ${start?.y ?? 0}${steps.join("")}" marker-end="url(#arrow)"/>`;
}

/** As many signs as fit a box. */
const FIT = 25;

/** A text on two lines, broken between words where that is possible. */
function twoLines(text: string): readonly [string, string] {
  const all = Array.from(glance(text, 2 * FIT));
  if (all.length <= FIT) return [all.join(""), ""];
  const space = all.lastIndexOf(" ", FIT);
  const end = space > FIT / 3 ? space : FIT;
  return [all.slice(0, end).join("").trimEnd(), glance(all.slice(end).join(""), FIT - 1)];
}
