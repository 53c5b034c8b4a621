import { type Html, html } from "@toolwright/kit/html";
import { excerpt } from "@toolwright/kit/pages";
import type { Task } from "../tasks/task.js";
import { layOutGraph } from "./graph-layout.js";
import type { TaskGraph } from "./graph-query.js";
import { STATUS_NAMES, shortId, taskPath } from "./task-elements.js";

const BOX_WIDTH = 200;
const BOX_HEIGHT = 46;
/** The room for an edge between boxes. */
const LANE_HEIGHT = 6;
const GAP_ACROSS = 64;
const GAP_DOWN = 14;
const MARGIN = 8;

/** The left end of a box, or a point of an edge, in the middle of its height. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Draws tasks as boxes, each to the right of those that block it. */
export function drawGraph({ tasks, edges }: TaskGraph): Html {
  const { layers, routes } = layOutGraph(tasks.length, edges);
  const heightOf = (node: number): number => (node < tasks.length ? BOX_HEIGHT : LANE_HEIGHT);
  const heights = layers.map((layer) => layer.reduce((sum, node) => sum + heightOf(node) + GAP_DOWN, -GAP_DOWN));
  const innerHeight = Math.max(...heights);
  const points = new Map<number, Point>();
  for (const [index, layer] of layers.entries()) {
    let y = MARGIN + (innerHeight - (heights[index] ?? 0)) / 2;
    for (const node of layer) {
      points.set(node, { x: MARGIN + index * (BOX_WIDTH + GAP_ACROSS), y: y + heightOf(node) / 2 });
      y += heightOf(node) + GAP_DOWN;
    }
  }
  const pointOf = (node: number): Point => points.get(node) ?? { x: 0, y: 0 };
  const [width, height] = [
    layers.length * (BOX_WIDTH + GAP_ACROSS) - GAP_ACROSS + 2 * MARGIN,
    innerHeight + 2 * MARGIN,
  ];
  return html`<svg class="graph" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="Tasks and what blocks them">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8Z"/></marker></defs>
<g class="edges" aria-hidden="true">${routes.map((route) => line(route.map(pointOf)))}</g>
${tasks.map((task, node) => box(task, pointOf(node)))}</svg>`;
}

function box(task: Task, { x, y: middle }: Point): Html {
  const y = middle - BOX_HEIGHT / 2;
  const [first, second] = twoLines(task.description);
  const colour = task.blocked && task.status === "pending" ? "blocked" : task.status;
  return html`<a href="${taskPath(task.id)}" data-key="node-${task.id}" class="node is-${colour}"><title>${excerpt(task.description)} (${STATUS_NAMES[task.status]}, P${task.priority}, ${shortId(task.id)})</title>
<rect x="${x}" y="${y}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="7"/><rect class="edge" x="${x}" y="${y}" width="5" height="${BOX_HEIGHT}" rx="2"/>
<text x="${x + 14}" y="${y + (second === "" ? 28 : 20)}">${first}</text>${second !== "" && html`<text x="${x + 14}" y="${y + 36}">${second}</text>`}</a>
`;
}

/** A line from the right side of a box to the left side of another, straight where it crosses a layer. */
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

/** How many characters fit into a box. */
const LINE_LENGTH = 25;

/** Breaks a text into two lines, between words if possible. */
function twoLines(text: string): readonly [string, string] {
  const all = Array.from(excerpt(text, 2 * LINE_LENGTH));
  if (all.length <= LINE_LENGTH) return [all.join(""), ""];
  const space = all.lastIndexOf(" ", LINE_LENGTH);
  const end = space > LINE_LENGTH / 3 ? space : LINE_LENGTH;
  return [all.slice(0, end).join("").trimEnd(), excerpt(all.slice(end).join(""), LINE_LENGTH - 1)];
}
