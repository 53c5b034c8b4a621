import { type Html, html } from "@toolwright/kit/html";
import { excerpt } from "@toolwright/kit/pages";
import type { Task } from "../tasks/task.js";
import type { TaskGraph } from "./graph.js";
import { STATUS_NAMES, shortId, taskPath } from "./task-elements.js";

/** The layout of a graph: nodes, and the points at which long edges cross a layer. */
interface GraphLayout {
  /** The members of each layer from top to bottom; numbers from the count of nodes on are points of edges. */
  readonly layers: readonly (readonly number[])[];
  /** Each edge as its start, the points in the layers between, and its end. */
  readonly routes: readonly (readonly number[])[];
}

type Edge = readonly [from: number, to: number];

/** How often layers are ordered by their neighbours; more sweeps hardly change anything. */
const SWEEPS = 6;

/** How many points of edges are placed. The edges after that are drawn straight, across the boxes between. */
const MAX_POINTS = 3000;

/** Lays out a graph so that every node is in a layer after those that lead to it, and few edges cross. */
function layOutGraph(count: number, edges: readonly Edge[]): GraphLayout {
  const layerOf = rank(count, edges);
  let next = count;
  const routes = edges.map(([from, to]) => {
    const between = Math.max(0, (layerOf[to] ?? 0) - (layerOf[from] ?? 0) - 1);
    const crossed = next + between <= count + MAX_POINTS ? between : 0;
    const points = Array.from({ length: crossed }, (_, step) => next + step);
    next += crossed;
    return [from, ...points, to];
  });
  const steps = routes.flatMap((route) => route.slice(1).map((node, index): Edge => [route[index] as number, node]));
  return { layers: orderLayers(next, steps), routes };
}

function orderLayers(count: number, edges: readonly Edge[]): readonly (readonly number[])[] {
  const layerOf = rank(count, edges);
  const layers: number[][] = Array.from({ length: Math.max(0, ...layerOf.map((layer) => layer + 1)) }, () => []);
  for (const [node, layer] of layerOf.entries()) layers[layer]?.push(node);
  const before = neighboursOf(
    count,
    edges.map(([from, to]) => [to, from]),
  );
  const after = neighboursOf(count, edges);
  /** The place of each node in its layer. */
  const positions: number[] = [];
  for (const nodes of layers) for (const [index, node] of nodes.entries()) positions[node] = index;
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForward = sweep % 2 === 0;
    const order = isForward ? [...layers.keys()] : [...layers.keys()].toReversed();
    for (const layer of order) orderLayer(layers[layer] ?? [], positions, isForward ? before : after);
  }
  return layers;
}

/** The length of the longest path to each node. */
function rank(count: number, edges: readonly Edge[]): number[] {
  const ranks = Array.from({ length: count }, () => 0);
  const open = Array.from({ length: count }, () => 0);
  const after = neighboursOf(count, edges);
  for (const [, to] of edges) open[to] = (open[to] ?? 0) + 1;
  const ready = [...ranks.keys()].filter((node) => open[node] === 0);
  for (const node of ready)
    for (const next of after[node] ?? []) {
      ranks[next] = Math.max(ranks[next] ?? 0, (ranks[node] ?? 0) + 1);
      open[next] = (open[next] ?? 0) - 1;
      if (open[next] === 0) ready.push(next);
    }
  return ranks;
}

/** Orders one layer by the mean position of the neighbours of each node. */
function orderLayer(nodes: number[], positions: number[], neighbours: readonly (readonly number[])[]): void {
  const means = new Map(
    nodes.map((node, index): [number, number] => {
      const near = (neighbours[node] ?? []).map((other) => positions[other] ?? 0);
      return [node, near.length === 0 ? index : near.reduce((sum, one) => sum + one, 0) / near.length];
    }),
  );
  nodes.sort((left, right) => (means.get(left) ?? 0) - (means.get(right) ?? 0));
  for (const [index, node] of nodes.entries()) positions[node] = index;
}

function neighboursOf(count: number, edges: readonly Edge[]): number[][] {
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) neighbours[from]?.push(to);
  return neighbours;
}

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
