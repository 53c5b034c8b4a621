/** The layout of a graph: nodes, and the points at which long edges cross a layer. */
export interface GraphLayout {
  /** The members of each layer from top to bottom; numbers from the count of nodes on are points of edges. */
  readonly layers: readonly (readonly number[])[];
  /** Each edge as its start, the points in the layers between, and its end. */
  readonly routes: readonly (readonly number[])[];
}

type Edge = readonly [from: number, to: number];

/** How often layers are ordered by their neighbours; more sweeps hardly change anything. */
const SWEEPS = 6;

/** Lays out a graph so that every node is in a layer after those that lead to it, and few edges cross. */
export function layOutGraph(count: number, edges: readonly Edge[]): GraphLayout {
  const layerOf = rank(count, edges);
  let next = count;
  const routes = edges.map(([from, to]) => {
    const crossed = Math.max(0, (layerOf[to] ?? 0) - (layerOf[from] ?? 0) - 1);
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
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForward = sweep % 2 === 0;
    const order = isForward ? [...layers.keys()] : [...layers.keys()].toReversed();
    for (const layer of order) orderLayer(layers, layer, isForward ? before : after);
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
function orderLayer(layers: number[][], layer: number, neighbours: readonly (readonly number[])[]): void {
  const positions = new Map(layers.flatMap((nodes) => nodes.map((node, index): [number, number] => [node, index])));
  const nodes = layers[layer] ?? [];
  const means = new Map(
    nodes.map((node, index): [number, number] => {
      const near = (neighbours[node] ?? []).map((other) => positions.get(other) ?? 0);
      return [node, near.length === 0 ? index : near.reduce((sum, one) => sum + one, 0) / near.length];
    }),
  );
  nodes.sort((left, right) => (means.get(left) ?? 0) - (means.get(right) ?? 0));
}

function neighboursOf(count: number, edges: readonly Edge[]): number[][] {
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) neighbours[from]?.push(to);
  return neighbours;
}
