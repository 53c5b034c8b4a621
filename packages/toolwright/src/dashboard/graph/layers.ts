/** Where each node of a graph stands: in which layer, and at which place in it. */
export interface Layers {
  readonly layerOf: readonly number[];
  /** The nodes of each layer, from top to bottom. */
  readonly layers: readonly (readonly number[])[];
}

type Edge = readonly [from: number, to: number];

/** How often layers are put in order by their neighbours; more hardly changes anything. */
const SWEEPS = 6;

/** Puts every node in a layer after all those that lead to it, and orders layers so that few edges cross. */
export function layOut(count: number, edges: readonly Edge[]): Layers {
  const layerOf = rank(count, edges);
  const layers: number[][] = Array.from({ length: Math.max(0, ...layerOf.map((layer) => layer + 1)) }, () => []);
  for (const [node, layer] of layerOf.entries()) layers[layer]?.push(node);
  const before = adjacent(
    count,
    edges.map(([from, to]) => [to, from]),
  );
  const after = adjacent(count, edges);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForward = sweep % 2 === 0;
    const order = isForward ? [...layers.keys()] : [...layers.keys()].toReversed();
    for (const layer of order) arrange(layers, layer, isForward ? before : after);
  }
  return { layerOf, layers };
}

/** The length of the longest way to each node. Nodes of a circle, which nobody can make, stay where they are. */
function rank(count: number, edges: readonly Edge[]): number[] {
  const ranks = Array.from({ length: count }, () => 0);
  const open = Array.from({ length: count }, () => 0);
  const after = adjacent(count, edges);
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

/** Orders one layer by the middle of the neighbours that each of its nodes has. */
function arrange(layers: number[][], layer: number, near: readonly (readonly number[])[]): void {
  const places = new Map(layers.flatMap((nodes) => nodes.map((node, place): [number, number] => [node, place])));
  const nodes = layers[layer] ?? [];
  const middles = new Map(
    nodes.map((node, place): [number, number] => {
      const all = (near[node] ?? []).map((other) => places.get(other) ?? 0);
      return [node, all.length === 0 ? place : all.reduce((sum, one) => sum + one, 0) / all.length];
    }),
  );
  nodes.sort((left, right) => (middles.get(left) ?? 0) - (middles.get(right) ?? 0));
}

function adjacent(count: number, edges: readonly Edge[]): number[][] {
  const all: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) all[from]?.push(to);
  return all;
}
